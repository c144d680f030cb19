"""Processes beside the bot for long computations. They draw pictures, think for computers, and make backups."""
