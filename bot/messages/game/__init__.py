"""Messages about a game in progress: the board, its story and its pictures."""
