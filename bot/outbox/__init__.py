"""What is still to be done in Discord, and what happens as time passes: the outbox worker, the clock and the heartbeat."""
