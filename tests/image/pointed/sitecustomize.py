"""Leads discord.py to LOOPBACK_GATEWAY. Mounted where PYTHONPATH finds it, since the image has no test code."""  # noqa: INP001

import os

import yarl
from discord.gateway import DiscordWebSocket

DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["LOOPBACK_GATEWAY"])
