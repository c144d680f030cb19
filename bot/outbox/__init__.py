"""The outbox carries out the jobs that tell Discord of changes: now, later or again."""
