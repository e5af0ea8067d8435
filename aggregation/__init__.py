"""Consensus from responses. Imports `annotation`, nothing of the apps above."""
