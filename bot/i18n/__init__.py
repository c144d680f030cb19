"""Translation: the catalogues of the languages, what Discord shows of commands, and how `make texts` collects all texts."""
