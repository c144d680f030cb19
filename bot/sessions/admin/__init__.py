"""Lists, watching, moderation, and the data of people and servers."""
