"""Privacy: exporting what is stored about a person, and deleting it."""
