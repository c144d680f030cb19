"""Parts: what features add to the life of a table. The core knows them by these, and none by its name.

The parts act in the order in which `bot.parts` lists them, each within the transaction of the change.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from bot.core.table.history import History
from engines.text import Text
from storage.schema.records import Entry, Plan, Table
from storage.store import Writer

if TYPE_CHECKING:
    from bot.core.change import Change
    from bot.core.core import Core
    from bot.core.table.request import TableRequest

OnChange: TypeAlias = Callable[["Change"], Awaitable[None]]
"""Takes part in the change of a table."""

BySeat: TypeAlias = Mapping[int, Plan]
"""What is planned ahead at a table, by the seats."""


class Occasion:
    """Why a table was opened, where that changes its life. At a table of the base class nothing is different."""

    def is_of(self, table: Table) -> bool:
        """Whether a table was opened for it."""
        del table
        return True

    async def opening(self, change: "Change", request: "TableRequest") -> None:
        """Take part when a table is opened that is not stored yet. Raises Refused if it may not be."""

    async def shown(self, change: "Change") -> None:
        """Take part when people see the table for the first time."""

    async def started(self, change: "Change") -> None:
        """Take part when the game begins."""

    async def left(self, change: "Change", user_id: int, *, declined: bool) -> bool:
        """Take part when somebody has left an open table, or has `declined` its invitation. Returns whether that closed it."""
        del change, user_id, declined
        return False

    async def told_on_declining(self, core: "Core", guild_id: int, user_id: int) -> Text | None:
        """Return what somebody is told who has declined an invitation; None: nothing more than that."""
        del core, guild_id, user_id
        return None

    async def expired(self, change: "Change") -> None:
        """Take part when a table is closed because its game has not begun in time, just before it is."""

    async def closed(self, change: "Change") -> None:
        """Take part when a table was closed before its game."""

    async def lapsed(self, change: "Change", seats: Sequence[int]) -> None:
        """Take part when the players of some seats have missed a deadline."""

    async def ended(self, change: "Change") -> None:
        """Take part when the game is over, after all parts."""


class Keeper:
    """The service of a feature that has something to do at certain times, such as beginning the next round of an event.

    One that only sweeps has nothing to do after an outage.
    """

    async def next_due(self) -> float | None:
        """Return when something is due next, in seconds since the epoch, or None if nothing is."""
        raise NotImplementedError

    async def sweep(self) -> bool:
        """Do what is due, or a part of it, in transactions of its own. Returns whether there may be more."""
        raise NotImplementedError

    async def move(self, writer: Writer, seconds: float, since: float, until: float, guild_id: int | None) -> None:
        """Put off what is due by some seconds, since nobody could act from `since` to `until`.

        That was on one server, or everywhere if `guild_id` is None.
        """

    async def begin_anew(self, writer: Writer, now: float) -> None:
        """Start every running period of time anew, because nobody knows how much of it has passed."""


class Answers(Protocol):
    """Plays the answers that players have planned ahead."""

    async def play(self, change: "Change", entry: Entry) -> None:
        """Append an entry to the log of a game, and then the planned answers to it."""

    def with_answers(self, history: History, plans: BySeat) -> tuple[History, BySeat]:
        """Return a game after the planned answers to its newest entry, and what is left of the plans."""

    async def tidy(self, change: "Change", *, over: bool) -> None:
        """Drop what has become pointless in a game that has moved on, or is `over`, before its row is written."""


class NoAnswers:
    """Nothing is planned ahead."""

    async def play(self, change: "Change", entry: Entry) -> None:
        """Append an entry to the log of a game."""
        await change.append(entry)

    def with_answers(self, history: History, plans: BySeat) -> tuple[History, BySeat]:
        """Return a game and plans as they are."""
        return history, plans

    async def tidy(self, change: "Change", *, over: bool) -> None:
        """Do nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """What a feature adds to the life of a table, inside the transaction of each change.

    Attributes:
        name: the name of the feature.
        occasion: why it has tables opened, if it does.
        keeper: its service that has something to do at certain times.
        answers: plays the answers that players have planned ahead. At most one feature has this.
        started: called when a game has begun.
        advanced: called when a game has moved on, and its board is to be shown.
        offered: called when something other than the board has changed that may be answered, such as an offer.
        ended: called when a game is over.
        forgotten: called with a person's id, and the time, before everything known about them is deleted.
    """

    name: str
    occasion: Occasion | None = None
    keeper: "Callable[[Core], Keeper] | None" = None
    answers: Answers | None = None
    started: OnChange | None = None
    advanced: OnChange | None = None
    offered: OnChange | None = None
    ended: OnChange | None = None
    forgotten: Callable[[Writer, int, float], Awaitable[None]] | None = None


class Parts:
    """All parts, in the order in which they act."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = tuple(parts)
        self._occasions = (*(part.occasion for part in parts if part.occasion is not None), Occasion())
        self.answers: Answers = next((part.answers for part in parts if part.answers is not None), NoAnswers())
        """Plays the answers that players have planned ahead."""

    def occasion(self, table: Table) -> Occasion:
        """Why a table was opened."""
        return next(occasion for occasion in self._occasions if occasion.is_of(table))

    def keepers(self, core: "Core") -> tuple[Keeper, ...]:
        """The services of all features that have something to do at certain times."""
        return tuple(core.service(part.keeper) for part in self._parts if part.keeper is not None)

    async def started(self, change: "Change") -> None:
        """Tell all parts that a game has begun."""
        for part in self._parts:
            if part.started is not None:
                await part.started(change)

    async def advanced(self, change: "Change") -> None:
        """Tell all parts that a game has moved on."""
        for part in self._parts:
            if part.advanced is not None:
                await part.advanced(change)

    async def offered(self, change: "Change") -> None:
        """Tell all parts that something may be answered that is not on the board."""
        for part in self._parts:
            if part.offered is not None:
                await part.offered(change)

    async def ended(self, change: "Change") -> None:
        """Tell all parts, and then the occasion of the table, that a game is over."""
        for part in self._parts:
            if part.ended is not None:
                await part.ended(change)
        await self.occasion(change.table).ended(change)

    async def forget(self, writer: Writer, user_id: int, now: float) -> None:
        """Tell all parts that a person is about to be forgotten."""
        for part in self._parts:
            if part.forgotten is not None:
                await part.forgotten(writer, user_id, now)
