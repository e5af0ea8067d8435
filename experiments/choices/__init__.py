"""Choices: how often methods are right, and whether they know it, on made and on public crowds."""
