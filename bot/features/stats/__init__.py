"""Stats: ratings, results and leaderboards."""
