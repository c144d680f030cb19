"""The tool that mines puzzles. `miner` is the contract of its miners, and `selecting` chooses among their finds."""
