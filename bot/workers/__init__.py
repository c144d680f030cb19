"""Processes beside the bot for long computations: they draw pictures, think for computers, and make backups."""
