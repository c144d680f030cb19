"""The core looks after tables, from their opening to their end. It knows nothing of Discord, and no feature by name."""
