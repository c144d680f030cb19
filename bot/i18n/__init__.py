"""Translation: the languages' catalogues, the texts of commands, and the collection of all texts by `make texts`."""
