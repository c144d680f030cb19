"""The schema: tables, rows as values, and the words and structures in their columns."""
