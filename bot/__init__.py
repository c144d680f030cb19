"""The bot: what can be done to a table (`sessions`), and how that looks in Discord (everything else)."""
