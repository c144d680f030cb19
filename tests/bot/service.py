"""The service over a real database with a clock that stands still until it is pushed, for tests without Discord."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.sessions import Glance, Opening, Sessions, User
from engines.game import Action
from storage.records import Errand

ANN, BEN, CLEO, DEV = User(1, "Ann"), User(2, "Ben"), User(3, "Cleo"), User(4, "Dev")
PEOPLE = {user.id: user for user in (ANN, BEN, CLEO, DEV)}
BOUNCERS = Opening(guild_id=10, channel_id=20, game="bouncers")
HOUR = 3600.0
DAY = 24 * HOUR


@dataclass
class Time:
    """A clock that stands still until it is pushed. Seconds since 1970; it begins on a Monday noon in 2026, UTC."""

    now: float = 1_767_614_400.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def seeds() -> Iterator[bytes]:
    """Seeds that are all different, and the same in every run."""
    return (n.to_bytes(32, "big") for n in range(1, 1_000_000))


async def started(sessions: Sessions, opening: Opening = BOUNCERS, *others: User) -> Glance:
    """A table that Ann has opened and the others (Ben, unless others are named) have joined."""
    glance = await sessions.lobby.open(ANN, opening)
    for user in others or (BEN,):
        glance = await sessions.lobby.join(glance.table.id, user)
    return glance


async def errands(sessions: Sessions, table_id: int | None = None) -> list[Errand]:
    """Everything that Discord has still to be told, also what is not due yet."""
    async with sessions.desk.store.read() as reader:
        found = await reader.errands(sessions.desk.now() + 1000 * DAY)
    return [errand for errand in found if table_id is None or errand.table_id == table_id]


def first_action(glance: Glance) -> Action:
    """Some legal action of the player who is to act."""
    record = glance.playing
    return next(iter(record.game.legal_actions(record.state, record.to_act[0])))
