"""What a word means in SQL, once: filters that can be chained. Nothing here writes."""
