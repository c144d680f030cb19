"""Privacy: what is stored about a person, handed out as a file."""
