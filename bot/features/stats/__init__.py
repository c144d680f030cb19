"""Stats: ratings, results, and the leaderboard."""
