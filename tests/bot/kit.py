"""A simulated Discord with people in it, for all tests of the bot in Discord.

    async def test_a_table_can_be_opened(world):
        shown = await world.ann.slash(world.channel, "open", game="bouncers")
        await world.ben.click(reply(shown), label="Join")
        assert "Ben" in world.text(world.last())

simcord runs the real client and all of discord.py, and simulates only Discord. `world` has that client over a real database in
a temporary folder, three people, a channel, and a clock that moves only when pushed. It fails the test if the bot raised
something unexpected (`world.env.errors`) or did what real Discord would refuse (watch.py; `world.watch.excused` for tests that
provoke it).

- A verb (`slash`, `click`, …) returns when all tasks of the bot are over or parked. Threads (aiosqlite, `asyncio.to_thread`,
  executors) are waited for in real time, up to SETTLE_SECONDS: the database has committed, the picture is drawn and posted.
- Only `pass_time` moves the time, and runs every timer at its moment: `asyncio.sleep`, `call_later`, time-outs,
  `discord.ext.tasks`. simcord by itself also runs them after as much real time, which the kit prevents, so that slow machines
  give the same results. A sleeping handler is not waited for: push the time.
- An idle background task must be parked: in `asyncio.sleep` (alone or inside `asyncio.wait`, `gather` or a task group), between
  two rounds of a `discord.ext.tasks` loop, in `Client.wait_for`, or absent until a `call_later` starts it. One that waits on an
  `asyncio.Event`, a `Queue` or `wait_for(event.wait(), timeout)` is busy: every verb then fails with "bot did not settle".
- In the bot's tasks `time.monotonic()` follows the simulated clock; `time.time()` does not, so the bot gets a function for it.
"""

import asyncio
import contextlib
import functools
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic
from unittest import mock

import discord
import simcord
import structlog
from discord.app_commands import Command, Group
from PIL import Image, ImageSequence
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.components import walk_components
from simcord.results import InteractionResult, ResponseMessage
from typing_extensions import TypeVar

from bot.app import Springboard
from bot.i18n.language import languages
from bot.invitation import PERMISSIONS
from loopback.limits import BUTTON, GALLERY, SELECTS, TEXT, THUMBNAIL
from loopback.virtual_time import Work, told_of_work
from tests.bot.watch import Watch

Message = discord.Message | ResponseMessage
ClientT = TypeVar("ClientT", bound=discord.Client, default=Springboard)
Factory = Callable[[Path, Callable[[], float]], AbstractAsyncContextManager[ClientT]]
"""Makes a client over a folder's data, with a clock, and closes what it opened at the end of the block."""
SETTLE_SECONDS = 120.0
"""How long a verb waits for the bot: enough for a slow or busy machine, so that only a hanging bot exceeds it."""
STEP_SECONDS = 6 * 3600.0
"""How far one push moves the clock. simcord limits the time of a push, so long waits are done in steps."""
LOOK_SECONDS = 0.002
"""How often simcord checks whether a thread has moved a background task on."""


@dataclass(frozen=True)
class Button:
    label: str
    custom_id: str | None
    disabled: bool
    style: discord.ButtonStyle
    url: str | None = None


@dataclass(frozen=True)
class Select:
    """A select menu: its placeholder, and its options from label to value."""

    custom_id: str
    placeholder: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Picture:
    """A picture in a message: its alt text and file."""

    alt: str
    png: bytes

    @property
    def image(self) -> Image.Image:
        return Image.open(io.BytesIO(self.png))

    @property
    def frames(self) -> int:
        return len(list(ImageSequence.Iterator(self.image)))


@dataclass
class World(Generic[ClientT]):
    """A server with people, a channel and the bot: Springboard, unless another client is named.

    Attributes:
        env: simcord's environment, for whatever is not offered here.
        client: the running client, replaced by `restart`.
        watch: every call to Discord, and what Discord would have refused.
        logs: what the bot logged. An error fails the test unless `expected_errors` has its event: people always get a kind
            answer, whatever goes wrong.
    """

    env: simcord.Env
    client: ClientT
    folder: Path
    watch: Watch
    logs: list[Any]
    guild: GuildHandle
    channel: ChannelHandle
    ann: MemberActor
    ben: MemberActor
    cleo: MemberActor
    _factory: Factory[ClientT]
    _open: contextlib.AsyncExitStack
    expected_errors: set[str] = field(default_factory=set)

    def now(self) -> float:
        return self.env.now().timestamp()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, with the bot's timers, until all is quiet again."""
        while seconds > 0:
            step = min(seconds, STEP_SECONDS)
            await self.env.advance_time(step)
            seconds -= step

    async def settle(self) -> None:
        """Wait until the bot has nothing left to do."""
        await self.env.settle()

    async def restart(self) -> None:
        """Stop the bot and start another over the same database. Discord keeps everything that was posted."""
        await self.settle()
        with self.env._bot_scope():
            await self.client.close()
        await self._open.aclose()
        self.client = await self._open.enter_async_context(self._factory(self.folder, self.now))
        await self.env.restart_bot(self.client)

    def join(self, name: str) -> MemberActor:
        return a_member(self.env, self.guild, name)

    @contextlib.asynccontextmanager
    async def at_once(self) -> AsyncIterator[None]:
        """Deliver what people do in this block at the same instant. The results are complete only after the block."""

        async def later(*_: Any, **__: Any) -> None:
            pass

        with mock.patch.object(self.env, "_settle_internal", later):
            yield
        await self.settle()

    async def repeat_last_interaction(self) -> None:
        """Deliver the newest command or click again with the same id, as after a lost connection."""
        payload = next(
            payload
            for kind, name, payload in reversed(self.env.backend.transcript)
            if kind == "GATEWAY" and name == "INTERACTION_CREATE"
        )
        self.env.backend.emit("INTERACTION_CREATE", payload)
        await self.settle()

    def messages(self, channel: ChannelHandle | None = None, *, viewer: MemberActor | None = None) -> list[discord.Message]:
        """A channel's messages (default: #games), oldest first. Private ones only with their viewer."""
        return (channel or self.channel).history(viewer=viewer)

    def last(self, channel: ChannelHandle | None = None, *, viewer: MemberActor | None = None) -> discord.Message:
        return self.messages(channel, viewer=viewer)[-1]

    def direct_messages(self, member: MemberActor) -> list[str]:
        """The direct messages from the bot to a person, oldest first."""
        return [self.text(message) for message in member.user.dm_channel.history()]

    def text(self, message: Message | InteractionResult) -> str:
        """All text of a message, one part per line."""
        return "\n".join(texts(message))

    def says(self, message: Message | InteractionResult, *words: str) -> None:
        """Assert that a message has all of these words."""
        text = self.text(message)
        for each in words:
            assert each in text

    def pictures(self, message: Message | InteractionResult) -> list[Picture]:
        found = []
        for item in _components(message):
            shown = item.get("items", []) if item.get("type") == GALLERY else [item] if item.get("type") == THUMBNAIL else []
            for one in shown:
                png = self.env.backend.cdn.get(one["media"]["url"])
                assert png is not None, f"no file behind {one['media']['url']}"
                found.append(Picture(one.get("description") or "", png))
        return found

    def picture(self, message: Message | InteractionResult) -> Picture:
        (picture,) = self.pictures(message)
        return picture

    def pinged(self, message: Message) -> set[int]:
        """The ids of those a message notified. Editing a message never notifies."""
        channel_id = message.channel_id if isinstance(message, ResponseMessage) else message.channel.id
        return set(self.env.backend.get_message(channel_id, message.id).ping_user_ids)


def texts(message: Message | InteractionResult) -> list[str]:
    """A message's texts in order: its content, and every text among its components."""
    message = _shown(message)
    parts = [message.content] if message.content else []
    return parts + [item["content"] for item in _components(message) if item.get("type") == TEXT]


def buttons(message: Message | InteractionResult) -> list[Button]:
    return [
        Button(
            label=item.get("label") or (item.get("emoji") or {}).get("name") or "",
            custom_id=item.get("custom_id"),
            disabled=bool(item.get("disabled")),
            style=discord.ButtonStyle(item["style"]),
            url=item.get("url"),
        )
        for item in _components(message)
        if item.get("type") == BUTTON
    ]


def labels(message: Message | InteractionResult) -> list[str]:
    """The labels of a message's buttons."""
    return [one.label for one in buttons(message)]


async def press(member: MemberActor, message: Message, *labels: str) -> None:
    """Press the buttons with these labels in a message, one after the other."""
    for label in labels:
        await member.click(message, label=label)


def button(message: Message | InteractionResult, label: str) -> Button:
    found = [one for one in buttons(message) if one.label == label]
    assert len(found) == 1, f"{len(found)} buttons are called {label!r}; there are {[one.label for one in buttons(message)]}"
    return found[0]


def selects(message: Message | InteractionResult) -> list[Select]:
    return [
        Select(
            custom_id=item["custom_id"],
            placeholder=item.get("placeholder") or "",
            options={option["label"]: option["value"] for option in item.get("options") or []},
        )
        for item in _components(message)
        if item.get("type") in SELECTS
    ]


def select(message: Message | InteractionResult) -> Select:
    found = selects(message)
    assert len(found) == 1, f"there are {len(found)} select menus"
    return found[0]


def reply(result: InteractionResult) -> ResponseMessage:
    assert result.response is not None, f"nothing was answered: {result!r}"
    return result.response


def _shown(message: Message | InteractionResult) -> Message:
    """A message, or an interaction's newest follow-up or else its answer."""
    if not isinstance(message, InteractionResult):
        return message
    shown = message.followups[-1] if message.followups else message.response
    assert shown is not None, f"nothing was answered: {message!r}"
    return shown


def _components(message: Message | InteractionResult) -> Iterator[Mapping[str, Any]]:
    message = _shown(message)
    raw = message.components
    return walk_components([item if isinstance(item, dict) else item.to_dict() for item in raw])


_REGISTERED: dict[Any, Any] = {}
"""Registered commands by what they depend on: translating them takes half of a bot's start."""


def _once(translate: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def found(command: Any, tree: Any, translator: Any) -> Any:
        key = (command, type(translator), *languages().values())
        if key not in _REGISTERED:
            _REGISTERED[key] = await translate(command, tree, translator)
        return _REGISTERED[key]

    return found


@contextlib.contextmanager
def registered_once() -> Iterator[None]:
    """In this block discord.py translates commands once for all bots, as long as the languages stay the same."""
    with (
        mock.patch.object(Command, "get_translated_payload", _once(Command.get_translated_payload)),
        mock.patch.object(Group, "get_translated_payload", _once(Group.get_translated_payload)),
    ):
        yield


@contextlib.asynccontextmanager
async def a_world(folder: Path, factory: Factory[ClientT]) -> AsyncIterator[World[ClientT]]:
    """A world with the bot that `factory` makes, started and with its commands registered."""
    env: simcord.Env
    async with contextlib.AsyncExitStack() as opened:
        work = Work()
        opened.enter_context(told_of_work(work.begins))
        client = await opened.enter_async_context(factory(folder, lambda: env.now().timestamp()))
        env = simcord.Env(client, settle_timeout=SETTLE_SECONDS)
        watch = Watch(env)
        with (
            mock.patch.object(
                env,
                "_settle_internal",
                functools.partial(patient(env._settle_internal, functools.partial(_worked_out, env, work)), idle=LOOK_SECONDS),
            ),
            mock.patch.object(env, "_schedule_timer", _only_when_time_passes),
            registered_once(),
            watch.watching(),
            structlog.testing.capture_logs([structlog.processors.format_exc_info]) as logs,
        ):
            await env.start()
            try:
                # The ids that follow, which are mixed into dice, do not depend on how many commands were registered.
                await env.advance_time(0.001)
                guild = a_guild(env, "Bounce Club")
                ann, ben, cleo = (a_member(env, guild, name) for name in ("Ann", "Ben", "Cleo"))
                channel = guild.create_text_channel("games")
                world = World(env, client, folder, watch, logs, guild, channel, ann, ben, cleo, factory, opened)
                await env.settle()
                yield world
            finally:
                await env.shutdown()
    env._raise_errors_since(env._errors_acknowledged)
    watch.finish()
    errors = [one for one in logs if one["log_level"] in ("error", "critical") and one["event"] not in world.expected_errors]
    assert not errors, "The bot logged errors:\n" + "\n".join(
        f"{one['event']}: {one}\n{one.get('exception', '')}" for one in errors
    )


async def _worked_out(env: simcord.Env, work: Work) -> None:
    """Wait until no thread works for the bot."""
    await work.over()
    while env._work.executors:
        await asyncio.wait(env._work.executors, return_when=asyncio.FIRST_COMPLETED)
        await work.over()


def patient(
    settle: Callable[..., Awaitable[None]], work: Callable[[], Awaitable[None]] | None = None
) -> Callable[..., Awaitable[None]]:
    """simcord's waiting, but never for less than SETTLE_SECONDS, and only once the threads are done.

    simcord gives a starting bot five seconds, and would look every LOOK_SECONDS whether threads are done.
    """

    async def settled(*env: simcord.Env, timeout: float | None = None, **how: Any) -> None:
        if work is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(work(), SETTLE_SECONDS)
        await settle(*env, timeout=None if timeout is None else max(timeout, SETTLE_SECONDS), **how)

    return settled


def _only_when_time_passes(*_: Any) -> None:
    """Replaces simcord's real-time timer beside each of the bot's timers."""


def a_member(env: simcord.Env, guild: GuildHandle, name: str) -> MemberActor:
    return guild.add_member(env.create_user(name.lower(), global_name=name))


def a_chief(world: World) -> MemberActor:
    role = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("chief", global_name="Chief"), roles=[role])


def a_guild(env: simcord.Env, name: str) -> GuildHandle:
    """A server that let the bot in by its invitation, with just the permissions that this asks for."""
    guild = env.create_guild(name)
    (granted,) = (role for role in env.backend.get_guild(guild.id).roles.values() if role.managed)
    env.backend.edit_role(guild.id, granted.id, {"permissions": PERMISSIONS.value})
    return guild
