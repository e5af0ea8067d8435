"""Labels of single units: who is right, and how far each worker is to be trusted."""
