"""Partitions: which items are the same thing."""
