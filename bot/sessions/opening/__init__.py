"""Before a game: opening tables, agreeing on terms, taking seats, and the place in Discord."""
