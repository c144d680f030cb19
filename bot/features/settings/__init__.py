"""Settings of people and of servers, and the tools of server managers."""
