"""What happened at a table, as values: the log, the game rebuilt from it, and what was agreed on. No database, no clock."""
