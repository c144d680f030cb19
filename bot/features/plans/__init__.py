"""Plans: replies and orders given in advance, and played when their time has come."""
