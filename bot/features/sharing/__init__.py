"""Sharing: a result, a replay or a review as a message in the channel."""
