"""Monitoring: a small site for monitors (`endpoints`), what it answers (`health`), and the figures it reports (`monitor`).

Events are counted in `bot.runtime.metrics`. The site is served only if SPRINGBOARD_HTTP gives its address, and the bot plays
without it.
"""
