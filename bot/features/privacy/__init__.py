"""Privacy: what is stored about a person, handed out as a file, and deleted when they want to be forgotten."""
