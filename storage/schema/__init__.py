"""The schema: tables, rows as values, and the words and shapes in their columns."""
