"""Monitoring: a small site for monitors (`endpoints`), its answers (`health`), and their figures (`monitor`).

Events are counted in `bot.runtime.metrics`. The bot plays without this site, which is served at the address in SPRINGBOARD_HTTP
only.
"""
