"""Translation: the languages' catalogues, the texts of commands, and the collecting of all texts by `make texts`."""
