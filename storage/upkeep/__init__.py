"""Looking after a database: checking it, backing it up, moving it, and exporting a person's data."""
