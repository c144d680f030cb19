"""Builders of messages, which show the snapshot of a table. The handlers of their buttons are in `bot.interactions`.

No layout holds state. Everything that a button needs is in its custom_id, so every button of every message still works after a
restart.
"""
