"""A game rebuilt from its seed and its log. The log is the truth; what is here can always be made again."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from engines.chance import Chance, Fair
from engines.game import Event, Game, Outcome, View
from engines.text import say, seat_name
from storage.records import Entry, EntryKind, Table


class BrokenLog(Exception):
    """A log that its game's rules do not accept. Its one argument says why, in words for people."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry of the log with what it led to.

    Attributes:
        entry: the entry.
        notation: the action as people write it; empty for entries that are no action.
        events: what happened.
        state: the state after it.
        undone: whether a later entry has taken it back.
    """

    entry: Entry
    notation: str
    events: tuple[Event, ...]
    state: Any
    undone: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """A game with its whole history.

    Attributes:
        game: the rules.
        seats: how many seats it started with.
        first: the state before the first entry.
        log: what happened since, one `HistoryEntry` per entry.
    """

    game: Game[Any, Any]
    seats: int
    first: Any
    log: tuple[HistoryEntry, ...] = ()

    @property
    def version(self) -> int:
        """How many entries the log has."""
        return len(self.log)

    @property
    def state(self) -> Any:
        """The state now."""
        return self.log[-1].state if self.log else self.first

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that are waited for."""
        return self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended the game, or None."""
        return self.game.outcome(self.state)

    @property
    def in_force(self) -> tuple[HistoryEntry, ...]:
        """The entries that still count: neither taken back nor taking back."""
        return tuple(logged for logged in self.log if not logged.undone and logged.entry.kind is not EntryKind.UNDO)

    def view(self, seat: int | None) -> View:
        """What a seat (None: a spectator) may know now."""
        view: View = self.game.view(self.state, seat)
        return view

    def events_since(self, version: int, seat: int | None) -> tuple[Event, ...]:
        """What happened after that version, as far as the seat may know."""
        return tuple(event for logged in self.log[version:] for event in logged.events if event.known_to(seat))

    def extended(self, entry: Entry) -> "History":
        """The history with one more entry. Raises BrokenLog if the rules do not accept it."""
        if entry.number != self.version + 1:
            raise BrokenLog(say("entry {n} follows entry {before}", n=entry.number, before=self.version))
        if entry.kind is EntryKind.UNDO:
            return self._undone(entry)
        notation = ""
        try:
            if entry.kind is EntryKind.PLAY:
                notation = self.game.notate(self.state, entry.seat, entry.tokens)
                step = self.game.play(self.state, entry.seat, entry.tokens)
                events = step.events
            else:
                step = self.game.withdraw(self.state, entry.seat)
                events = (_left(entry), *step.events)
        except ValueError as error:
            raise BrokenLog(say("entry {n}: {reason}", n=entry.number, reason=error.args[0])) from error
        return replace(self, log=(*self.log, HistoryEntry(entry, notation, events, step.state)))

    def _undone(self, entry: Entry) -> "History":
        index = next((i for i in reversed(range(self.version)) if self._counts(i)), None)
        if index is None:
            raise BrokenLog(say("entry {n} takes back an action, but there is none", n=entry.number))
        before = next((self.log[i].state for i in reversed(range(index)) if self._counts(i)), self.first)
        taken = self.log[index]
        event = Event("undo", entry.seat, say("{who} takes back {action}.", who=seat_name(entry.seat), action=taken.notation))
        log = (
            *self.log[:index],
            replace(taken, undone=True),
            *self.log[index + 1 :],
            HistoryEntry(entry, "", (event,), before),
        )
        return replace(self, log=log)

    def _counts(self, index: int) -> bool:
        logged = self.log[index]
        return not logged.undone and logged.entry.kind is not EntryKind.UNDO


def _left(entry: Entry) -> Event:
    cause = entry.tokens[0] if entry.tokens else "resigned"
    who = seat_name(entry.seat)
    text = {
        "resigned": say("{who} resigns.", who=who),
        "time": say("{who} has run out of time.", who=who),
        "removed": say("{who} was taken off the table.", who=who),
    }[cause]
    return Event("withdraw", entry.seat, text)


def chance_of(table: Table, seats: int) -> tuple[tuple[int, ...], Chance]:
    """The order in which those who joined are seated, and the stream that the game begins with.

    With the option ``order:shuffled`` the first draws of the table's stream shuffle the players.
    """
    if table.seed is None:
        raise BrokenLog(say("the game has no seed"))
    chance: Chance = Fair(table.seed)
    order = tuple(range(seats))
    if table.options.get("order") == "shuffled":
        return chance.shuffle(order)
    return order, chance


def begin(game: Game[Any, Any], table: Table, seats: int) -> History:
    """The history of a game that has just started. Raises BrokenLog if the table fits no game."""
    _, chance = chance_of(table, seats)
    options = {name: value for name, value in table.options.items() if name in game.options}
    try:
        return History(game, seats, game.start(seats, table.variant, chance, **options))
    except ValueError as error:
        raise BrokenLog(*error.args) from error


def rebuild(game: Game[Any, Any], table: Table, seats: int, entries: Iterable[Entry]) -> History:
    """The history of a game from its log. Raises BrokenLog where the rules do not accept it."""
    history = begin(game, table, seats)
    for entry in entries:
        history = history.extended(entry)
    return history
