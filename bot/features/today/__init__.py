"""Today: what is on at a server."""
