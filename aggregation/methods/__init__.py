"""The methods by name: what each takes and says of itself, its defaults, tuning, where it runs."""
