"""Systems scored against the crowd: statistics in `algorithms`, submissions in `formats`, rows in
`models`, a shared task without a database in `files`.
"""
