"""Looking after a database: checks, backups, moving it elsewhere, and exporting the data of a person."""
