"""The outbox carries out the jobs that show changes in Discord: at once, later, or again after a failure."""
