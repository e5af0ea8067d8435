"""Systems against the crowd: periods, teams, submissions, plans, and the leaderboard."""
