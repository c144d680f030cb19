"""A simulated Discord on this machine: REST, gateway, limits, faults. README.md shows how to test a discord.py bot with it."""
