"""Messages about past games: replays, recaps, reviews and results."""
