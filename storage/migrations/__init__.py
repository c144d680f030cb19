"""The steps to the current tables, one a release. `storage.connections.connect` applies missing ones at every start."""
