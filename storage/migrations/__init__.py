"""How the schema of the database came about, step by step; `storage.connect` applies what is missing at every start."""
