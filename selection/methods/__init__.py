"""Pickers and learners by name, with their settings."""
