"""Monitoring: a small site for monitors (`endpoints`), its answers (`health`, `bot.runtime.metrics`), and their figures (`monitor`).

The bot plays without it. It is served at the address in SPRINGBOARD_HTTP, and nowhere else.
"""
