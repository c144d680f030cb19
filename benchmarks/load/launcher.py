"""What runs in the measured process: Springboard, or a bare bot of discord.py, in front of another address than Discord's.

`python -P launcher.py springboard|bare ADDRESS` is a script of its own, so that it can run the bot of another checkout, which
is the one in PYTHONPATH. When the bot is ready, the script writes a line. If the variable COUNT_STATEMENTS_IN names a file, the
script counts there what Springboard asks of SQLite.
"""

import asyncio
import contextlib
import functools
import os
import sys
from pathlib import Path
from typing import Any

if sys.argv[1:2] == ["springboard"]:
    # The container has no rich, which structlog would import.
    sys.modules["rich"] = None  # type: ignore[assignment]
    import bot.__main__  # noqa: F401 - it decides how everything is imported

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket

GUILDS_COME_WITHIN = 0.05
"""The seconds that discord.py waits for a further server before it says that it is ready. Its default is two."""


async def tell_when_ready(client: discord.Client) -> None:
    """Write a line when the bot is ready."""
    while client.ws is None:  # discord.py has no event for it before it has logged in
        await asyncio.sleep(0.001)
    await client.wait_until_ready()
    print("ready", flush=True)


def springboard() -> None:
    with contextlib.suppress(ImportError):  # earlier versions open tables by `/play`
        from tests.opening import have_open  # noqa: PLC0415

        have_open()
    from bot import logs  # noqa: PLC0415
    from bot.config import load  # noqa: PLC0415
    from bot.process import real_client, serve  # noqa: PLC0415

    settings = load(None)
    logs.configure(settings.log, settings.log_format, secrets=settings.secrets)
    told = []

    def make(*args: Any, **options: Any) -> discord.Client:
        client = functools.partial(real_client, guild_ready_timeout=GUILDS_COME_WITHIN)(*args, **options)
        told.append(asyncio.get_running_loop().create_task(tell_when_ready(client)))
        return client

    with contextlib.ExitStack() as counting:
        if "COUNT_STATEMENTS_IN" in os.environ:
            from benchmarks.tracing import counted_in  # noqa: PLC0415

            counting.enter_context(counted_in(Path(os.environ["COUNT_STATEMENTS_IN"])))
        asyncio.run(serve(settings, make))


class BareClient(discord.Client):
    """A bot that does nothing but answer a slash command with an empty message that has a button."""

    def __init__(self) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            intents=intents, allowed_mentions=discord.AllowedMentions.none(), guild_ready_timeout=GUILDS_COME_WITHIN
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(app_commands.Command(name="nothing", description="Nothing", callback=self._nothing))

    async def _nothing(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("\N{ZERO WIDTH SPACE}", view=self._view())

    def _view(self) -> discord.ui.View:
        view = discord.ui.View(timeout=None)
        button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="Nothing", custom_id="nothing")
        button.callback = self._pressed  # type: ignore[method-assign]
        return view.add_item(button)

    async def _pressed(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()

    async def setup_hook(self) -> None:
        self.add_view(self._view())
        await self.tree.sync()


def bare() -> None:

    async def live() -> None:
        async with BareClient() as client:
            working = asyncio.create_task(client.start("a.b.c"))
            telling = asyncio.create_task(tell_when_ready(client))
            await asyncio.wait({working, telling}, return_when=asyncio.FIRST_EXCEPTION)

    asyncio.run(live())


def main(kind: str, address: str) -> None:
    discord.http.Route.BASE = address
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address.replace("http", "ws", 1) + "/gateway")
    (springboard if kind == "springboard" else bare)()


if __name__ == "__main__":
    main(*sys.argv[1:])
