"""Builders of messages, which show the snapshot of a table. `bot.interactions` has the handlers of their buttons.

No layout holds state: a button's custom_id has all it needs, so every button still works after a restart.
"""
