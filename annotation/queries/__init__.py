"""Reads: a fixed number of queries each, plain data out."""
