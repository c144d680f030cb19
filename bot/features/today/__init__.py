"""Today: what is happening on a server."""
