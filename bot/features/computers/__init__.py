"""Computer players: how they are seated, asked for their moves, and practised against."""
