"""Systems scored against the crowd: statistics in `algorithms`, submissions in `formats`, a shared
task without a database in `files`. Rows and pages come with their own issue.
"""
