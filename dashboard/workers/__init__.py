"""Workers: all of them, one of them, whom to keep, what they ask for."""
