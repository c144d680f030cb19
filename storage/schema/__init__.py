"""The schema: the tables, their rows as values, and the words and structures that their columns contain."""
