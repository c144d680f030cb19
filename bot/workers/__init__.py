"""Processes beside the bot that carry out what takes long to compute: they draw pictures, and think for computers."""
