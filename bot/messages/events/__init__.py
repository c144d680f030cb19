"""The messages of events: the public one, those that tell of a round, and the private panels of players and organisers."""
