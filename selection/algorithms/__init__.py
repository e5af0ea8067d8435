"""Pure functions over arrays; empty until worker and data selection are built."""
