"""A small corpus of our own and a simulated crowd, so that a first start has something to show."""
