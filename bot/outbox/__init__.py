"""What Discord has still to be told, and what happens when time passes: the outbox, and the clock."""
