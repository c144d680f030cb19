"""The lobby: a table before its game, from `/play` until everybody has sat down."""
