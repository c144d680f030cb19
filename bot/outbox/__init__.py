"""The outbox: carries out the jobs by which Discord is told of changes, now, later or again."""
