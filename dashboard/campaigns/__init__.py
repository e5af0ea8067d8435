"""A campaign: making one, its page, what it needs, how fast it goes."""
