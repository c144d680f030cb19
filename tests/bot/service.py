"""The service over a real database, with a clock that moves only when pushed, for tests without Discord."""

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
    """A clock that moves only when pushed, in seconds since 1970. It starts at noon UTC on a Monday in 2026."""

    now: float = 1_767_614_400.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Departed(Everybody):
    """An audience in which some people have left every server."""

    ids: frozenset[int] = frozenset()

    def former(self, guild_id: int) -> frozenset[int]:
        del guild_id
        return self.ids


def some(value: T | None) -> T:
    """The value, which has to be there."""
    assert value is not None
    return value


def made(moment: float) -> int:
    return (round(moment * 1000) - DISCORD_EPOCH) << EPOCH_BITS


def seeds() -> Iterator[bytes]:
    """Distinct seeds, the same in every run."""
    return (n.to_bytes(32, "big") for n in range(1, 1_000_000))


async def started(core: Core, request: TableRequest = BOUNCERS, *others: User) -> Snapshot:
    """A table that Ann opened and the others (by default Ben) joined. If alone, she pressed *Start*."""
    snapshot = await core.service(Lobby).open(ANN, request)
    if snapshot.table.wanted == 1:
        return await core.service(Lobby).start(snapshot.table.id, ANN, press(snapshot, ANN))
    for user in others or (BEN,):
        snapshot = await core.service(Lobby).join(snapshot.table.id, user, press(snapshot, user))
    return snapshot


async def begun(core: Core, request: TableRequest = BOUNCERS, *others: User) -> Snapshot:
    """Such a table at which everybody has acted, so that its game is rated."""
    return await all_have_acted(core, await started(core, request, *others))


async def all_have_acted(core: Core, snapshot: Snapshot) -> Snapshot:
    while set(range(snapshot.playing.seats)) - {logged.entry.seat for logged in snapshot.playing.log}:
        (seat, *_) = snapshot.playing.to_act
        user = User(snapshot.players[seat].user_id, snapshot.players[seat].name)
        action = next(iter(legal_actions(snapshot.playing.game, snapshot.playing.state, seat)))
        snapshot = (await core.service(Play).act(snapshot.table.id, user, action)).snapshot
    return snapshot


def press(snapshot: Snapshot, user: User) -> int:
    """The id of somebody's press to join a table, the same in every run."""
    return 1_000_000_000_000_000_000 + 1000 * snapshot.table.id + user.id


async def jobs(core: Core, table_id: int | None = None) -> list[Job]:
    """Everything Discord is still to be told, due or not."""
    async with core.store.read() as reader:
        found = await queries.jobs.due(reader, core.now() + 1000 * DAY)
    return [job for job in found if table_id is None or job.table_id == table_id]


async def owed(core: Core) -> list[tuple[int, str]]:
    """The same as table and kind."""
    return sorted((job.table_number, job.kind) for job in await jobs(core))


def first_action(snapshot: Snapshot) -> Action:
    history = snapshot.playing
    return next(iter(legal_actions(history.game, history.state, history.to_act[0])))
