"""Pure functions over arrays; empty until estimators are built."""
