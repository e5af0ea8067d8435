"""Estimates of precision, recall and F1 over arrays: NumPy and SciPy alone."""
