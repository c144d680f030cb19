"""A simulated Discord on this machine, for a real bot with the real discord.py: REST, gateway, limits and faults.

It knows nothing of any particular bot; README.md shows how one is tested with it.
"""
