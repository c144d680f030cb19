"""A simulated Discord with people in it, for all tests of the bot in Discord.

    async def test_a_table_can_be_opened(world):
        shown = await world.ann.slash(world.channel, "open", game="bouncers")
        await world.ben.click(reply(shown), label="Join")
        assert "Ben" in world.text(world.last())

Behind it is simcord: the real client and all of discord.py run, only Discord itself is simulated. `world` has the real
client over a real database in a temporary folder, three people, a channel, and a clock that stands still until it is
pushed. At the end of a test it fails if the bot raised anything that nobody looked at (`world.env.errors`), or did
something that real Discord would not have taken (tests/bot/watch.py; `world.watch.excused` for those who provoke it).

How simcord waits, and what that asks of the bot
- A verb (`slash`, `click`, …) returns when nothing of the bot can run any more: all its tasks are over or parked.
  Threads count: a task that waits for aiosqlite, for `asyncio.to_thread` or for an executor is waited for, in real time, up
  to SETTLE_SECONDS; so a verb returns after the database has committed and the picture is drawn and posted.
- Time stands still but for `pass_time`, which runs every timer of the bot at its moment: `asyncio.sleep`, `call_later`,
  time-outs, `discord.ext.tasks` loops. (By itself simcord would also let them run after as much real time; the kit does
  without, so that a slow machine gives the same result as a fast one.) A handler that sleeps is not waited for: push
  the time.
- A background task must be parked when it has nothing to do: in `asyncio.sleep` (alone or inside `asyncio.wait`, `gather`
  or a task group), between two rounds of a `discord.ext.tasks` loop, in `Client.wait_for`, or not there at all, with a
  `call_later` that starts it. One that waits on an `asyncio.Event`, a `Queue`, or in `wait_for(event.wait(), timeout)`
  counts as busy, and every verb fails after SETTLE_SECONDS with "bot did not settle".
- `time.monotonic()` in the bot's tasks follows the simulated clock; `time.time()` does not, which is why the bot takes its
  time from the function that it is given.
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
"""Makes a client over the data in a folder, with a clock; closes what it opened at the end of the block."""

SETTLE_SECONDS = 120.0
"""How long a verb waits for the bot. It is a bot that hangs that is to be found by it, not a machine that is slow or busy."""
STEP_SECONDS = 6 * 3600.0
"""How far the clock is pushed at once. simcord's time limit is per push, so a long way is gone in steps."""
LOOK_SECONDS = 0.002
"""How often simcord looks whether a thread has brought a background task on."""


@dataclass(frozen=True)
class Button:
    """A button as people see it."""

    label: str
    custom_id: str | None
    disabled: bool
    style: discord.ButtonStyle
    url: str | None = None


@dataclass(frozen=True)
class Select:
    """A select menu as people see it: what it says while empty, and its options from label to value."""

    custom_id: str
    placeholder: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Picture:
    """A picture in a message: the words for those who do not see it, and the file."""

    alt: str
    png: bytes

    @property
    def image(self) -> Image.Image:
        """The decoded picture."""
        return Image.open(io.BytesIO(self.png))

    @property
    def frames(self) -> int:
        """How many pictures follow one another in it: more than one in an animation."""
        return len(list(ImageSequence.Iterator(self.image)))


@dataclass
class World(Generic[ClientT]):
    """One server with people, a channel and the bot: Springboard, where no other client is named.

    Attributes:
        env: simcord's environment, for everything that is not offered here.
        folder: where the bot keeps its database.
        client: the client that is running now; another one after `restart`.
        watch: every call to Discord, and what Discord would have refused.
        logs: what the bot logged. Whatever it logs as an error fails the test, unless its event is in `expected_errors`:
            the bot answers people kindly when something unforeseen goes wrong, and a test shall still see it.
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

    # ------------------------------------------------------------------ time

    def now(self) -> float:
        """The simulated time, in seconds since 1970."""
        return self.env.now().timestamp()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass: timers of the bot run when their moment comes, and this returns when all is quiet again."""
        while seconds > 0:
            step = min(seconds, STEP_SECONDS)
            await self.env.advance_time(step)
            seconds -= step

    async def settle(self) -> None:
        """Wait until the bot has nothing left to do."""
        await self.env.settle()

    async def restart(self) -> None:
        """Stop the bot and start a new one over the same database. Discord keeps everything that was posted."""
        await self.settle()
        with self.env._bot_scope():
            await self.client.close()
        await self._open.aclose()
        self.client = await self._open.enter_async_context(self._factory(self.folder, self.now))
        await self.env.restart_bot(self.client)

    # ---------------------------------------------------------------- people

    def join(self, name: str) -> MemberActor:
        """Somebody new comes to the server."""
        return a_member(self.env, self.guild, name)

    @contextlib.asynccontextmanager
    async def at_once(self) -> AsyncIterator[None]:
        """What people do in the block reaches the bot in the same instant: it can react only after all of it.

        The verbs return at once, so what they return is worth looking at only after the block.
        """

        async def later(*_: Any, **__: Any) -> None:
            pass

        with mock.patch.object(self.env, "_settle_internal", later):
            yield
        await self.settle()

    async def repeat_last_interaction(self) -> None:
        """Discord delivers the newest command or click once more, with the same id, as it may after a lost connection."""
        payload = next(
            payload
            for kind, name, payload in reversed(self.env.backend.transcript)
            if kind == "GATEWAY" and name == "INTERACTION_CREATE"
        )
        self.env.backend.emit("INTERACTION_CREATE", payload)
        await self.settle()

    # ---------------------------------------------------------- what is seen

    def messages(self, channel: ChannelHandle | None = None, *, viewer: MemberActor | None = None) -> list[discord.Message]:
        """The messages of a channel (without one: of #games), oldest first. Private ones only with their viewer."""
        return (channel or self.channel).history(viewer=viewer)

    def last(self, channel: ChannelHandle | None = None, *, viewer: MemberActor | None = None) -> discord.Message:
        """The newest message of a channel."""
        return self.messages(channel, viewer=viewer)[-1]

    def direct_messages(self, member: MemberActor) -> list[str]:
        """The texts of the messages that the bot has sent directly to a person, oldest first."""
        return [self.text(message) for message in member.user.dm_channel.history()]

    def text(self, message: Message | InteractionResult) -> str:
        """All text of a message, part by part on lines of their own."""
        return "\n".join(texts(message))

    def pictures(self, message: Message | InteractionResult) -> list[Picture]:
        """The pictures of a message, in order."""
        found = []
        for item in _components(message):
            shown = item.get("items", []) if item.get("type") == GALLERY else [item] if item.get("type") == THUMBNAIL else []
            for one in shown:
                png = self.env.backend.cdn.get(one["media"]["url"])
                assert png is not None, f"no file behind {one['media']['url']}"
                found.append(Picture(one.get("description") or "", png))
        return found

    def picture(self, message: Message | InteractionResult) -> Picture:
        """The one picture of a message."""
        (picture,) = self.pictures(message)
        return picture

    def pinged(self, message: Message) -> set[int]:
        """The ids of those whom the message made a noise for. Editing a message never does."""
        channel_id = message.channel_id if isinstance(message, ResponseMessage) else message.channel.id
        return set(self.env.backend.get_message(channel_id, message.id).ping_user_ids)


def texts(message: Message | InteractionResult) -> list[str]:
    """The texts of a message in order: its content, and every text among its components."""
    message = _shown(message)
    parts = [message.content] if message.content else []
    return parts + [item["content"] for item in _components(message) if item.get("type") == TEXT]


def buttons(message: Message | InteractionResult) -> list[Button]:
    """The buttons of a message, in order."""
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


def button(message: Message | InteractionResult, label: str) -> Button:
    """The one button with this label."""
    found = [one for one in buttons(message) if one.label == label]
    assert len(found) == 1, f"{len(found)} buttons are called {label!r}; there are {[one.label for one in buttons(message)]}"
    return found[0]


def selects(message: Message | InteractionResult) -> list[Select]:
    """The select menus of a message, in order."""
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
    """The one select menu of a message."""
    found = selects(message)
    assert len(found) == 1, f"there are {len(found)} select menus"
    return found[0]


def reply(result: InteractionResult) -> ResponseMessage:
    """The message that answered a command or a click."""
    assert result.response is not None, f"nothing was answered: {result!r}"
    return result.response


def _shown(message: Message | InteractionResult) -> Message:
    """Of an interaction, the message that answered it: the newest follow-up, or else the answer itself."""
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
"""The commands as they are registered, by what that depends on: putting them into every language is half of a bot's start."""


def _once(translate: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def found(command: Any, tree: Any, translator: Any) -> Any:
        key = (command, type(translator), *languages().values())
        if key not in _REGISTERED:
            _REGISTERED[key] = await translate(command, tree, translator)
        return _REGISTERED[key]

    return found


@contextlib.contextmanager
def registered_once() -> Iterator[None]:
    """In this block discord.py translates a command once for all bots, as long as the languages stay the same."""
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
    """Wait until no thread has anything to do for the bot."""
    await work.over()
    while env._work.executors:
        await asyncio.wait(env._work.executors, return_when=asyncio.FIRST_COMPLETED)
        await work.over()


def patient(
    settle: Callable[..., Awaitable[None]], work: Callable[[], Awaitable[None]] | None = None
) -> Callable[..., Awaitable[None]]:
    """Return simcord's waiting, with two differences.

    It never waits for less than SETTLE_SECONDS: a bot that starts is given five by itself. And it begins when the work of
    threads is over, or it would look every LOOK_SECONDS whether it is.
    """

    async def settled(*env: simcord.Env, timeout: float | None = None, **how: Any) -> None:
        if work is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(work(), SETTLE_SECONDS)
        await settle(*env, timeout=None if timeout is None else max(timeout, SETTLE_SECONDS), **how)

    return settled


def _only_when_time_passes(*_: Any) -> None:
    """In the place of simcord's timer in real time beside each timer of the bot."""


def a_member(env: simcord.Env, guild: GuildHandle, name: str) -> MemberActor:
    """Somebody new on a server."""
    return guild.add_member(env.create_user(name.lower(), global_name=name))


def a_chief(world: World) -> MemberActor:
    """Somebody who may manage the server."""
    role = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("chief", global_name="Chief"), roles=[role])


def a_guild(env: simcord.Env, name: str) -> GuildHandle:
    """A server which let the bot in by its invitation, so that it may do there what that asks for and no more."""
    guild = env.create_guild(name)
    (granted,) = (role for role in env.backend.get_guild(guild.id).roles.values() if role.managed)
    env.backend.edit_role(guild.id, granted.id, {"permissions": PERMISSIONS.value})
    return guild
