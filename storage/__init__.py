"""The storage: the tables of the database, their migrations, and the one store that reads and writes them."""
