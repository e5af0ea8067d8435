"""Experiments that show what the algorithms are worth, on simulated crowds and on recorded ones."""
