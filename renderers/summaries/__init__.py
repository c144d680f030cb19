"""Pictures that sum up: the curve and the card of a finished game, a person's stats, a server's leaderboard, and more."""
