"""The loops of the bot besides the outbox: the clock, the heartbeat, computers that play, reviews, deleted lobbies."""
