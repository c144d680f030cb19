"""Settings of people and of servers, and tools for server managers."""
