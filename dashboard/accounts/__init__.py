"""Logging in and out, passwords, and who has tried too often."""
