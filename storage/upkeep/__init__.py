"""Looking after a database: checking it, backing it up, moving it, and exporting the data of a person."""
