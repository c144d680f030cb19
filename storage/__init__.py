"""The storage: the tables of the database, their migrations, and the one store through which they are read and written."""
