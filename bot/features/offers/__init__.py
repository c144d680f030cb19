"""Offers, which need the agreement of other players: a draw, an undo, or a substitute, for example."""
