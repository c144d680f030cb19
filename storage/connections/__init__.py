"""Connections to the database: files and servers, transactions on them, timeouts, and which migrations have been applied."""
