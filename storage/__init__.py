"""Sessions on disk: the tables, their migrations, and the one store that reads and writes them."""
