"""Systems against the crowd: the leaderboard, a system, and what managers do with both."""
