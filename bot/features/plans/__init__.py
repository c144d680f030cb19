"""Plans: replies and orders that are given ahead, and played when their time has come."""
