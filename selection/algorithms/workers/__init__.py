"""Whom to keep: scores from gold, the best set, votes, guards against spam."""
