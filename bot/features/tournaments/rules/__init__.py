"""The rules of tournaments: rounds, pairings and standings, as pure functions of players (opaque numbers) and results."""
