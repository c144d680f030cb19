"""Parts: what features add to the life of a table, in the order of `bot.parts`, within the transaction of the change."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
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
"""A hook that takes part in a change of a table."""

BySeat: TypeAlias = Mapping[int, Plan]
"""The plans made at a table, by seat."""


class Occasion:
    """The reason for which a table was opened, where that changes the table's life. The base class changes nothing."""

    def is_of(self, table: Table) -> bool:
        """Whether a table was opened for this reason."""
        del table
        return True

    async def opening(self, change: "Change", request: "TableRequest") -> None:
        """Act before a new table is stored. Raises Refused if the table may not be opened."""

    async def shown(self, change: "Change") -> None:
        """Act when people first see the table."""

    async def started(self, change: "Change") -> None:
        """Act when the game begins."""

    async def left(self, change: "Change", user_id: int, *, declined: bool) -> bool:
        """Act when somebody has left an open table, or `declined` an invitation. Returns whether that closed the table."""
        del change, user_id, declined
        return False

    async def told_on_declining(self, core: "Core", guild_id: int, user_id: int) -> Text | None:
        """Return what somebody who has declined an invitation is told besides, or None."""
        del core, guild_id, user_id
        return None

    async def expired(self, change: "Change") -> None:
        """Act just before a table is closed because its game has not begun in time."""

    async def closed(self, change: "Change") -> None:
        """Act when a table was closed before its game began."""

    async def lapsed(self, change: "Change", seats: Sequence[int]) -> None:
        """Act when the players of some seats have missed a deadline."""

    async def ended(self, change: "Change") -> None:
        """Act when the game is over and all parts have acted."""


class Service:
    """Base of the services of a core, which makes each on first use: see `Core.service`."""

    def __init__(self, core: "Core") -> None:
        self._core = core


class Keeper(Service, ABC):
    """A feature's service with work due at certain times, such as the next round of a tournament."""

    @abstractmethod
    async def next_due(self) -> float | None:
        """Return when work is due next, in seconds since the epoch, or None if there is none."""

    @abstractmethod
    async def sweep(self) -> bool:
        """Do due work, or part of it, in transactions of its own. Returns whether more may be due."""

    async def move(self, writer: Writer, seconds: float, since: float, until: float, guild_id: int | None) -> None:
        """Put off due work, since nobody on a server (or anywhere, if `guild_id` is None) could act from `since` to `until`."""

    async def begin_anew(self, writer: Writer, now: float) -> None:
        """Restart every running period, because nobody knows how much of it has passed."""


class Answers(Protocol):
    """Plays the actions that players have planned as answers to others."""

    async def play(self, change: "Change", entry: Entry) -> None:
        """Append an entry to a game's log, followed by the planned answers to it."""

    def with_answers(self, history: History, plans: BySeat) -> tuple[History, BySeat]:
        """Return a game after the planned answers to its newest entry, and the remaining plans."""

    async def tidy(self, change: "Change", *, over: bool) -> None:
        """Before the table's row is written, drop plans that are pointless now that the game has moved on, or is `over`."""


class NoAnswers:
    """The answers of a bot without a feature for plans: nothing is ever planned."""

    async def play(self, change: "Change", entry: Entry) -> None:
        """Append an entry to a game's log."""
        await change.append(entry)

    def with_answers(self, history: History, plans: BySeat) -> tuple[History, BySeat]:
        """Return the game and the plans unchanged."""
        return history, plans

    async def tidy(self, change: "Change", *, over: bool) -> None:
        """Do nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """What a feature adds to the life of a table, within the transaction of each change.

    Attributes:
        occasion: the reason for which the feature has tables opened, if it does.
        keeper: the feature's service with work due at certain times.
        answers: plays the actions that players have planned. At most one feature has this.
        advanced: called when a game has moved on, before its board is shown.
        offered: called when something besides the board may be answered, such as an offer.
        forgotten: called with a person's id and the time, before everything known about that person is deleted.
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

    def occasion(self, table: Table) -> Occasion:
        """Return the reason for which a table was opened."""
        return next(occasion for occasion in self._occasions if occasion.is_of(table))

    def keepers(self, core: "Core") -> tuple[Keeper, ...]:
        """Return the services of all features that have work due at certain times."""
        return tuple(core.service(part.keeper) for part in self._parts if part.keeper is not None)

    async def started(self, change: "Change") -> None:
        """Tell all parts that a game has begun."""
        await _call((part.started for part in self._parts), change)

    async def advanced(self, change: "Change") -> None:
        """Tell all parts that a game has moved on."""
        await _call((part.advanced for part in self._parts), change)

    async def offered(self, change: "Change") -> None:
        """Tell all parts that something besides the board may be answered."""
        await _call((part.offered for part in self._parts), change)

    async def ended(self, change: "Change") -> None:
        """Tell all parts, and then the table's occasion, that a game is over."""
        await _call((part.ended for part in self._parts), change)
        await self.occasion(change.table).ended(change)

    async def forget(self, writer: Writer, user_id: int, now: float) -> None:
        """Tell all parts that a person is about to be forgotten."""
        for part in self._parts:
            if part.forgotten is not None:
                await part.forgotten(writer, user_id, now)


async def _call(hooks: Iterable[OnChange | None], change: "Change") -> None:
    for hook in hooks:
        if hook is not None:
            await hook(change)
