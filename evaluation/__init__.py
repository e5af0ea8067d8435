"""Systems scored against the crowd. Nothing is built here yet: submissions, samples and
scores come with their own issues, and so do their tables.
"""
