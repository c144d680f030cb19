"""A small bot to test the simulated Discord with."""

import asyncio
import contextlib
import io
import re
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiosqlite
import discord
from discord import app_commands
from discord.ext import tasks
from PIL import Image

from tests.bot.kit import World, a_world

NOBODY = discord.AllowedMentions.none()


class Toy(discord.Client):
    """A bot that does what a real one does: a database, pictures drawn in threads, buttons, a loop."""

    def __init__(self, database: Path, now: Callable[[], float]) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=NOBODY)
        self.tree = app_commands.CommandTree(self)
        self.database = database
        self.now = now
        self.rounds: list[float] = []
        self.tree.command(name="count", description="Counts, and shows the count as a picture.")(self.count)
        self.tree.command(name="do", description="Does what a test asks for.")(self.do)
        self.task: Callable[[discord.Interaction], Any] = self.count

    async def setup_hook(self) -> None:
        await self.tree.sync()
        self.add_dynamic_items(More)
        self.sweep.start()

    async def close(self) -> None:
        self.sweep.cancel()
        await super().close()

    @tasks.loop(hours=1)
    async def sweep(self) -> None:
        async with aiosqlite.connect(self.database) as base:
            await base.execute("CREATE TABLE IF NOT EXISTS clicks (n INTEGER)")
            await base.commit()
        self.rounds.append(self.now())

    async def raise_count(self) -> int:
        async with aiosqlite.connect(self.database) as base:
            async with base.execute("INSERT INTO clicks VALUES (1)") as inserted:
                count = inserted.lastrowid
            await base.commit()
        assert count is not None
        return count

    async def count(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        count = await self.raise_count()
        await asyncio.to_thread(time.sleep, 0.05)  # longer than simcord looks for work between two rounds
        await interaction.followup.send(view=shown(count), file=discord.File(io.BytesIO(png(count)), "count.png"))

    async def do(self, interaction: discord.Interaction) -> None:
        await self.task(interaction)


class More(discord.ui.DynamicItem[discord.ui.Button], template="more:(?P<n>[0-9]+)"):
    def __init__(self, n: int) -> None:
        super().__init__(discord.ui.Button(label="More", custom_id=f"more:{n}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str]
    ) -> "More":
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        assert isinstance(interaction.client, Toy)
        await interaction.client.count(interaction)


def png(count: int) -> bytes:
    file = io.BytesIO()
    Image.new("P", (10 * count, 10)).save(file, "PNG")
    return file.getvalue()


def shown(count: int) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    picture: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery(
        discord.MediaGalleryItem("attachment://count.png", description=f"{count} clicks")
    )
    pick: discord.ui.Select[Any] = discord.ui.Select(custom_id="pick", options=[discord.SelectOption(label="One", value="1")])
    view.add_item(
        discord.ui.Container(
            discord.ui.TextDisplay(f"Clicked {count} times"),
            picture,
            discord.ui.ActionRow(More(count)),
            discord.ui.ActionRow(pick),
        )
    )
    return view


@contextlib.asynccontextmanager
async def toy(folder: Path, now: Callable[[], float]) -> AsyncIterator[Toy]:
    yield Toy(folder / "toy.sqlite3", now)


async def run_do(folder: Path, task: Callable[[discord.Interaction], Any]) -> None:
    """Ann presses /do in a world of its own. Raises whatever fails a test at the end of that world."""
    async with a_world(folder, toy) as world:
        world.client.task = task
        await world.ann.slash(world.channel, "do")


async def breaches(world: World[Toy], task: Callable[[discord.Interaction], Any]) -> str:
    """What the watch says about an answer to /do."""
    world.client.task = task
    await world.ann.slash(world.channel, "do")
    assert world.env.errors is not None  # looked at: what simcord itself refuses is not the matter here
    found = "\n".join(world.watch.breaches)
    world.watch.breaches.clear()
    return found
