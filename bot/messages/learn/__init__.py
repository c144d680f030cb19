"""Messages that teach: lessons, rules and help."""
