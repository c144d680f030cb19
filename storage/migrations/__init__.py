"""The steps that led to the present schema of the database. `storage.connect` applies missing ones at every start."""
