"""The bot: what may be done to a table (`sessions`), and how that looks in Discord (everything else)."""
