"""Aggregation on files, without a database.

A file holds what a campaign would: who said what of which token (JSON lines) or item (CSV). Bad
input is told as `BadFile`, with the file, the line and the field; nothing is then written.
"""
