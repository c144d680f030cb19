"""Posts: the messages that the bot posts on a server every day or week."""
