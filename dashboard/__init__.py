"""Managers: their pages and their API, a folder a subject. Nothing imports it but config."""
