"""Pictures that sum something up: curves and cards of finished games, people's stats, leaderboards, and more."""
