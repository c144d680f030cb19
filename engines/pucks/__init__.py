"""Puck Bumpers: two to six players push pucks into goals over a board of mats that move. The rules are in engines/pucks.md."""
