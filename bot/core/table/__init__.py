"""What a table is at one moment, as values: its snapshot, its log, its people and computers, and its deadlines."""
