"""Computer players: seating them, asking for their moves, and practising against them."""
