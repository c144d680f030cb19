"""What a table is at one moment, as values: its snapshot, its settings, its people and computers."""
