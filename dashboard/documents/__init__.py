"""Documents: imports, the list, and one document with its answers as lanes."""
