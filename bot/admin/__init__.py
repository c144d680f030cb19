"""What an operator asks on the command line: `doctor` and `check`."""
