"""Connections to the database: files and servers, their time limits, and which migrations have been applied."""
