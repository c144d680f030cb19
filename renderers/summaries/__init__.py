"""Pictures that sum up: curves and cards of finished games, people's stats, leaderboards, and more."""
