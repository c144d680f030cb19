"""Connections to the database: files and servers, time limits, and the migrations that have been applied."""
