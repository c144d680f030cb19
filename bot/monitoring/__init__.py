"""Being watched over: a small site for monitors (`site`), what it says (`health`, `bot.metrics`), and what is looked at for it.

Nothing of it is needed to play. It is served where SPRINGBOARD_HTTP says, and nowhere else.
"""
