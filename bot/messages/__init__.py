"""Builders of messages, each of which shows a snapshot of a table. `bot.interactions` has the handlers of their buttons.

No layout holds state: a button's custom_id has all that its handler needs, so every button still works after a restart.
"""
