"""The box and the board: mats, spaces, pieces, cards as printed, motion, house rules, and the state of a game."""
