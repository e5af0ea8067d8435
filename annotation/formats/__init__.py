"""Readers and writers of files: streaming, no rows, no settings.

`reading.Reader` opens a file and yields a DocumentRecord or a Rejected for each document in it.
A format is a module with `read(lines, name, rules)` and one line in `reading.READERS`.
"""
