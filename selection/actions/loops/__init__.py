"""Labelling loops: set up, changed and stopped by people, moved on by `advance`.

Nothing is imported here: web servers read `life`, and the others load numerics.
"""
