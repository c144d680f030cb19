"""The steps that led to the present schema of the database. `storage.lines.connect` applies missing ones at every start."""
