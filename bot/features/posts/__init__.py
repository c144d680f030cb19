"""Posts: the messages that a server gets every day or week."""
