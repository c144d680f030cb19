"""What happens by time in tournaments, from check-in to the end. Each step is a transaction, so a killed bot carries on."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from hmac import digest
from math import inf
from typing import Final

import structlog

from bot.core.change import Change, changing
from bot.core.contributions import contribute
from bot.core.core import Work
from bot.core.lobby import start_game
from bot.core.opening import announce, open_table
from bot.core.parts import Keeper, Part
from bot.core.skill import NEWCOMER
from bot.core.table.errors import NoSuchTable, Quarantined
from bot.core.table.settings import HOUR
from bot.core.table.snapshot import Snapshot, User
from bot.features.tournaments import sql
from bot.features.tournaments.ahead import Ahead, in_steps
from bot.features.tournaments.change import (
    OPEN_AT_ONCE,
    InTournament,
    TournamentChange,
    changing_tournament,
    games_of,
    is_rated,
    owe_message,
    own_seats,
    place_of_table,
    spans_of,
    tournament_in,
)
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.rounds import Ending, RoundGame, adjudicate
from bot.features.tournaments.rules.standings import Standing, standings
from bot.features.tournaments.rules.tournament import Tournament, start
from bot.features.tournaments.used_time import used_seconds
from engines.chance import draw_lots
from storage import queries
from storage.schema.errors import Unreachable
from storage.schema.kinds import TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.records import Grace, JobKind, Status, Table
from storage.schema.tournament_records import StoredTournament
from storage.store import Reader, Writer

STEPS_AT_MOST: Final = 500
"""A number of steps that no tournament takes before it has to wait again."""

log = structlog.get_logger(__name__)


class TournamentRounds(Keeper):
    """The keeper that runs all tournaments."""

    async def next_due(self) -> float | None:
        """Return when to check the next tournament, in seconds since the epoch, or None if none is due or time is suspended."""
        if not self._core.time_counts():
            return None
        async with self._core.store.read() as reader:
            return await sql.next_due(reader)

    async def sweep(self) -> bool:
        """Check up to a hundred due tournaments. One that fails is put off for an hour, so that it holds up no other."""
        due, now = await self.next_due(), self._core.now()
        if due is None or due > now:
            return False
        async with self._core.store.read() as reader:
            events = await sql.due(reader, now)
        for event in events:
            try:
                await self._advance(event.id)
            except Unreachable:
                raise
            except Exception:
                log.exception("an event does not go on", number=event.id)
                async with self._core.store.write() as writer:
                    if (row := await sql.get(writer, event.id)) is not None:
                        await sql.put(writer, replace(row, due=self._core.now() + HOUR))
        if not events:  # all due tournaments are unreadable, but somebody may repair them
            async with self._core.store.write() as writer:
                await sql.put_off(writer, now, now + HOUR)
        self._core.on_change(0.0, Work.OUTBOX)
        return bool(events)

    async def move(self, writer: Writer, seconds: float, since: float, until: float, guild_id: int | None) -> None:
        """Postpone the ends of rounds and the starts by the time in which nobody could play or check in."""
        del until
        await sql.move(writer, seconds, since, guild_id)

    async def begin_anew(self, writer: Writer, now: float) -> None:
        """Restart ongoing rounds, pauses and check-ins."""
        await sql.begin_anew(writer, now)

    async def _advance(self, event_id: int) -> None:
        """Take steps until the tournament has to wait for people or for a certain time."""
        for _ in range(STEPS_AT_MOST):
            if not await self._step(event_id):
                return
        raise AssertionError  # the tournament never settles

    async def _step(self, event_id: int) -> bool:
        """Take one step, and return whether there may be another."""
        late = await self._late_table(event_id)
        if late is not None:
            await self._adjudicate(event_id, late)
            return True
        return await in_steps(partial(self._take_step, event_id))

    async def _take_step(self, event_id: int, ahead: Ahead) -> bool:
        opened = None
        async with changing_tournament(self._core, event_id) as change:
            row = change.row
            if row.paused_at is not None or row.status not in sql.ON:
                change.row = replace(row, due=None)
                return False
            if row.status is TournamentStatus.OPEN and row.check_in_at <= change.now:
                await begin_check_in(change)
                return True
            if row.status is not TournamentStatus.RUNNING:
                if row.starts_at > change.now:
                    change.row = replace(row, due=row.starts_at if row.status is TournamentStatus.CHECK_IN else row.check_in_at)
                    return False
                await start_tournament(change, ahead)
                return True
            _take_leave(change)
            opened = None if is_round_late(change.row, change.now) else await self._open_next(change)
            going_on = opened is not None or await _go_on(change, ahead)
        if opened is not None:
            opened.publish()
        return going_on

    # --- games ------------------------------------------------------------------------------------------------------------

    async def _open_next(self, change: TournamentChange) -> Change | None:
        """Open the table of the next game that may begin, and start the game. Return its change to be published, or None."""
        at_once = FORMATS[change.row.format].system.at_once
        games = games_of(change.row)
        on = Counter(number for game in games.values() if game.table_id and not game.places for number in game.seats)
        for place, game in games.items():
            busy = at_once and any(on[number] >= OPEN_AT_ONCE for number in game.seats)
            if game.table_id is None and not game.places and not busy:
                table = await self._open(change, place, game.seats)
                number, index = place
                each = change.row.rounds[number]
                changed = replace(game, table_id=table.table.id)
                each = replace(each, games=(*each.games[:index], changed, *each.games[index + 1 :]))
                rounds = (*change.row.rounds[:number], each, *change.row.rounds[number + 1 :])
                change.row = replace(change.row, rounds=rounds)
                return table
        return None

    async def _open(self, event: TournamentChange, place: tuple[int, int], seats: tuple[int, ...]) -> Change:
        """Open a table for players of a tournament, seat them all, and start their game.

        The game's dice follow from the tournament's key, whose hash everybody knows, and from the presses at check-in.
        Tournaments that were opened by an earlier version have a single thread for all games.
        """
        core, row, now, writer = self._core, event.row, event.now, event.writer
        game, people = core.games[row.game], [event.entries[number] for number in seats]
        table = Table(
            guild_id=row.guild_id, channel_id=row.channel_id, thread_id=row.thread_id,
            threaded=row.threaded and row.thread_id is None, game=game.id, rules=game.rules,
            variant=row.variant, options=row.options, wanted=len(people),
            opened_by=people[0].user_id, rated=is_rated(row, core.games), event_id=row.id,
            clock=row.clock, grace=Grace.LEFT, created_at=now,
            seed=digest(row.key, f"springboard:seed:{place[0]}:{place[1]}".encode(), "sha256"),
        )  # fmt: skip
        change = Change(core, writer, Snapshot(table, ()))
        there = [User(entry.user_id, entry.name) for entry in people]
        await open_table(change, there, joined=[user.id for user in there])
        for entry in people:
            await contribute(writer, change.table, entry.user_id, entry.press)
        if change.table.threaded:
            await announce(change)
        await start_game(change)
        return change

    async def _late_table(self, event_id: int) -> int | None:
        """Return a table whose game must be decided because its round has ended, or None if there is none."""
        async with self._core.store.read() as reader:
            row = await sql.get(reader, event_id)
            if row is None or not is_round_late(row, self._core.now()):
                return None
        games = games_of(row).values()
        return next((game.table_id for game in games if game.table_id is not None and not game.places), None)

    async def _adjudicate(self, event_id: int, table_id: int) -> None:
        """Decide a game for its tournament by the players' used time. They can play on, but the game is no longer rated."""
        try:
            async with changing(self._core, table_id) as change:
                event = await tournament_in(self._core, change.writer, event_id)
                place = place_of_table(event.row, table_id)
                if place is None or not is_round_late(event.row, change.now) or games_of(event.row)[place].places:
                    return
                if change.table.status is Status.PLAYING:
                    await change.amend(rated=False)
                    await change.enqueue(JobKind.REFRESH)
                used = await used_seconds(change.writer, change.snapshot, event.row.outages, change.now)
                timeouts = tuple(player.timeouts for player in change.snapshot.players)
                own = own_seats(change.snapshot, event.users_of(games_of(event.row)[place].seats))
                places = adjudicate([seconds if seat in own else inf for seat, seconds in enumerate(used)])
                _settle_by_time(event, place, places, timeouts)
                await event.store()
        except (Quarantined, NoSuchTable):  # the table is unreadable or gone, and nobody is to blame
            async with changing_tournament(self._core, event_id) as event:
                place = place_of_table(event.row, table_id)
                if place is not None:
                    _settle_by_time(event, place, (1,) * len(games_of(event.row)[place].seats), ())


def is_round_late(row: StoredTournament, now: float) -> bool:
    """Whether the current round should be over by now."""
    return row.status is TournamentStatus.RUNNING and row.paused_at is None and row.ends_at is not None and row.ends_at <= now


def _settle_by_time(
    event: TournamentChange, place: tuple[int, int], places: tuple[int, ...], timeouts: tuple[int, ...]
) -> None:
    game = event.event.rounds[place[0]].games[place[1]]
    event.settle(place, replace(game.finish(*places, ending=Ending.ADJUDICATED), timeouts=timeouts))
    event.note(TournamentDeed.TIMED, TournamentActor.BOT, place=place)


# --- the course of a tournament -------------------------------------------------------------------------------------------


async def begin_check_in(change: TournamentChange) -> None:
    """Start a tournament's check-in, and have its players notified."""
    change.row = replace(change.row, status=TournamentStatus.CHECK_IN, due=change.row.starts_at)
    await change.owe_call(1)


async def start_tournament(change: TournamentChange, ahead: Ahead) -> None:
    """Start a tournament with those who have checked in, the best-rated first, or cancel it if there are too few."""
    row, chosen = change.row, FORMATS[change.row.format]
    there = [entry for entry in change.entries.values() if entry.press is not None]
    for entry in change.entries.values():
        if entry not in there and not entry.removed:
            await sql.remove_entry(change.writer, row.id, entry.number)
    change.entries = {entry.number: entry for entry in change.entries.values() if entry in there or entry.removed}
    if len(there) < chosen.fewest:
        change.note(TournamentDeed.CANCELLED, TournamentActor.BOT)
        change.row = replace(change.row, status=TournamentStatus.CANCELLED, due=None, finished_at=change.now)
        return
    lots = lots_of(row, [entry.press or 0 for entry in there])
    order = await _seeding(change.writer, row, {entry.number: entry.user_id for entry in there}, lots)
    for seed, number in enumerate(order[: row.most], 1):
        change.put_entry(replace(change.entries[number], seed=seed))
    change.row = replace(row, status=TournamentStatus.RUNNING, lots=lots)
    change.note(TournamentDeed.STARTED, TournamentActor.BOT)
    _begin_round(change, ahead.call(_paired, start(chosen, order[: row.most], lots)))
    await change.owe_call(2)


def lots_of(row: StoredTournament, presses: list[int]) -> bytes:
    """Return the key for a tournament's lots, made by mixing its own key with the presses at check-in."""
    return digest(row.key, " ".join(map(str, sorted(presses))).encode(), "sha256")


def key_hash(row: StoredTournament) -> str:
    """Return the hash of a tournament's key, which everybody sees from the start."""
    return sha256(row.key).hexdigest()


async def _seeding(reader: Reader, row: StoredTournament, users: dict[int, int], lots: bytes) -> list[int]:
    """Return the numbers of the entries, the strongest players first. Players of equal strength are ordered by lot."""
    known = await queries.ratings.of_people(reader, row.guild_id, list(users.values()))
    strength = {rating.user_id: rating.mu for rating in known if rating.game == row.game}
    lot = {number: place for place, number in enumerate(draw_lots(lots, "seed", list(users)))}
    return sorted(users, key=lambda number: (-strength.get(users[number], NEWCOMER.mu), lot[number]))


def _begin_round(change: TournamentChange, event: Tournament) -> None:
    begun = len(change.row.rounds)
    change.take(event)
    ends_at = change.now + spans_of(event) * change.row.round_seconds
    change.row = replace(change.row, ends_at=ends_at, due=change.now, forced=())
    assert len(event.rounds) > begun, "a round was paired"


def _take_leave(change: TournamentChange) -> None:
    """Make those who have left lose their open two-player games. Forgotten players have left without losing theirs yet."""
    event = change.event
    for entry in event.entries:
        if entry.has_left:
            event = event.withdraw(entry.player)
    change.take(event)


async def _go_on(change: TournamentChange, ahead: Ahead) -> bool:
    """Take the next step of a tournament whose games have all begun, and return whether there may be another."""
    event = change.event
    if is_round_late(change.row, change.now):
        event = _with_unopened_drawn(event, change)
    if event.is_over:
        change.take(event)
        _finish(change, ahead.call(standings, change.event))
        await change.owe_call(len(event.rounds) + 2)
        return False
    games = [game for each in event.rounds for game in each.games]
    if event.games_due and all(game.is_over for game in games):
        change.take(event.add_games_due())
        change.row = replace(change.row, ends_at=change.now + change.row.round_seconds, due=change.now)
        return True
    if event.is_round_over:
        change.take(event)
        forced = tuple(seats for seats in change.row.forced if set(seats) <= set(event.active))  # if all are still there
        _begin_round(change, ahead.call(_paired, event, forced))
        await change.owe_call(len(change.row.rounds) + 1)
        return True
    change.take(event)
    change.row = replace(change.row, due=change.row.ends_at)
    return False


def _with_unopened_drawn(event: Tournament, change: TournamentChange) -> Tournament:
    """Return the tournament with a draw for each game that never began because its players had other games to play."""
    for (number, index), stored in games_of(change.row).items():
        game: RoundGame = event.rounds[number].games[index]
        if stored.table_id is None and not game.is_over:
            drawn = game.finish(*(1,) * len(game.seats), ending=Ending.ADJUDICATED)
            event = event.settle(number, index, drawn)
            change.note(TournamentDeed.TIMED, TournamentActor.BOT, place=(number, index))
    return event


def _paired(event: Tournament, forced: tuple[tuple[int, ...], ...] = ()) -> Tournament:
    """Return the tournament with its next round, including the games picked by hand."""
    try:
        return event.pair(forced=forced)
    except ValueError:  # the picked games are impossible, as in a damaged row, so go on without them
        return event.pair()


def _finish(change: TournamentChange, table: Iterable[Standing]) -> None:
    """End a tournament, and give all players their places in the final table."""
    for line in table:
        entry = change.entries[line.player]
        change.put_entry(replace(entry, place=line.place if line.counts else None))
    change.note(TournamentDeed.FINISHED, TournamentActor.BOT)
    change.row = replace(change.row, status=TournamentStatus.FINISHED, due=None, ends_at=None, finished_at=change.now)


async def _forgotten(writer: Writer, user_id: int, now: float) -> None:
    """Have the messages of all tournaments edited that name a person who is being forgotten."""
    for row in await sql.of_person(writer, user_id):
        await owe_message(writer, row, now)


PART: Final = Part(name="tournaments", occasion=InTournament(), keeper=TournamentRounds, forgotten=_forgotten)
