"""What people do at tournaments (open, enter, check in, leave and come back), and what a tournament's organisers do."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.core.core import Core, Work
from bot.core.pace import pace_of_person
from bot.core.pings import ping
from bot.core.table.audience import Unseen
from bot.core.table.errors import Refused
from bot.core.table.options import counts_for_ratings
from bot.core.table.request import require_game
from bot.core.table.settings import DAY
from bot.core.table.snapshot import User
from bot.features.tournaments import sql
from bot.features.tournaments.ahead import Ahead, in_steps
from bot.features.tournaments.change import TournamentChange, changing_tournament, no_such_tournament, spans_of
from bot.features.tournaments.clock import begin_check_in, start_tournament
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.rounds import Ending, RoundGame
from bot.features.tournaments.rules.standings import Standing, standings
from bot.features.tournaments.rules.tournament import Tournament
from bot.features.tournaments.view import LONGEST, ROUND, TournamentRequest, TournamentView, options_at_all_tables, view_of
from bot.runtime.cache import Cache
from engines.chance import SEED_BYTES
from engines.text import Text, is_visible, plain, say, seat_name, typed_line
from storage.schema.kinds import TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.tournament_records import StoredTournament, TournamentEntry

__all__ = ["TournamentRequest", "TournamentView", "Tournaments"]

MOST_TOURNAMENTS: Final = 10

CHECK_IN: Final = DAY
"""The most seconds that a check-in lasts. If the start is less than two days away, it lasts half the time until then."""

SOONEST: Final = 600.0
LATEST: Final = 60 * DAY
"""The most seconds until a tournament's start. `SOONEST` is the fewest."""

TURN: Final = (60, int(30 * DAY))
"""The fewest and the most seconds that a turn can have."""

LONGEST_NAME: Final = 60

_CACHED: Final = 2000
"""How many lines of tables are cached for all tournaments together. Each table counts as one line more."""


class Tournaments:
    """The tournaments of all servers."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._tables = Cache[Tournament, tuple[Standing, ...]](_CACHED, weigh=lambda table: 1 + len(table))

    async def get(self, event_id: int, guild_id: int | None = None) -> TournamentView:
        """Return a tournament. Raises Refused if the server has none with this number."""
        async with self._core.store.read() as reader:
            row = await sql.get(reader, event_id)
            if row is None or row.format not in FORMATS or (guild_id is not None and row.guild_id != guild_id):
                raise no_such_tournament(event_id)
            entries = await sql.entries(reader, event_id)
        audience = self._core.audience
        if row.status in sql.ON:
            await audience.look_up(row.guild_id, [entry.user_id for entry in entries])
        return await self._shown(view_of(row, entries, audience.former(row.guild_id)))

    async def _shown(self, view: TournamentView) -> TournamentView:
        """Return a view with its table, which a thread computes once for each state of a tournament."""
        event = view.event
        if event is None:
            return view
        table = self._tables.get(event)
        if table is None:
            table = await self._tables.load(event, lambda: asyncio.to_thread(standings, event))
        return replace(view, table=table)

    async def of_guild(self, guild_id: int, *, over: bool = False) -> tuple[StoredTournament, ...]:
        """Return a server's current tournaments, or its finished ones if `over`, newest first."""
        statuses = (TournamentStatus.FINISHED,) if over else sql.ON
        async with self._core.store.read() as reader:
            return await sql.of_guild(reader, guild_id, statuses)

    # --- what players do ----------------------------------------------------------------------------------------------------

    async def open(self, organiser: User, request: TournamentRequest) -> TournamentView:
        """Open a tournament, and enqueue its message. Raises Refused if the request is impossible."""
        row = self._row_of(organiser, request)
        async with self._core.store.write() as writer:
            if len(await sql.of_guild(writer, request.guild_id)) >= MOST_TOURNAMENTS:
                raise Refused(say("There are already {n} events running here. Wait for one to end first.", n=MOST_TOURNAMENTS))
            change = TournamentChange(self._core, writer, await sql.add(writer, row), ())
            change.note(TournamentDeed.OPENED, TournamentActor.ORGANISER)
            await change.store()
        self._core.on_change(change.row.due or 0.0)
        self._core.on_change(0.0, Work.OUTBOX)
        return view_of(change.row, ())

    def _row_of(self, organiser: User, request: TournamentRequest) -> StoredTournament:
        """Return the row of a new tournament. Raises Refused if the request is impossible."""
        game, now = require_game(request.game, self._core.games), self._core.now()
        chosen = FORMATS.get(request.format)
        if chosen is None:
            raise Refused(say("There’s no such format."))
        variant = request.variant or game.variants[0]
        if variant not in game.variants:
            raise Refused(say("{game} has no variant “{variant}”.", game=game.title, variant=plain(request.variant or "")))
        system = chosen.system
        if not {system.smallest, system.largest} <= set(game.seats):
            seats = {"game": game.title, "few": system.smallest, "many": system.largest}
            by_two = say("{game} can’t be played by two players.", game=game.title)
            more = say("{game} can’t be played with {few} to {many} at a table, which this format needs.", **seats)
            raise Refused(more if system.largest > 2 else by_two)
        options = options_at_all_tables(game, variant, system, request.options)
        rated = request.rated and counts_for_ratings(game, options, system.largest) and not game.luck_alone
        most = chosen.most if request.most is None else request.most
        if not chosen.fewest <= most <= chosen.most:
            raise Refused(say("This format is for {few} to {many} players.", few=chosen.fewest, many=chosen.most))
        name = typed_line(request.name)
        if not is_visible(name) or len(name) > LONGEST_NAME:
            raise Refused(say("An event needs a name, at most {n} characters long.", n=LONGEST_NAME))
        if not TURN[0] <= request.clock <= TURN[1]:
            raise Refused(say("A turn can last from one minute to {n} days.", n=TURN[1] // int(DAY)))
        if request.most_late is not None and not 0 <= request.most_late <= 100:
            raise Refused(say("Time-outs can’t be more than 100%."))
        if not ROUND[0] <= request.round_seconds <= ROUND[1]:
            raise Refused(say("A round can last from one hour to {n} days.", n=ROUND[1] // int(DAY)))
        if not SOONEST <= request.starts_in <= LATEST:
            raise Refused(say("An event can start between ten minutes and {n} days from now.", n=round(LATEST / DAY)))
        check_in = min(CHECK_IN, request.starts_in / 2)
        return StoredTournament(
            guild_id=request.guild_id, channel_id=request.channel_id, threaded=request.threaded, name=name, game=game.id,
            variant=variant, options=options, format=chosen.id, most=most, clock=request.clock, rated=rated,
            most_late=request.most_late,
            round_seconds=request.round_seconds, organiser_id=organiser.id, organiser_name=organiser.name,
            key=self._core.entropy(SEED_BYTES), created_at=now, check_in_at=now + request.starts_in - check_in,
            starts_at=now + request.starts_in, due=now + request.starts_in - check_in,
        )  # fmt: skip

    async def enter(self, event_id: int, guild_id: int, user: User, press: int) -> TournamentView:
        """Enter a person, check them in or bring them back. Raises Refused if the tournament is full or closed to them."""
        async with self._changing(event_id, guild_id) as change:
            row, known, view = change.row, change.entry_of(user.id), _view(change)
            waiting = row.status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN}
            checked = press if row.status is TournamentStatus.CHECK_IN else None
            if known is not None and known.removed:
                raise Refused(say("The organisers have removed you. Only they can let you back in."))
            if known is not None and waiting:
                change.put_entry(replace(known, name=user.name, press=known.press or checked))
            elif known is not None and row.status is TournamentStatus.RUNNING:
                if known.has_left:
                    change.take(change.event.come_back(known.number))
                    change.note(TournamentDeed.CAME_BACK, TournamentActor.PLAYER, known.number)
            elif not view.can_enter:
                raise Refused(_why_not(view))
            else:
                await self._check_reliability(change, user)
                number = 1 + max(change.entries, default=0)
                change.put_entry(
                    TournamentEntry(event_id=row.id, number=number, user_id=user.id, name=user.name, press=checked)
                )
                if not waiting:
                    self._enter_late(change, number)
        return await self._shown(_view(change))

    def _enter_late(self, change: TournamentChange, number: int) -> None:
        before = change.event
        event = before.enter(number)
        change.put_entry(replace(change.entries[number], seed=len(event.players)))
        change.take(event)
        if change.row.ends_at is not None:  # where all rounds begin together, everybody gets one more game
            longer = (spans_of(event) - spans_of(before)) * change.row.round_seconds
            change.row = replace(change.row, ends_at=change.row.ends_at + longer)
        change.note(TournamentDeed.ENTERED, TournamentActor.PLAYER, number)
        change.look_soon()

    async def _check_reliability(self, change: TournamentChange, user: User) -> None:
        """Raise Refused if more of a person's turns time out than the tournament accepts."""
        most = change.row.most_late
        if most is None:
            return
        pace = await pace_of_person(change.writer, change.row.guild_id, user.id, change.now)
        if pace is not None and 100 * pace.timeout_share > most:
            raise Refused(say("This event is for people with at most {n}% time-outs. In the last ninety days, {m}% of your "
                              "turns timed out.", n=most, m=round(100 * pace.timeout_share)))  # fmt: skip

    async def leave(self, event_id: int, guild_id: int, user: User) -> TournamentView:
        """Let a person leave and lose open two-player games. Raises Refused if they are not playing, or after the end."""
        async with self._changing(event_id, guild_id) as change:
            known = change.entry_of(user.id)
            if known is None or known.has_left:
                raise Refused(say("You’re not in this event."))
            await _remove(change, known, TournamentActor.PLAYER)
        return await self._shown(_view(change))

    # --- what organisers do -------------------------------------------------------------------------------------------------

    async def remove(self, event_id: int, guild_id: int, by: TournamentActor, number: int) -> TournamentView:
        """Remove a player, whom only an organiser can bring back. Raises Refused without such a player, or after the end."""
        async with self._changing(event_id, guild_id) as change:
            known = change.entries.get(number)
            if known is None or known.has_left:
                raise Refused(_NO_PLAYER)
            await _remove(change, known, by)
        return await self._shown(_view(change))

    async def let_back(self, event_id: int, guild_id: int, by: TournamentActor, number: int) -> TournamentView:
        """Allow a removed person to come back. Raises Refused if they were not removed, or if the tournament is over."""
        async with self._changing(event_id, guild_id) as change:
            known = change.entries.get(number)
            if known is None or not known.removed:
                raise Refused(_NO_PLAYER)
            change.note(TournamentDeed.LET_BACK, by, number)
            if known.seed:
                change.put_entry(replace(known, removed=False))
            else:
                await _delete(change, known)
        return await self._shown(_view(change))

    async def ask(
        self, event_id: int, guild_id: int, by: TournamentActor, by_user: int, number: int, newcomer: User
    ) -> TournamentView:
        """Ask a person whether they take over from a player. Raises Refused if they cannot, or were pinged too often."""
        async with self._changing(event_id, guild_id) as change:
            known = change.entries.get(number)
            if known is None:
                raise Refused(_NO_PLAYER)
            if change.entry_of(newcomer.id) is not None:
                raise Refused(say("{who} is already in this event.", who=seat_name(0)), (newcomer.name,))
            if any(other.asked_id == newcomer.id and other is not known for other in change.entries.values()):
                raise Refused(say("{who} has already been asked.", who=seat_name(0)), (newcomer.name,))
            await ping(change, by_user, [newcomer.id])
            change.put_entry(asked := replace(known, asked_id=newcomer.id))
            change.note(TournamentDeed.ASKED, by, number)
            await change.owe_question(asked)
        return await self._shown(_view(change))

    async def answer(self, event_id: int, guild_id: int, user: User, number: int, press: int | None) -> TournamentView:
        """Record an invited person's answer. They take over a player's place and results or, without a `press`, decline.

        They play from the next game on, and the player keeps any seat at a running table. During the check-in, accepting also
        checks them in. Raises Refused if the person was not invited, is no longer invited, or has already entered.
        """
        async with self._changing(event_id, guild_id) as change:
            known = change.entries.get(number)
            if known is None or known.asked_id != user.id:
                raise Refused(say("This invitation isn’t for you, or no longer stands."))
            if press is None:
                change.put_entry(replace(known, asked_id=None))
            elif change.entry_of(user.id) is not None:
                raise Refused(say("You’re already in this event."))
            else:
                before = {TournamentStatus.OPEN: None, TournamentStatus.CHECK_IN: press}
                came = replace(
                    known, user_id=user.id, name=user.name, has_left=False, lapses=0, lapsed_at=None, removed=False,
                    press=before.get(change.row.status, known.press), asked_id=None,
                )  # fmt: skip
                change.put_entry(came)
                change.note(TournamentDeed.REPLACED, TournamentActor.PLAYER, number)
                change.look_soon()
        return await self._shown(_view(change))

    async def decide(
        self, event_id: int, guild_id: int, by: TournamentActor, place: tuple[int, int], places: Sequence[int]
    ) -> TournamentView:
        """Set the result of a game of the current round by hand, whether it is running or finished.

        `place` holds the numbers of the round and of the game. `places` holds the place of each seat, counted from 1; equals
        share a place. Raises Refused if there is no such game.
        """
        async with self._changing(event_id, guild_id, TournamentStatus.RUNNING) as change:
            event, (number, index) = change.event, place
            last = event.format.system.at_once or number == len(event.rounds) - 1
            if not (0 <= number < len(event.rounds) and 0 <= index < len(event.rounds[number].games)) or not last:
                raise Refused(say("You can only set results in the current round."))
            game: RoundGame = event.rounds[number].games[index]
            if len(places) != len(game.seats) or any(not 1 <= one <= len(places) for one in places):
                raise Refused(say("Every player needs a place."))
            shared = tuple(1 + sum(other < one for other in places) for one in places)
            change.settle(place, game.finish(*shared, ending=Ending.PLAYED))
            change.note(TournamentDeed.DECIDED, by, place=place)
        return await self._shown(_view(change))

    async def pair(self, event_id: int, guild_id: int, by: TournamentActor, games: Sequence[Sequence[int]]) -> TournamentView:
        """Pick games of the next round, in seat order. A lone player gets a bye. Raises Refused if a game is impossible."""
        async with self._changing(event_id, guild_id, TournamentStatus.RUNNING) as change:
            event, system = change.event, FORMATS[change.row.format].system
            if not system.by_hand:
                raise Refused(say("This format has nothing to pair by hand: everybody’s opponents are fixed from the start."))
            if len(event.rounds) >= event.length:
                raise Refused(say("This is the last round, so there are no more games to pick."))
            named = [number for seats in games for number in seats]
            fits = all(len(seats) == 1 or system.smallest <= len(seats) <= system.largest for seats in games)
            if len(set(named)) < len(named) or not set(named) <= set(event.active) or not fits:
                raise Refused(say("Each game needs players who are in the event, and nobody plays twice in a round."))
            change.row = replace(change.row, forced=tuple(tuple(seats) for seats in games))
            change.note(TournamentDeed.PAIRED, by)
        return await self._shown(_view(change))

    async def hurry(self, event_id: int, guild_id: int, by: TournamentActor) -> TournamentView:
        """Begin the check-in or the tournament now. Raises Refused during a pause, after the start, or with too few people."""
        return await self._shown(await in_steps(partial(self._hurry, event_id, guild_id, by)))

    async def _hurry(self, event_id: int, guild_id: int, by: TournamentActor, ahead: Ahead) -> TournamentView:
        async with self._changing(event_id, guild_id, TournamentStatus.OPEN, TournamentStatus.CHECK_IN) as change:
            view = _view(change)
            if not view.can_hurry:
                if change.row.paused_at is not None:
                    raise Refused(say("The event is paused. Resume it first."))
                fewest = view.format.fewest
                raise Refused(say("At least {n} players must check in before it can start.", n=fewest))
            change.note(TournamentDeed.HURRIED, by)
            if change.row.status is TournamentStatus.OPEN:
                change.row = replace(change.row, check_in_at=change.now)
                await begin_check_in(change)
            else:
                change.row = replace(change.row, starts_at=change.now)
                await start_tournament(change, ahead)
            change.look_soon()
        return await self._shown(_view(change))

    async def prolong(self, event_id: int, guild_id: int, by: TournamentActor, seconds: float) -> TournamentView:
        """Postpone the end of the round. Raises Refused if no round is going on, or if the round would end too late."""
        async with self._changing(event_id, guild_id, TournamentStatus.RUNNING) as change:
            row = change.row
            if row.ends_at is None:
                raise Refused(say("There’s no round under way."))
            if not _view(change).can_prolong(seconds, change.now):
                raise Refused(say("A round can’t end more than {n} days from now.", n=round(LONGEST / DAY)))
            by_now = change.now if row.paused_at is None else row.paused_at
            change.row = replace(row, ends_at=max(row.ends_at, by_now) + seconds)
            change.note(TournamentDeed.PROLONGED, by)
            change.look_soon()
        return await self._shown(_view(change))

    async def pause(self, event_id: int, guild_id: int, by: TournamentActor) -> TournamentView:
        """Pause a tournament. No round ends or begins, but games go on. Raises Refused if it is already paused."""
        async with self._changing(event_id, guild_id) as change:
            if change.row.paused_at is not None:
                raise Refused(say("The event is already paused."))
            change.row = replace(change.row, paused_at=change.now, due=None)
            change.note(TournamentDeed.PAUSED, by)
        return await self._shown(_view(change))

    async def resume(self, event_id: int, guild_id: int, by: TournamentActor) -> TournamentView:
        """Resume a paused tournament, postponing all dates by the length of the pause. Raises Refused if it is not paused."""
        async with self._changing(event_id, guild_id) as change:
            row = change.row
            if row.paused_at is None:
                raise Refused(say("The event isn’t paused."))
            by_then = max(0.0, change.now - row.paused_at)
            ends_at = None if row.ends_at is None else row.ends_at + by_then
            change.row = replace(
                row, paused_at=None, ends_at=ends_at, check_in_at=row.check_in_at + by_then, starts_at=row.starts_at + by_then
            )
            change.note(TournamentDeed.RESUMED, by)
            change.look_soon()
        return await self._shown(_view(change))

    async def cancel(self, event_id: int, guild_id: int, by: TournamentActor) -> TournamentView:
        """Cancel a tournament, as the bot does if its channel is gone. Its games go on. Raises Refused once it is over."""
        async with self._changing(event_id, guild_id) as change:
            change.note(TournamentDeed.LOST if by is TournamentActor.BOT else TournamentDeed.CANCELLED, by)
            change.row = replace(
                change.row, status=TournamentStatus.CANCELLED, due=None, ends_at=None, paused_at=None, finished_at=change.now
            )
        return await self._shown(_view(change))

    # --- messages -----------------------------------------------------------------------------------------------------------

    async def record_message(self, event_id: int, message_id: int | None) -> None:
        """Record the id of a tournament's message, or None if the message is gone and must be posted again."""
        await self._record(event_id, message_id=message_id)

    async def record_lost_thread(self, event_id: int) -> None:
        """Record that the single thread of a tournament's games is gone. From now on, each game gets a thread of its own."""
        await self._record(event_id, thread_id=None)

    async def _record(self, event_id: int, **columns: Any) -> None:
        async with self._core.store.write() as writer:
            row = await sql.get(writer, event_id)
            if row is not None:
                await sql.put(writer, replace(row, **columns))

    async def unseen(self, view: TournamentView) -> Mapping[int, Unseen]:
        """Return the active players of a tournament who cannot see where it is played, each with the reason."""
        row, players = view.row, [entry.user_id for entry in view.entries if not entry.has_left]
        if row.status not in sql.ON:
            return {}
        return await self._core.audience.who_cannot_see(row.guild_id, row.thread_id or row.channel_id, players)

    async def record_call(self, event_id: int, number: int, podium_id: int | None = None, *, unseen: bool = False) -> None:
        """Record a call and, at the end, the podium's message. If `unseen`, the organiser is told who cannot see the call."""
        async with self._core.store.write() as writer:
            row = await sql.get(writer, event_id)
            if row is None or row.told >= number:
                return
            change = TournamentChange(self._core, writer, replace(row, told=number, podium_id=podium_id), ())
            await sql.put(writer, change.row)
            if unseen:
                await change.owe_unseen(number)
        if unseen:
            self._core.on_change(0.0, Work.OUTBOX)

    @asynccontextmanager
    async def _changing(self, event_id: int, guild_id: int, *statuses: TournamentStatus) -> AsyncIterator[TournamentChange]:
        """Change a tournament that is in one of these stages or, by default, not over. Raises Refused in other stages."""
        async with changing_tournament(self._core, event_id, guild_id) as change:
            if change.row.format not in FORMATS:
                raise no_such_tournament(event_id)
            if change.row.status not in (statuses or sql.ON):
                raise Refused(_WRONG_STAGE.get(change.row.status, say("This event is over.")))
            yield change


_WRONG_STAGE: Final = {
    TournamentStatus.OPEN: say("This event hasn’t started yet."),
    TournamentStatus.CHECK_IN: say("This event hasn’t started yet."),
    TournamentStatus.RUNNING: say("This event has already started."),
}

_NO_PLAYER: Final = say("There’s no such player in this event.")


def _view(change: TournamentChange) -> TournamentView:
    entries = tuple(change.entries[number] for number in sorted(change.entries))
    return view_of(change.row, entries, change.core.audience.former(change.row.guild_id))


def _why_not(view: TournamentView) -> Text:
    """Say why nobody can enter any more."""
    if len(view.entries) >= view.row.most:
        return say("This event is full.")
    if view.format.late_points is None:
        return say("This event has started, and this format has no late entry.")
    return say("Half of this event is over, so it’s too late to enter.")


async def _remove(change: TournamentChange, entry: TournamentEntry, by: TournamentActor) -> None:
    """Make a player leave, and record it if an organiser removed them."""
    if change.row.status is TournamentStatus.RUNNING:
        change.withdraw(entry.number, by)
    elif by is TournamentActor.PLAYER:
        await _delete(change, entry)
        return
    else:
        change.put_entry(replace(entry, has_left=True, press=None))
        change.note(TournamentDeed.WITHDREW, by, entry.number)
    change.put_entry(replace(change.entries[entry.number], removed=by is not TournamentActor.PLAYER))


async def _delete(change: TournamentChange, entry: TournamentEntry) -> None:
    await sql.remove_entry(change.writer, entry.event_id, entry.number)
    del change.entries[entry.number]
