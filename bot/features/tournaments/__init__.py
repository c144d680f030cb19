"""Tournaments, which `/event` makes, from the list of those who enter to the podium."""
