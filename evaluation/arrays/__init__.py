"""Rows and files ↔ arrays: what a submission claims, what was drawn, what was judged of it."""
