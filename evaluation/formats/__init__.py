"""Submissions of systems, in the three formats in which they come; streaming, without rows."""
