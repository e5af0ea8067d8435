"""Experiments that show what the algorithms are worth, on simulated crowds and on recorded ones.

Nothing of the application depends on them; two commands run them.
"""
