"""Texts in the readers' languages: catalogues, what Discord shows of commands, and how `make texts` finds it all."""
