"""What comes with time: time-outs, absences, heartbeats, outages, and servers that the bot was removed from."""
