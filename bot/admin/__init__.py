"""The operator's diagnostics on the command line, such as `doctor` and `check`."""
