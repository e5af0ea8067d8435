"""A shared task on files: submissions in, a plan of what to judge, scores out; no database."""
