"""Has discord.py connect to LOOPBACK_GATEWAY. It is mounted where PYTHONPATH finds it: the image has no code of tests."""  # noqa: INP001

import os

import yarl
from discord.gateway import DiscordWebSocket

DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["LOOPBACK_GATEWAY"])
