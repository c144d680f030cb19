"""A simulated Discord on this machine: REST, gateway, limits, faults. README.md shows how to test a bot with it."""
