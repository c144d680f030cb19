"""Pictures that sum up: the curve and the card of a finished game, the stats of a person, the leaderboard of a server."""
