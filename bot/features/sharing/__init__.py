"""Sharing: posting a result, a replay or a review in the channel."""
