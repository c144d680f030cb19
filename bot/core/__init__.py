"""The core: a table and its life, from its opening to its end. It knows nothing of Discord, and no feature."""
