"""The real bot, connected to the loopback instead of Discord.

`python -m tests.loopback.bot_process ADDRESS` runs it until it is killed, with the environment's settings. Only two addresses
and the wait for servers are replaced (real Discord needs longer), and it has `/open` (tests/opening.py).
"""

import asyncio
import functools
import sys
from collections.abc import Mapping
from typing import Any, Final

from bot import logs
from bot.app import make_client
from bot.config import load
from bot.process import serve
from loopback.connecting import pointed_to, signed
from tests.opening import have_open

have_open()
GUILDS_COME_WITHIN: Final = 0.05
"""Seconds that discord.py waits for another server before it is ready, by default two."""


def main(address: str, options: Mapping[str, Any]) -> None:
    settings = load(None)
    logs.configure(settings.log, settings.log_format, secrets=settings.secrets)
    make = functools.partial(make_client, guild_ready_timeout=GUILDS_COME_WITHIN)
    with pointed_to(address), signed():
        asyncio.run(serve(settings, make, **options))


if __name__ == "__main__":
    main(sys.argv[1], {})
