"""House rules: the options of a table, which the person who opened it chooses on a panel with a preview."""
