"""Experiments on texts that a crowd tagged, or a simulated one.

Nothing of the application depends on them; one command runs them.
"""
