"""The rules of tournaments: rounds, pairings and standings, as pure functions of results and players (who are just numbers)."""
