"""Aggregation runs: how each went, and what it says of workers."""
