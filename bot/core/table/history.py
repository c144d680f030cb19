"""A game rebuilt from its seed and its log, which are all that is stored of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from bot.core.table.block_list import Blocks
from bot.core.table.chain import next_link, start_link
from bot.runtime.cache import Cache
from engines.chance import Chance, Fair, Recorded
from engines.game import Action, Event, Game, Outcome, View, Words, action_words, deed, part_of
from engines.text import Text, say
from engines.values import latest
from opponents.reviewing import only_way
from storage.schema.records import Entry, EntryKind, Table


class BrokenLog(Exception):
    """Raised if the rules of a game reject its log. The only argument is the reason, as text for people."""


MOVES_TO_REPLAY: Final = 4
"""The fewest moves after which a game's replay is posted without anybody asking for it."""

LEAVING: Final = frozenset({"withdraw", "leave"})
"""The kinds of events with which games say that a player has left."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A log entry and its consequences.

    Attributes:
        notation: the action in the game's notation, or an empty string if the entry is not an action.
        state: the state of the game after the entry.
        to_act: the seats awaited after it, or none if the game is over.
        standing: the index in the log of the newest entry in force after it, or -1 if none is.
        undone: whether a later entry has taken it back.
        link: its computed link in the hash chain, or None if the game has no chain.
    """

    entry: Entry
    notation: str
    events: tuple[Event, ...]
    state: Any
    to_act: tuple[int, ...]
    standing: int
    undone: bool = False
    link: str | None = None


@latest
def public_view(game: Game[Any, Any], state: Any) -> View:
    """Return a spectator's view, about which a message has many questions."""
    view: View = game.view(state, None)
    return view


NO_ENTRIES: Final[Blocks[HistoryEntry]] = Blocks()


@dataclass(frozen=True, slots=True)
class History:
    """A game with its complete history.

    Attributes:
        seats: the number of seats that it started with.
        first: the state before the first entry.
        start: the first link of the log's hash chain, or None if the game has no chain.
        withdrawals: the indices in the log of the entries by which players left.
    """

    game: Game[Any, Any]
    seats: int
    first: Any
    log: Blocks[HistoryEntry] = NO_ENTRIES
    start: str | None = None
    withdrawals: tuple[int, ...] = ()

    @property
    def link(self) -> str | None:
        """The newest link of the hash chain, or None if the game has no chain."""
        last = self.log.last
        return self.start if last is None else last.link

    @property
    def version(self) -> int:
        """The number of entries in the log."""
        return len(self.log)

    @property
    def state(self) -> Any:
        """The current state."""
        last = self.log.last
        return self.first if last is None else last.state

    @property
    def to_act(self) -> tuple[int, ...]:
        """The awaited seats, or none if the game is over."""
        last = self.log.last
        return self.game.to_act(self.first) if last is None else last.to_act

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game according to its rules, or None if they have not ended it."""
        return None if self.to_act else self.game.outcome(self.state)

    @property
    def moved(self) -> tuple[int, Action] | None:
        """The seat that has just acted and its action, or None if the newest entry is not an action."""
        last = self.log.last
        return None if last is None or last.entry.kind is not EntryKind.PLAY else (last.entry.seat, last.entry.tokens)

    def awaited(self, version: int) -> tuple[int, ...]:
        """Return the seats awaited at a version."""
        return self.log[version - 1].to_act if version else self.game.to_act(self.first)

    @property
    def in_force(self) -> tuple[HistoryEntry, ...]:
        """The entries that still count, without those that were undone and without the undos themselves."""
        return tuple(logged for logged in self.log if not logged.undone and logged.entry.kind is not EntryKind.UNDO)

    def action_words(self, logged: HistoryEntry) -> Text:
        """Return an action of the log in words."""
        number = logged.entry.number
        before = self.log[number - 2].state if number > 1 else self.first
        return action_words(self.game, before, logged.entry.seat, logged.entry.tokens)

    @property
    def has_choices(self) -> bool:
        """Whether people have had any choice, so that there is something to review. The search ends at the first choice."""
        before = self.first
        for logged in self.in_force:
            played = logged.entry.kind is EntryKind.PLAY and logged.entry.user_id is not None
            if played and not only_way(self.game, before, logged.entry.seat):
                return True
            before = logged.state
        return False

    @property
    def worth_replaying(self) -> bool:
        """Whether enough moves are in force to post a replay without anybody asking. `/replay` shows any game."""
        moves = (index for index in newest(self.log) if self.log[index].entry.kind is EntryKind.PLAY)
        return sum(1 for _ in islice(moves, MOVES_TO_REPLAY)) == MOVES_TO_REPLAY

    @property
    def departed(self) -> frozenset[int]:
        """The seats whose players have left the game."""
        return frozenset(self.log[index].entry.seat for index in self.withdrawals if not self.log[index].undone)

    def view(self, seat: int | None) -> View:
        """Return the current view of a seat, or of a spectator if `seat` is None."""
        if seat is None:
            return public_view(self.game, self.state)
        view: View = self.game.view(self.state, seat)
        return view

    def at(self, version: int) -> "History":
        """Return the history as it was at an earlier version. Anything taken back since is in force again."""
        log, since = self.log.first(version), self.log[version:]
        undos = sum(logged.entry.kind is EntryKind.UNDO for logged in since)
        # Each of these has taken something back: one of the entries after that version, or one of those before it.
        restored = undos - sum(logged.undone for logged in since)
        for index in islice(newest(log), restored):
            log = log.with_one_else(index, replace(log[index], undone=False))
        return replace(self, log=log, withdrawals=tuple(index for index in self.withdrawals if index < version))

    def with_new_entry(self, entry: Entry) -> "History":
        """Return the history after a new entry, which gets its link in the hash chain. Raises BrokenLog."""
        link = None if self.link is None else next_link(self.link, entry)
        return self._with_link(replace(entry, link=link), link)

    def forward(self, seat: int, tokens: Action, kind: EntryKind = EntryKind.PLAY) -> "History":
        """Return the history after an imagined entry, which belongs to no table. Raises BrokenLog."""
        number = self.version + 1
        return self.with_new_entry(Entry(table_id=0, number=number, kind=kind, seat=seat, tokens=tokens, user_id=None, at=0.0))

    def with_entry(self, entry: Entry) -> "History":
        """Return the history after a stored entry. Raises BrokenLog if the rules reject it."""
        link = None if self.link is None else next_link(self.link, entry)
        # Usually both are equal, and one copy in memory is enough.
        return self._with_link(entry, entry.link if entry.link == link else link)

    def _with_link(self, entry: Entry, link: str | None) -> "History":
        if entry.number != self.version + 1:
            raise BrokenLog(say("entry {n} follows entry {before}", n=entry.number, before=self.version))
        if entry.kind is EntryKind.UNDO:
            return self._with_undo(entry, link)
        notation = ""
        try:
            if entry.kind is EntryKind.PLAY:
                notation = part_of(self.game, Words).notate(self.state, entry.seat, entry.tokens)
                step = self.game.play(self.state, entry.seat, entry.tokens)
                events = step.events
            else:
                step = self.game.withdraw(self.state, entry.seat)
                events = (withdrawal(entry), *step.events)
                if self.game.outcome(step.state) is not None:
                    # The first event already says who has left.
                    events = (events[0], *(event for event in step.events if event.kind not in LEAVING))
        except ValueError as error:
            raise BrokenLog(say("entry {n}: {reason}", n=entry.number, reason=error.args[0])) from error
        logged = HistoryEntry(entry, notation, events, step.state, self.game.to_act(step.state), self.version, link=link)
        gone = () if entry.kind is EntryKind.PLAY else (self.version,)
        return History(
            self.game, self.seats, self.first, self.log.with_one_more(logged), self.start, (*self.withdrawals, *gone)
        )

    def _with_undo(self, entry: Entry, link: str | None) -> "History":
        standing = newest(self.log)
        if (index := next(standing, None)) is None:
            raise BrokenLog(say("entry {n} takes back an action, but there is none", n=entry.number))
        under = next(standing, -1)
        before = self.log[under].state if under >= 0 else self.first
        taken = self.log[index]
        if taken.entry.kind is EntryKind.WITHDRAW:  # the seat is taken over
            event = deed("undo", taken.entry.seat, say("is back in the game"))
        else:
            event = deed("undo", entry.seat, say("takes back “{action}”", action=self.action_words(taken)))
        log = self.log.with_one_else(index, replace(taken, undone=True))
        logged = HistoryEntry(entry, "", (event,), before, self.game.to_act(before), under, link=link)
        return replace(self, log=log.with_one_more(logged))


def newest(log: Blocks[HistoryEntry]) -> Iterator[int]:
    """Yield the indices of the entries that are in force at the end of a log, newest first."""
    place = -1 if log.last is None else log.last.standing
    while place >= 0:
        yield place
        place = log[place - 1].standing if place else -1


def withdrawal(entry: Entry) -> Event:
    """Return the event of a log entry by which a player left the game, naming the cause."""
    cause = entry.tokens[0] if entry.tokens else "resigned"
    phrase = {"resigned": say("resigned"), "time": say("ran out of time"), "removed": say("was removed from the game")}[cause]
    return deed("withdraw", entry.seat, phrase, major=True)


def chance_of(table: Table, seats: int, *, recorded: bool = False) -> tuple[tuple[int, ...], Chance]:
    """Return the seating order, as indices of those who joined, and the random stream with which the game starts.

    The stream comes from the table's key or, at a table of version 0.1.0, from its seed. With ``order:shuffled``, the stream's
    first draws shuffle the players. If `recorded`, the stream remembers its draws. Raises BrokenLog if there is no seed.
    """
    key = table.seed if table.stream_key is None else table.stream_key
    if key is None:
        raise BrokenLog(say("the game has no seed"))
    chance: Chance = Recorded(Fair(key)) if recorded else Fair(key)
    order = tuple(range(seats))
    if table.options.get("order") == "shuffled":
        return chance.shuffle(order)
    return order, chance


def begin(game: Game[Any, Any], table: Table, seats: int, *, recorded: bool = False) -> History:
    """Return a game that has just started, with its draws if `recorded` (see `engines.chance.Recorded`). Raises BrokenLog."""
    _, chance = chance_of(table, seats, recorded=recorded)
    options = {name: value for name, value in table.options.items() if name in game.options}
    try:
        return History(game, seats, game.start(seats, table.variant, chance, **options), start=start_link(table, seats))
    except ValueError as error:
        raise BrokenLog(*error.args) from error


def rebuild(game: Game[Any, Any], table: Table, seats: int, entries: Sequence[Entry], *, recorded: bool = False) -> History:
    """Return a game replayed from its log. Raises BrokenLog if the rules reject an entry, or fail in the same way twice."""
    try:
        return _replay(game, table, seats, entries, recorded)
    except (BrokenLog, MemoryError):
        raise
    except Exception as error:
        try:
            return _replay(game, table, seats, entries, recorded)
        except Exception as again:
            if repr(again) != repr(error):
                raise
        raise BrokenLog(say("the rules fail: {error}", error=repr(error))) from error


def _replay(game: Game[Any, Any], table: Table, seats: int, entries: Sequence[Entry], recorded: bool) -> History:
    history = begin(game, table, seats, recorded=recorded)
    for entry in entries:
        history = history.with_entry(entry)
    return history


# --- the cache of rebuilt games -------------------------------------------------------------------------------------------

ENTRIES_AT_MOST: Final = 16_384
"""The most log entries of all cached games, enough for some hundred games. Each takes about 3 kB, and 0.1 ms to replay."""

HistoryCache = Cache[int, History]
"""The most recently used rebuilt games, by table number. Only games that were committed or have just been read belong in it."""


def history_cache(limit: int = ENTRIES_AT_MOST) -> HistoryCache:
    """Return an empty cache of games with at most `limit` log entries in all. The most recently used game always stays."""
    return Cache(limit, lambda game: 1 + game.version, at_least=1, replaces=lambda new, cached: new.version >= cached.version)
