"""Data selection on files, without a database.

Bad input is told as `BadFile`, with the file, the line and the column; nothing is then written.
"""
