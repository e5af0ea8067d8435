"""Who works, and what is labelled next. Nothing is built here yet: worker selection, data
selection and the labelling loop come with their own issues, and so do their tables.
"""
