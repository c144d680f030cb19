"""House rules: the options of a table, which its opener chooses on a panel with a preview."""
