"""Messages about a table: the lobby, house rules, notices and lists."""
