"""The request for a tournament, and a view of a tournament as it is now."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from bot.core.table.errors import Refused
from bot.core.table.request import options_of
from bot.core.table.settings import DAY
from bot.features.tournaments import sql
from bot.features.tournaments.change import tournament_of
from bot.features.tournaments.rules.formats import FORMATS, Format, System
from bot.features.tournaments.rules.standings import Standing
from bot.features.tournaments.rules.tournament import Tournament
from engines.game import Game
from engines.text import say
from storage.schema.kinds import TournamentStatus
from storage.schema.tournament_records import StoredTournament, TournamentEntry

ROUND: Final = (3600, int(30 * DAY))
"""The fewest and the most seconds that a round can last."""

LONGEST: Final = 90 * DAY
"""The most seconds between now and the end of a round that is postponed."""


@dataclass(frozen=True, slots=True)
class TournamentRequest:
    """What a tournament is to be like.

    `most` is the most players, where None stands for as many as the format allows. A round lasts at most `round_seconds`.
    People with more than `most_late` percent of time-outs may not enter. Each game has a thread of its own if `threaded`.
    """

    guild_id: int
    channel_id: int
    name: str
    game: str
    format: str
    variant: str | None = None
    most: int | None = None
    clock: int = int(DAY)
    round_seconds: int = int(7 * DAY)
    starts_in: float = 2 * DAY
    rated: bool = True
    most_late: int | None = None
    threaded: bool = False
    options: Mapping[str, str] = field(default_factory=dict)


def options_at_all_tables(game: Game[Any, Any], variant: str, system: System, given: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a tournament's tables in normal form. Raises Refused if some table can't have them."""
    if "order" in given:
        raise Refused(say("Events don’t have an option for the order: everybody gets each seat about equally often."))
    found: dict[str, str] = {}
    for seats in range(system.smallest, system.largest + 1):
        found = options_of(game, variant, seats, given)
    return found


@dataclass(frozen=True)
class TournamentView:
    """A tournament as it is now.

    Attributes:
        everybody: its entries by number, including those of people who were removed.
        event: the tournament as its rules see it, or None before it has started or if its rows are damaged.
        former: the ids of people who are known to have left the server.
        table: the standings. None while the tournament is being changed, when they are shown to nobody.
    """

    row: StoredTournament
    everybody: tuple[TournamentEntry, ...]
    event: Tournament | None
    former: Collection[int] = ()
    table: tuple[Standing, ...] | None = None

    @property
    def is_on(self) -> bool:
        """Whether the tournament is neither over nor cancelled."""
        return self.row.status in sql.ON

    @cached_property
    def entries(self) -> tuple[TournamentEntry, ...]:
        """The entries, without those of people who were removed before the start."""
        return tuple(entry for entry in self.everybody if entry.seed or not entry.removed)

    @property
    def format(self) -> Format:
        """The tournament's format."""
        return FORMATS[self.row.format]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The tournament's table, which is empty before the start."""
        if self.event is None:
            return ()
        assert self.table is not None, "the view was made to be shown"
        return self.table

    def entry_of(self, user_id: int) -> TournamentEntry | None:
        """Return a person's entry, even if the person was removed, or None if they have none."""
        return next((entry for entry in self.everybody if entry.user_id == user_id), None)

    @cached_property
    def _names(self) -> Mapping[int, str]:
        return {entry.number: entry.name for entry in self.everybody}

    def name_of(self, number: int) -> str:
        """Return the name of the player with this entry number."""
        return self._names.get(number, "?")

    @cached_property
    def _left_server(self) -> frozenset[int]:
        """The numbers of the entries whose players have left the server. Empty once the tournament is over or cancelled."""
        return frozenset(entry.number for entry in self.entries if self.is_on and entry.user_id in self.former)

    def has_left_server(self, number: int) -> bool:
        """Whether the player with this entry number has left the server. False once the tournament is over or cancelled."""
        return number in self._left_server

    @property
    def checked_in(self) -> tuple[TournamentEntry, ...]:
        """The entries of those who have checked in."""
        return tuple(entry for entry in self.entries if entry.press is not None)

    @property
    def can_hurry(self) -> bool:
        """Whether the check-in can begin now, or the tournament can start now with those who have checked in."""
        if self.row.paused_at is not None:
            return False
        enough = len(self.checked_in) >= self.format.fewest
        return self.row.status is TournamentStatus.OPEN or (self.row.status is TournamentStatus.CHECK_IN and enough)

    def can_prolong(self, seconds: float, now: float) -> bool:
        """Whether the end of the round can be postponed by this many `seconds`, as of `now`, in seconds since the epoch."""
        row = self.row
        if row.status is not TournamentStatus.RUNNING or row.ends_at is None:
            return False
        by_now = now if row.paused_at is None else row.paused_at  # the length of a pause is added later
        return 0 < seconds <= ROUND[1] and max(row.ends_at, by_now) + seconds - by_now <= LONGEST

    @property
    def can_pair(self) -> bool:
        """Whether there is a next round whose games can be picked by hand."""
        event = self.event
        if self.row.status is not TournamentStatus.RUNNING or event is None or not event.format.system.by_hand:
            return False
        return len(event.rounds) < event.length and event.format.system.can_pair(len(event.active))

    @property
    def can_enter(self) -> bool:
        """Whether one more player may enter now."""
        if self.row.status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN}:
            return len(self.entries) < self.row.most
        if self.row.status is not TournamentStatus.RUNNING or self.event is None or len(self.event.players) >= self.row.most:
            return False
        return self.format.admits(len(self.event.players), self.event.part_over or Fraction(1, 1000))


def view_of(row: StoredTournament, entries: Sequence[TournamentEntry], former: Collection[int] = ()) -> TournamentView:
    """Return a tournament as its rows describe it. `former` holds the ids of people who are known to have left the server."""
    event = None
    if row.rounds:
        try:
            event = tournament_of(row, entries)
        except ValueError:  # a damaged row
            event = None
    return TournamentView(row, tuple(entries), event, former)
