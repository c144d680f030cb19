"""Posts: the messages that a server gets day by day, and what is owed to them."""
