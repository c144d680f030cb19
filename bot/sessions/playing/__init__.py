"""During a game: actions, offers, plans, and what computers play."""
