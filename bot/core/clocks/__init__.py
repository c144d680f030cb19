"""What happens as time passes: time-outs, absences, heartbeats, outages, and the removal of the bot from servers."""
