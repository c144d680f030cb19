"""Diagnostics for the operator, on the command line: `doctor` and `check`."""
