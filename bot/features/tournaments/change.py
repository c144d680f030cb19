"""A tournament being changed: its rows converted to values of `rules` and back, and the effects of its games and deadlines."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import structlog

from bot.core.change import Change
from bot.core.core import Core, Work
from bot.core.parts import Occasion
from bot.core.table.errors import Refused
from bot.core.table.players import left_seats, order_of_finish, without_result
from bot.core.table.snapshot import Snapshot
from bot.features.tournaments import sql
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.rounds import Ending, Round, RoundGame
from bot.features.tournaments.rules.tournament import Entry, Tournament
from engines import GAMES
from engines.game import Game
from engines.text import say
from storage import queries
from storage.schema.kinds import TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.records import Job, JobKind, Table
from storage.schema.structures import TournamentAct, TournamentGame, TournamentRound
from storage.schema.tournament_records import StoredTournament, TournamentEntry
from storage.store import Writer

LAPSES_AT_MOST: Final = 2
"""The number of missed deadlines after which a player is withdrawn."""

MANY: Final = 1000
"""More missed deadlines than a player can have. Only a damaged number is greater."""

ABSENT_FOR: Final = 86400.0
"""Deadlines missed within this many seconds of each other count as one, because a person may be away for a day."""

OPEN_AT_ONCE: Final = 3
"""How many games a player has at a time in a tournament whose rounds all begin together."""

ACTS_KEPT: Final = 200
"""How many of the latest acts a tournament's log keeps."""

EDITED_AFTER: Final = 5.0
"""Seconds from an entry or a game's end to the edit of the tournament's message, so that several changes share an edit."""

log = structlog.get_logger(__name__)


class TournamentChange:
    """A tournament being changed in a transaction. It has the row, and the entries by number, as changed so far."""

    __slots__ = ("_before", "_row_before", "core", "entries", "now", "row", "writer")

    def __init__(self, core: Core, writer: Writer, row: StoredTournament, entries: Sequence[TournamentEntry]) -> None:
        self.core = core
        self.writer = writer
        self.row = row
        self.entries = {entry.number: entry for entry in entries}
        self.now = core.now()
        self._before = dict(self.entries)
        self._row_before = row

    @property
    def event(self) -> Tournament:
        """The tournament as its rules see it, once it has started."""
        return tournament_of(self.row, tuple(self.entries.values()))

    def take(self, event: Tournament) -> None:
        """Take over the tournament as its rules have changed it."""
        self.row = replace(self.row, rounds=_rows_of(event.rounds, self.row.rounds))
        for entry in event.entries:
            self.put_entry(replace(self.entries[entry.player], missed=entry.missed, has_left=entry.has_left))

    def put_entry(self, entry: TournamentEntry) -> None:
        """Replace an entry."""
        self.entries[entry.number] = entry

    def entry_of(self, user_id: int) -> TournamentEntry | None:
        """Return a person's entry, even if the person was removed, or None if they have none."""
        return next((entry for entry in self.entries.values() if entry.user_id == user_id), None)

    def users_of(self, numbers: Sequence[int]) -> list[int]:
        """Return the user ids of those who play for these entries."""
        return [self.entries[number].user_id for number in numbers]

    def note(
        self, deed: TournamentDeed, by: TournamentActor, entry: int | None = None, place: tuple[int, int] | None = None
    ) -> None:
        """Record in the tournament's log what was done. `place` holds the numbers of the round and of the game."""
        where, which = (None, None) if place is None else place
        act = TournamentAct(at=self.now, deed=deed, by=by, entry=entry, round=where, game=which)
        self.row = replace(self.row, acts=(*self.row.acts, act)[-ACTS_KEPT:])

    def settle(self, place: tuple[int, int], game: RoundGame) -> None:
        """Replace a game of the tournament, and have the tournament checked, since the round may be over."""
        self.take(self.event.settle(*place, game))
        self.look_soon()

    def withdraw(self, number: int, by: TournamentActor) -> None:
        """Withdraw a player, who loses their open two-player games."""
        self.take(self.event.withdraw(number))
        self.note(TournamentDeed.WITHDREW, by, number)
        self.look_soon()

    def look_soon(self) -> None:
        """Have the tournament checked as soon as possible, unless it is paused or over."""
        if self.row.status in sql.ON and self.row.paused_at is None:
            self.row = replace(self.row, due=self.now)

    async def owe_call(self, number: int) -> None:
        """Have the players notified. Number 1 is the call for the check-in, and 2 and above are the calls for the rounds."""
        await self._owe(JobKind.EVENT_CALL, f"{self.row.id}-{number}", number=number)

    async def owe_question(self, entry: TournamentEntry) -> None:
        """Have the invited person asked whether they take over from a player."""
        key = f"{self.row.id}-{entry.number}-{entry.asked_id}"
        await self._owe(JobKind.EVENT_ASK, key, entry=entry.number, to=entry.asked_id)

    async def owe_farewell(self, entry: TournamentEntry) -> None:
        """Have a player told by direct message that the tournament goes on without them."""
        if entry.user_id > 0:
            place = f"person {entry.user_id}"
            await self._owe(JobKind.EVENT_LEFT, f"{self.row.id}-{entry.number}", place=place, to=entry.user_id)

    async def owe_unseen(self, number: int) -> None:
        """Have the organiser told by direct message who could not see the call with this number."""
        if self.row.organiser_id > 0:
            to = self.row.organiser_id
            await self._owe(JobKind.EVENT_UNSEEN, f"{self.row.id}-{number}", place=f"person {to}", to=to)

    async def _owe(self, kind: JobKind, key: str, *, place: str | None = None, **payload: Any) -> None:
        job = Job(
            kind=kind, key=key, payload={"event": self.row.id, **payload}, due=self.now, created_at=self.now,
            guild_id=self.row.guild_id, place=place or f"channel {self.row.channel_id}",
        )  # fmt: skip
        await queries.jobs.enqueue_later(self.writer, job)

    async def store(self) -> None:
        """Store what has changed, and have the message edited, at once if people now have to do something else."""
        for number, entry in self.entries.items():
            if entry != self._before.get(number):
                await sql.put_entry(self.writer, entry)
        await sql.put(self.writer, self.row)
        if _shown(self.row) != _shown(self._row_before) or self.entries != self._before:
            await owe_message(self.writer, self.row, self.now, at_once=_stage(self.row) != _stage(self._row_before))


def _stage(row: StoredTournament) -> tuple[TournamentStatus, bool, int]:
    """Return the state that decides what people have to do: enter, check in, or play a certain round."""
    return row.status, row.paused_at is None, len(row.rounds)


def _shown(row: StoredTournament) -> StoredTournament:
    """Return what a tournament's message depends on, which excludes the tables of its games and the time of its next check."""
    rounds = tuple(replace(each, games=tuple(replace(game, table_id=None) for game in each.games)) for each in row.rounds)
    return replace(row, rounds=rounds, due=None, told=0)


async def owe_message(writer: Writer, row: StoredTournament, now: float, *, at_once: bool = False) -> None:
    """Have a tournament's message posted or edited, either `at_once` or together with the next changes."""
    job = Job(
        kind=JobKind.EVENT, key=str(row.id), payload={"event": row.id}, guild_id=row.guild_id, created_at=now,
        due=now if at_once or row.message_id is None else now + EDITED_AFTER, place=f"channel {row.channel_id}",
    )  # fmt: skip
    await queries.jobs.enqueue_later(writer, job)


@asynccontextmanager
async def changing_tournament(core: Core, event_id: int, guild_id: int | None = None) -> AsyncIterator[TournamentChange]:
    """Change a tournament, and commit what the block does if it ends normally. Raises Refused if it does not exist."""
    async with core.store.write() as writer:
        change = await tournament_in(core, writer, event_id, guild_id)
        yield change
        await change.store()
    core.on_change(change.row.due or 0.0)
    core.on_change(0.0, Work.OUTBOX)


async def tournament_in(core: Core, writer: Writer, event_id: int, guild_id: int | None = None) -> TournamentChange:
    """Return a tournament to be changed in an open transaction. The caller must store it. Raises Refused if there is none."""
    row = await sql.get(writer, event_id)
    if row is None or (guild_id is not None and row.guild_id != guild_id):
        raise no_such_tournament(event_id)
    return TournamentChange(core, writer, row, await sql.entries(writer, event_id))


def no_such_tournament(event_id: int) -> Refused:
    """Return the error for a tournament that does not exist."""
    return Refused(say("There’s no event #{n} here. `/event show` has those that are on.", n=event_id))


# --- rows and values --------------------------------------------------------------------------------------------------


def tournament_of(row: StoredTournament, entries: Sequence[TournamentEntry]) -> Tournament:
    """Return a tournament as its rules see it, with the people who play. Raises ValueError for damaged rows."""
    if row.format not in FORMATS:
        raise ValueError(f"there is no format {row.format!r:.80}")
    playing = sorted((entry for entry in entries if entry.seed), key=lambda entry: (entry.seed, entry.number))
    players = tuple(Entry(entry.number, entry.missed, entry.has_left) for entry in playing)
    rounds = tuple(
        Round(
            tuple(RoundGame(game.seats, game.places, Ending(game.ending), game.timeouts) for game in each.games),
            each.byes,
            each.rests,
        )
        for each in row.rounds
    )
    named = {player for each in rounds for player in (*each.players, *each.rests)}
    if not named <= {entry.player for entry in players}:
        raise ValueError("there are games of players who are not there")
    return Tournament(FORMATS[row.format], players, row.lots or row.key, rounds)


def _rows_of(rounds: Sequence[Round], known: Sequence[TournamentRound]) -> tuple[TournamentRound, ...]:
    """Return rounds in the form in which they are stored, each game with its known table. Games never change their places."""

    def game(number: int, index: int, each: RoundGame) -> TournamentGame:
        there = known[number].games if number < len(known) else ()
        table_id = there[index].table_id if index < len(there) else None
        return TournamentGame(
            seats=each.seats, table_id=table_id, places=each.places, ending=each.ending.value, timeouts=each.timeouts
        )

    return tuple(
        TournamentRound(
            games=tuple(game(number, index, each) for index, each in enumerate(one.games)), byes=one.byes, rests=one.rests
        )
        for number, one in enumerate(rounds)
    )


def spans_of(event: Tournament) -> int:
    """Return how long the games may last, in lengths of a round. It is more than one only if all rounds begin together."""
    if not event.format.system.at_once:
        return 1
    games = Counter(number for each in event.rounds for game in each.games for number in game.seats)
    return -(-max(games.values()) // OPEN_AT_ONCE)


def games_of(row: StoredTournament) -> Mapping[tuple[int, int], TournamentGame]:
    """Return the games of a tournament, by the numbers of their round and of the game in it, both counted from 0."""
    return {(number, index): game for number, each in enumerate(row.rounds) for index, game in enumerate(each.games)}


def place_of_table(row: StoredTournament, table_id: int) -> tuple[int, int] | None:
    """Return the numbers of the round and of the game played at a table, or None if none is."""
    return next((place for place, game in games_of(row).items() if game.table_id == table_id), None)


def is_rated(row: StoredTournament, games: Mapping[str, Game[Any, Any]] = GAMES) -> bool:
    """Whether a tournament's games count for the ratings. They never do if luck alone decides."""
    return row.rated and not games[row.game].luck_alone


# --- what games do to tournaments ------------------------------------------------------------------------------------------


class InTournament(Occasion):
    """The occasion of tables that were opened for a tournament."""

    def is_of(self, table: Table) -> bool:
        """Whether a table's game belongs to a tournament."""
        return table.event_id is not None

    async def ended(self, change: Change) -> None:
        """Pass the game's result on to the tournament, unless the tournament has already decided the game."""
        found = await _of_table(change)
        if found is None:
            return
        event, place = found
        game = event.event.rounds[place[0]].games[place[1]]
        if not game.is_over:
            players = event.users_of(game.seats)
            timeouts = tuple(player.timeouts for player in change.snapshot.players)
            event.settle(place, replace(game, places=places_of(change.snapshot, players), timeouts=timeouts))
            await event.store()
            change.core.on_change(0.0, Work.OUTBOX)

    async def lapsed(self, change: Change, seats: Sequence[int]) -> None:
        """Count missed deadlines, and withdraw players with too many. Several within two turns' time or a day count as one."""
        found = await _of_table(change)
        if found is None or games_of(found[0].row)[found[1]].places:
            return
        event, place = found
        numbers = games_of(event.row)[place].seats
        apart = max(ABSENT_FOR, 2.0 * event.row.clock)
        for seat in seats:
            entry = event.entries[numbers[seat]]
            if entry.user_id != change.snapshot.players[seat].user_id:
                continue
            if entry.lapsed_at is not None and change.now - entry.lapsed_at <= apart:
                continue
            lapses = 1 + min(entry.lapses, MANY)
            event.put_entry(replace(entry, lapses=lapses, lapsed_at=change.now))
            if lapses >= LAPSES_AT_MOST and not entry.has_left and event.row.status is TournamentStatus.RUNNING:
                event.withdraw(entry.number, TournamentActor.BOT)
                await event.owe_farewell(entry)
        await event.store()


def places_of(snapshot: Snapshot, players: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat in a finished game, counted from 1. `players` holds the seats' user ids in the tournament.

    A game without a result is a draw. Otherwise the winners come first, then those who stayed, then those who left or handed
    over their seat, starting with the last to leave.
    """
    seats = range(len(snapshot.players))
    if without_result(snapshot):
        return tuple(1 for _ in seats)
    own = own_seats(snapshot, players)
    outcome = snapshot.table.outcome
    won = [seat for seat in (() if outcome is None else outcome.winners) if seat in own]
    left = [seat for seat in left_seats(snapshot) if seat not in own]
    left = [*(seat for seat in seats if seat not in own and seat not in left), *left]
    ranks = order_of_finish(len(seats), won or (own if len(own) == 1 else []), left)
    return tuple(1 + rank for rank in ranks)


def own_seats(snapshot: Snapshot, players: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that the tournament's players have not left. A replaced player may play the game to its end."""
    handed_over = {departure.place for departure in snapshot.departures}
    return tuple(
        seat for seat in snapshot.present if snapshot.players[seat].user_id == players[seat] or seat not in handed_over
    )


async def _of_table(change: Change) -> tuple[TournamentChange, tuple[int, int]] | None:
    """Return a table's tournament and the place of its game in it, or None if the rows are damaged."""
    if change.table.event_id is None:
        return None
    try:
        event = await tournament_in(change.core, change.writer, change.table.event_id)
    except Refused:
        log.error("a table belongs to an event that cannot be read", table=change.table.id, number=change.table.event_id)
        return None
    place = place_of_table(event.row, change.table.id)
    try:
        seats = () if place is None else event.event.rounds[place[0]].games[place[1]].seats
    except ValueError as error:
        log.error("a table belongs to an event that is damaged", table=change.table.id, number=event.row.id, error=repr(error))
        return None
    if place is None or len(seats) != len(change.snapshot.players):
        log.error("an event does not have a game that belongs to it", table=change.table.id, number=event.row.id)
        return None
    return event, place
