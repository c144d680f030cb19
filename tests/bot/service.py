"""The service over a real database with a clock that stands still until it is pushed, for tests without Discord."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.audience import Everybody
from bot.core.table.chain import DISCORD_EPOCH, EPOCH_BITS
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from engines.game import Action, legal_actions
from storage import queries
from storage.schema.records import Job

ANN, BEN, CLEO, DEV = User(1, "Ann"), User(2, "Ben"), User(3, "Cleo"), User(4, "Dev")
PEOPLE = {user.id: user for user in (ANN, BEN, CLEO, DEV)}
BOUNCERS = TableRequest(guild_id=10, channel_id=20, game="bouncers")
HOUR = 3600.0
DAY = 24 * HOUR
T = TypeVar("T")


@dataclass
class Time:
    """A clock that stands still until it is pushed. Seconds since 1970; it begins on a Monday noon in 2026, UTC."""

    now: float = 1_767_614_400.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


@dataclass
class Departed(Everybody):
    """An audience of which some have left every server."""

    ids: frozenset[int] = frozenset()

    def former(self, guild_id: int) -> frozenset[int]:
        """Return who has left."""
        del guild_id
        return self.ids


def some(value: T | None) -> T:
    """The value, which has to be there."""
    assert value is not None
    return value


def made(moment: float) -> int:
    """The id of something that Discord has made at a moment."""
    return (round(moment * 1000) - DISCORD_EPOCH) << EPOCH_BITS


def seeds() -> Iterator[bytes]:
    """Seeds that are all different, and the same in every run."""
    return (n.to_bytes(32, "big") for n in range(1, 1_000_000))


async def started(core: Core, request: TableRequest = BOUNCERS, *others: User) -> Snapshot:
    """A table that Ann has opened and the others (Ben, unless others are named) have joined. Alone, she has pressed *Start*."""
    snapshot = await core.service(Lobby).open(ANN, request)
    if snapshot.table.wanted == 1:
        return await core.service(Lobby).start(snapshot.table.id, ANN, press(snapshot, ANN))
    for user in others or (BEN,):
        snapshot = await core.service(Lobby).join(snapshot.table.id, user, press(snapshot, user))
    return snapshot


async def begun(core: Core, request: TableRequest = BOUNCERS, *others: User) -> Snapshot:
    """Such a table at which everybody has acted, so that its game counts for the ratings."""
    return await all_have_acted(core, await started(core, request, *others))


async def all_have_acted(core: Core, snapshot: Snapshot) -> Snapshot:
    """The table once everybody has acted, as far as that takes."""
    while set(range(snapshot.playing.seats)) - {logged.entry.seat for logged in snapshot.playing.log}:
        (seat, *_) = snapshot.playing.to_act
        user = User(snapshot.players[seat].user_id, snapshot.players[seat].name)
        action = next(iter(legal_actions(snapshot.playing.game, snapshot.playing.state, seat)))
        snapshot = (await core.service(Play).act(snapshot.table.id, user, action)).snapshot
    return snapshot


def press(snapshot: Snapshot, user: User) -> int:
    """The id of an interaction: that of the press with which somebody sits down at a table, the same in every run."""
    return 1_000_000_000_000_000_000 + 1000 * snapshot.table.id + user.id


async def jobs(core: Core, table_id: int | None = None) -> list[Job]:
    """Everything that Discord has still to be told, also what is not due yet."""
    async with core.store.read() as reader:
        found = await queries.jobs.due(reader, core.now() + 1000 * DAY)
    return [job for job in found if table_id is None or job.table_id == table_id]


async def owed(core: Core) -> list[tuple[int, str]]:
    """What Discord has still to be told: table and kind."""
    return sorted((job.table_number, job.kind) for job in await jobs(core))


def first_action(snapshot: Snapshot) -> Action:
    """Some legal action of the player who is to act."""
    history = snapshot.playing
    return next(iter(legal_actions(history.game, history.state, history.to_act[0])))
