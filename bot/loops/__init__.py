"""The bot's loops besides the outbox: the clock, the heartbeat, and the watch for deleted lobbies."""
