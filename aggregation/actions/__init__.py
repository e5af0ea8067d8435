"""Every write of this app, and what is computed from its rows: one verb a function.

Nothing is imported here: web servers read some of the modules, and others load numerics.
"""
