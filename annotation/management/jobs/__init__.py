"""Jobs at work: their kinds, the process that does one, and whoever starts and watches it."""
