"""Help: the pages of `/help`, and the rules of the games."""
