"""The test kit itself: that it waits for threads, and that no breach of Discord's limits goes by unseen."""

import asyncio
import contextlib
import io
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiosqlite
import discord
import pytest
import structlog
from discord import app_commands
from discord.ext import tasks
from PIL import Image

from tests.bot.kit import World, a_world, button, buttons, reply, select, texts
from tests.bot.limits import ANSWERS, Call, Kind, breaches_of

NOBODY = discord.AllowedMentions.none()


class Toy(discord.Client):
    """A small bot that does what a real one does: a database, pictures drawn in threads, buttons, a loop."""

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
            await base.execute("INSERT INTO clicks VALUES (1)")
            await base.commit()
            async with base.execute("SELECT COUNT(*) FROM clicks") as rows:
                (count,) = await rows.fetchone() or (0,)
        return int(count)

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


@pytest.fixture
async def toy_world(tmp_path: Path) -> AsyncIterator[World[Toy]]:
    async with a_world(tmp_path, toy) as made:
        yield made


async def test_a_command_is_over_when_its_threads_are(toy_world: World[Toy]) -> None:
    world = toy_world
    answer = await world.ann.slash(world.channel, "count")
    assert texts(answer) == ["Clicked 1 times"]
    assert world.picture(answer).image.size == (10, 10)
    assert world.picture(answer).alt == "1 clicks"
    assert select(answer).options == {"One": "1"}
    assert world.watch.count(*ANSWERS) == 2
    with sqlite3.connect(world.folder / "toy.sqlite3") as base:
        assert base.execute("SELECT COUNT(*) FROM clicks").fetchone() == (1,)


async def test_a_button_works_after_a_restart(toy_world: World[Toy]) -> None:
    world = toy_world
    await world.ann.slash(world.channel, "count")
    before = world.client
    await world.restart()
    assert world.client is not before
    assert button(world.last(), "More").custom_id == "more:1"
    await world.ben.click(world.last(), label="More")
    assert texts(world.last()) == ["Clicked 2 times"]


async def test_clicks_at_once_are_both_on_their_way_before_either_is_answered(toy_world: World[Toy]) -> None:
    world = toy_world
    board = reply(await world.ann.slash(world.channel, "count"))
    calls = len(world.watch.calls)
    async with world.at_once():
        await world.ann.click(board, label="More")
        await world.ben.click(board, label="More")
        assert len(world.watch.calls) == calls
    # Which of the two is posted first is up to the threads.
    assert sorted(texts(message)[0] for message in world.messages()) == [f"Clicked {n} times" for n in (1, 2, 3)]


async def test_a_repeated_interaction_reaches_the_bot_again(toy_world: World[Toy]) -> None:
    world = toy_world
    await world.ann.slash(world.channel, "count")
    await world.repeat_last_interaction()
    (error,) = world.env.errors
    assert isinstance(getattr(error, "original", error), discord.HTTPException)
    assert len(world.messages()) == 1


async def test_a_loop_runs_at_its_hours_when_time_passes(toy_world: World[Toy]) -> None:
    world = toy_world
    begun = world.now()
    client = world.client
    await world.pass_time(7 * 3600)
    assert [round(moment - begun) for moment in client.rounds] == [3600 * n for n in range(8)]


async def test_a_missing_button_is_told_with_those_that_are_there(toy_world: World[Toy]) -> None:
    answer = await toy_world.ann.slash(toy_world.channel, "count")
    assert [one.label for one in buttons(answer)] == ["More"]
    with pytest.raises(AssertionError, match="'More'"):
        button(answer, "Less")


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def push(label: str | None = "Go", custom_id: str = "go", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id, **more}


def menu(*options: str, **more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "menu", "options": [{"label": one, "value": one} for one in options], **more}


def gallery(*words: str | None) -> dict[str, Any]:
    return {
        "type": 12,
        "items": [{"media": {"url": f"attachment://{n}.png"}, "description": one} for n, one in enumerate(words)],
    }


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def sent(*components: dict[str, Any], files: tuple[tuple[str, int], ...] = (), **more: Any) -> Call:
    body = {"components": list(components), "flags": 1 << 15, "allowed_mentions": {"parse": []}, **more}
    return Call(0, Kind.SEND, "POST", "/channels/1/messages", body, files)


def offered(*choices: str) -> Call:
    data = {"type": 8, "data": {"choices": [{"name": one, "value": one} for one in choices]}}
    return Call(0, Kind.CHOICES, "POST", "/interactions/1/x/callback", data)


def registered(*options: dict[str, Any], name: str = "play", **more: Any) -> Call:
    command = {"name": name, "description": "Plays.", "type": 1, "options": list(options), **more}
    return Call(0, Kind.REGISTER, "PUT", "/applications/1/commands", [command])


def option(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "An option.", "type": 3, **more}


def asked(*components: dict[str, Any], title: str = "Name") -> Call:
    data = {"type": 9, "data": {"custom_id": "name", "title": title, "components": list(components)}}
    return Call(0, Kind.MODAL, "POST", "/interactions/1/x/callback", data)


def field(label: str = "Name", **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": label, "component": {"type": 4, "custom_id": "name", "style": 1, **more}}


@pytest.mark.parametrize(
    "call",
    [
        sent(text("x" * 4000)),
        sent(gallery("words"), files=(("0.png", 10 * 2**20),)),
        sent(row(*(push("x" * 80, f"{n}" * 100) for n in range(5)))),
        sent(row(menu(*(f"{n:0100}" for n in range(25))))),
        offered(*(f"{n:0100}" for n in range(25))),
        registered(*(option(f"o{n}") for n in range(25))),
        registered(option("größe", required=True), option("spiel_2")),
        asked(*(field("x" * 45, max_length=4000) for _ in range(5)), title="x" * 45),
    ],
)
def test_what_just_fits_is_no_breach(call: Call) -> None:
    assert list(breaches_of(call)) == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (sent(text("x" * 2000), text("x" * 2001)), "4001 characters of text"),
        (sent(text("")), "an empty text"),
        (sent(*(text("x") for _ in range(41))), "41 components"),
        (sent(text("x"), content="beside"), "beside components V2"),
        (sent(row(push(custom_id="x" * 101))), "custom_id"),
        (sent(row(push(), push())), "'go' occurs twice"),
        (sent(row(push("x" * 81))), "81 characters"),
        (sent(row(push(None))), "neither label nor emoji"),
        (sent(row(*(push(custom_id=str(n)) for n in range(6)))), "a row of 6"),
        (sent(row(menu("a"), push())), "with 1 selects"),
        (sent(row(menu(*map(str, range(26))))), "26 options"),
        (sent(row(menu())), "0 options"),
        (sent(row(menu("a", "a"))), "twice"),
        (sent(row(menu("x" * 101))), "101 characters"),
        (sent(row(menu("a", placeholder="x" * 151))), "placeholder"),
        (sent(row(menu("a", "b", max_values=3))), "wants 1 to 3"),
        (sent(gallery("x" * 1025)), "1025 characters"),
        (sent(gallery(None)), "no words"),
        (sent(gallery(*"abcdefghijk")), "a gallery of 11"),
        (sent(text("x"), files=(("0.png", 1),)), "no component shows it"),
        (sent(gallery("x"), files=(("0.png", 10 * 2**20 + 1),)), "more than 10485760"),
        (sent(text("x"), allowed_mentions=None), "who may be pinged"),
        (sent(text("x"), allowed_mentions={"parse": ["everyone"]}), "everyone"),
        (sent({"type": 9, "components": [text("x")] * 4, "accessory": push()}), "a section of 4"),
        (offered(*map(str, range(26))), "26 choices"),
        (offered("x" * 101), "101 characters"),
        (offered(""), "0 characters"),
        (registered(name="Play"), "'Play' is no name"),
        (registered(name="p" * 33), "is no name"),
        (registered(option("a b")), "'a b' is no name"),
        (registered(description="x" * 101), "101 characters"),
        (registered(description=""), "0 characters"),
        (registered(*(option(f"o{n}") for n in range(26))), "26 options"),
        (registered(option("a"), option("b", required=True)), "after one that need not"),
        (registered(option("a"), option("a")), "an option twice"),
        (registered(option("a", autocomplete=True, choices=[{"name": "x", "value": "x"}])), "both choices and autocomplete"),
        (
            registered(*(option(f"o{n}", choices=[{"name": "x" * 90, "value": "y" * 90}] * 25) for n in range(2))),
            "more than 8000",
        ),
        (registered(option("a", description_localizations={"de": "x" * 101})), "101 characters"),
        (asked(field(), title="x" * 46), "title has 46"),
        (asked(*(field() for _ in range(6))), "a modal of 6 parts"),
        (asked(field("x" * 46)), "46 characters"),
        (asked(field(max_length=5, value="x" * 6)), "prefilled"),
        (Call(0, Kind.THREAD, "POST", "/channels/1/threads", {"name": "x" * 101}), "thread's name"),
    ],
)
def test_every_limit_of_discord_is_watched(call: Call, said: str) -> None:
    assert any(said in sentence for sentence in breaches_of(call)), list(breaches_of(call))


async def breaches(world: World[Toy], task: Callable[[discord.Interaction], Any]) -> str:
    """What the watch says about an answer to /do."""
    world.client.task = task
    await world.ann.slash(world.channel, "do")
    assert world.env.errors is not None  # looked at: what simcord itself refuses is not the matter here
    found = "\n".join(world.watch.breaches)
    world.watch.breaches.clear()
    return found


async def test_a_missing_right_to_attach_files_is_seen(toy_world: World[Toy]) -> None:
    world = toy_world
    denied = discord.PermissionOverwrite(attach_files=False)
    bare = world.guild.create_text_channel("bare", overwrites={world.guild.default_role: denied})

    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        channel = interaction.client.get_partial_messageable(bare.id)
        await channel.send(view=shown(1), file=discord.File(io.BytesIO(png(1)), "count.png"))

    assert "may not attach files" in await breaches(world, post)


async def test_locked_and_archived_threads_are_left_alone(toy_world: World[Toy]) -> None:
    world = toy_world

    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        message = await interaction.original_response()
        thread = await (await message.fetch()).create_thread(name="Board")
        post = await thread.send("First.")
        metadata = world.env.backend.channels[thread.id].thread_metadata
        assert metadata is not None
        metadata.archived = True
        await post.edit(content="Changed.", allowed_mentions=NOBODY)
        metadata.locked = True
        await thread.send("Second.")

    found = await breaches(world, post)
    assert "a message of an archived thread was changed" in found
    assert "a message was posted to a locked thread" in found


async def test_an_edit_that_forgets_the_old_pictures_is_seen(toy_world: World[Toy]) -> None:
    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=shown(1), file=discord.File(io.BytesIO(png(1)), "count.png"))
        route = discord.http.Route("PATCH", "/channels/{c}/messages/{m}", c=interaction.channel_id, m=1)
        with contextlib.suppress(discord.NotFound):
            await interaction.client.http.request(route, files=[discord.File(io.BytesIO(b"x"), "x.png")], json={})

    assert "without saying which of the old ones stay" in await breaches(toy_world, post)


async def test_edits_of_messages_older_than_an_hour_are_counted(toy_world: World[Toy]) -> None:
    world = toy_world
    posted: list[discord.Message] = []

    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        posted.append(await interaction.client.get_partial_messageable(world.channel.id).send("Board."))

    async def edit(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        await posted[0].edit(content="Changed.", allowed_mentions=NOBODY)

    assert await breaches(world, post) == ""
    assert await breaches(world, edit) == ""
    assert world.watch.old_edits == []
    await world.pass_time(3601)
    assert await breaches(world, edit) == ""
    assert [call.kind for call in world.watch.old_edits] == [Kind.EDIT]


async def test_an_unanswered_interaction_fails_the_test(tmp_path: Path) -> None:
    async def say_nothing(interaction: discord.Interaction) -> None:
        pass

    async def run() -> None:
        async with a_world(tmp_path, toy) as world:
            world.client.task = say_nothing
            await world.ann.slash(world.channel, "do")

    with pytest.raises(AssertionError, match="was never answered"):
        await run()


async def test_a_follow_up_before_the_answer_is_seen(toy_world: World[Toy]) -> None:
    async def rush(interaction: discord.Interaction) -> None:
        with contextlib.suppress(discord.NotFound):
            await interaction.followup.send("Too early.")
        await interaction.response.send_message("Here.")

    assert "came before the answer" in await breaches(toy_world, rush)


async def test_hammering_at_a_closed_door_is_seen(toy_world: World[Toy]) -> None:
    async def hammer(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        for _ in range(4):
            with contextlib.suppress(discord.NotFound):
                await interaction.client.get_partial_messageable(1).send("Hello?")

    assert "tried 4 times though the answer was 404" in await breaches(toy_world, hammer)


async def test_an_error_that_nobody_looked_at_fails_the_test(tmp_path: Path) -> None:
    async def stumble(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        raise ArithmeticError

    async def run() -> None:
        async with a_world(tmp_path, toy) as world:
            world.client.task = stumble
            await world.ann.slash(world.channel, "do")

    with pytest.raises(ExceptionGroup, match="bot raised 1 error"):
        await run()


async def test_an_error_in_the_log_fails_the_test_even_if_people_got_a_kind_answer(tmp_path: Path) -> None:
    async def stumble(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Something went wrong.")
        try:
            raise ArithmeticError("seven")
        except ArithmeticError:
            structlog.get_logger().exception("unexpected error")

    async def run() -> None:
        async with a_world(tmp_path, toy) as world:
            world.client.task = stumble
            await world.ann.slash(world.channel, "do")

    with pytest.raises(AssertionError, match="ArithmeticError: seven"):
        await run()


async def test_timers_run_when_time_passes_and_not_before(toy_world: World[Toy]) -> None:
    world = toy_world
    fired: list[float] = []

    async def start(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        begun = world.now()
        asyncio.get_running_loop().call_later(0.01, lambda: fired.append(world.now() - begun))
        await asyncio.sleep(30)
        fired.append(world.now() - begun)

    assert await breaches(world, start) == ""
    await asyncio.to_thread(time.sleep, 0.05)
    await world.settle()
    assert fired == []
    await world.pass_time(60)
    assert fired == [pytest.approx(0.01), pytest.approx(30)]
