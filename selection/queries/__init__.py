"""Reads: plain data out, and no numerics."""
