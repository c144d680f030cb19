"""Translation: the catalogues of the languages, the texts of commands, and the collecting of all texts by `make texts`."""
