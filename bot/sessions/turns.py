"""What follows when a game advances: whose turn it is and until when, whether the game is over, and what has to be shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.sessions.computer_players import is_computer
from bot.sessions.grace import forgives
from bot.sessions.history import History
from bot.sessions.pings import ping_if_allowed
from bot.sessions.planned import tidy
from bot.sessions.privacy import shut_out
from bot.sessions.questions import summon
from bot.sessions.ratings import rate
from bot.sessions.repository import Repository
from bot.sessions.since import asks_anew
from bot.sessions.snapshot import REASONS, Snapshot
from storage.records import Ending, Entry, EntryKind, Grace, JobKind, Offers, Result, Seat, SeatStatus, Status, Table, WatchFor
from storage.store import Reader, Writer

DAY: Final = 86400.0
ABANDONED_AFTER: Final = 60 * DAY
"""Seconds without an action after which a game without a clock ends as abandoned."""
WARNED_AFTER: Final = 53 * DAY
"""Seconds after which its players are warned of that."""
STAYS: Final = 300.0
"""Seconds for which somebody who has acted is taken to be looking at the game still."""
OPEN_FOR: Final = 14 * DAY
"""Seconds after which a table that has not started is closed."""


async def advance(
    repository: Repository,
    writer: Writer,
    before: Snapshot,
    history: History,
    result: Result | None = None,
    *,
    newcomer: int | None = None,
    doing_of: int | None = None,
) -> Snapshot:
    """Write what follows from an advance of the game, and return the new snapshot.

    Args:
        repository: the repository.
        writer: the transaction in which the log entry was written.
        before: the table before the change.
        history: the game after it.
        result: how the game ended, if not by its rules (see `ended_by`).
        newcomer: a seat that has just been taken over; if the game is waiting for it, a new turn begins.
        doing_of: the user whose doing the ping of a new turn is; None: it is normal play (see `bot.sessions.pings`).
    """
    table, now = before.table, repository.now()
    if result is None and (outcome := history.outcome) is not None:
        result = Result(winners=outcome.winners, how=Ending.RULES, reason=str(outcome.reason))
    people = [await _mark_if_left(writer, history, seat, n) for n, seat in enumerate(before.players)]
    if result is None and all(seat.status is not SeatStatus.JOINED or seat.computer is not None for seat in people):
        result = ended_by(Ending.DESERTED)
    before = await tidy(writer, before, history, over=result is not None)
    columns: dict[str, Any] = {"version": history.version}
    if result is not None:
        columns |= {"status": Status.FINISHED, "outcome": result, "finished_at": now, "turn": table.turn + 1,
                    "deadline": None, "notice_at": None, "offers": Offers(), "grace": _used(table)}  # fmt: skip
    else:
        columns |= await _time_of(repository, writer, before, history, people, newcomer)
    after = await writer.amend(table, **columns)
    others = tuple(p for p in before.people if p not in before.players)
    snapshot = replace(before, table=after, people=tuple(people) + others, history=history)
    if not (snapshot.thinking and _by_computers(before.history, snapshot)):  # several of their moves in a row are one message
        loud = not _still_there(before.history, snapshot, now) and (
            doing_of is None or await ping_if_allowed(writer, doing_of, _newly_awaited(before, snapshot), now)
        )
        await repository.enqueue(writer, table.id, JobKind.BOARD, "", **({} if loud else {"silent": True}))
    await _tell_watchers(repository, writer, after, moved=after.turn != table.turn and not snapshot.thinking)
    if (offered := table.offers.substitute) is not None:
        await shut_out(repository, writer, snapshot, offered.to)
    await summon(writer, snapshot, now)
    return await rate(writer, repository.with_vacations(snapshot), now)


async def _time_of(
    repository: Repository, writer: Writer, before: Snapshot, history: History, people: Sequence[Seat], newcomer: int | None
) -> dict[str, Any]:
    """The columns for the time of a game that goes on, and for its turn.

    A turn of computers is part of the turn before: nobody has to be told of it until it is somebody's turn again. Whoever is
    the last person among computers has all the time in the world.
    """
    table, now = before.table, repository.now()
    columns: dict[str, Any] = {}
    persons = [seat for seat in people if seat.status is SeatStatus.JOINED and seat.computer is None]
    if table.clock is not None and len(persons) == 1 and before.computers:
        columns["clock"] = None
        table = replace(table, clock=None)
    fresh = newcomer in history.to_act or new_turn(before.history, history)
    awaited = [people[seat] for seat in history.to_act]
    if fresh or table.clock is None or _goes_on(before.history, history):
        over = table.deadline is not None and table.deadline <= now and repository.time_counts()
        columns |= await turn_columns(writer, table, awaited, now)
        if over and forgives(before):  # they have acted before the bot noticed that their time was over
            columns["grace"] = Grace.USED
    if fresh and any(seat.computer is None for seat in awaited):
        columns["turn"] = table.turn + 1
    return columns


def _newly_awaited(before: Snapshot, after: Snapshot) -> list[int]:
    """The users who are pinged because a new turn has begun."""
    return [player.user_id for player in after.awaited] if after.table.turn != before.table.turn else []


def _still_there(before: History | None, after: Snapshot, now: float) -> bool:
    """Whether the game waits only for who has just acted by hand, and is looking at it.

    They were answered by plans or computers, or have taken back what they did, to which computers agree at once.
    """
    log = after.playing.log
    if before is None or before.version == len(log):
        return False
    by_hand = next((logged.entry for logged in reversed(log) if not _answers(logged.entry)), None)
    if by_hand is None or now - by_hand.at > STAYS:
        return False
    stays = by_hand.kind is EntryKind.UNDO if by_hand is log[-1].entry else by_hand.kind is EntryKind.PLAY
    return stays and all(player.user_id == by_hand.user_id for player in after.awaited)


def _answers(entry: Entry) -> bool:
    """Whether an entry is what somebody had planned, or what a computer does."""
    return entry.fired or _computed(entry)


def _by_computers(before: History | None, after: Snapshot) -> bool:
    """Whether all that is new in a game was done by computers."""
    new = () if before is None else after.playing.log[before.version :]
    return bool(new) and all(_computed(logged.entry) for logged in new)


def _computed(entry: Entry) -> bool:
    """Whether a computer did what an entry tells."""
    return entry.user_id is not None and is_computer(entry.user_id)


def ended_by(how: Ending, winners: Sequence[int] = ()) -> Result:
    """The result of a game that was not ended by its rules."""
    return Result(winners=tuple(winners), how=how, reason=str(REASONS[how]))


def abandoned(snapshot: Snapshot) -> Result:
    """The result of a game without a clock that its awaited players have let lie: those who went on waiting win it.

    Nobody wins if the game had not really begun, because somebody who is awaited had not acted at all, or if there is nobody
    who went on waiting.
    """
    history = snapshot.playing
    awaited = set(history.to_act)
    acted = {logged.entry.seat for logged in history.in_force if logged.entry.kind is EntryKind.PLAY}
    waiting = [seat for seat in snapshot.present if seat not in awaited]
    return ended_by(Ending.ABANDONED, waiting if awaited <= acted else ())


async def _tell_watchers(repository: Repository, writer: Writer, table: Table, *, moved: bool) -> None:
    """Enqueue a notice for each watcher: at the end of the game for all, at a new turn for those who want every turn."""
    over = table.status is Status.FINISHED
    if not moved and not over:
        return
    for watch in await writer.watchers(table.id):
        if over or watch.what is WatchFor.TURN:
            await repository.enqueue(writer, table.id, JobKind.WATCH, str(watch.user_id), user=watch.user_id, turn=table.turn)


def new_turn(before: History | None, after: History) -> bool:
    """Whether the game has begun to wait for a seat that it was not waiting for; only then is there something to announce.

    It need not be waiting for that seat any more: where a plan has answered at once, it is the turn of somebody else again.
    """
    if before is None:
        return True
    new = range(before.version + 1, after.version + 1)
    return any(asks_anew(after.awaited(version - 1), after.awaited(version)) for version in new)


def _goes_on(before: History | None, after: History) -> bool:
    """Whether an awaited player has acted and is still awaited: they are present, so they get the whole time again.

    What others do out of turn, or in answer to the same question, gives nobody more time; nor does what was planned ahead.
    """
    new = () if before is None else after.log[before.version :]
    acted = {logged.entry.seat for logged in new if not logged.entry.fired}
    return before is not None and bool(acted & set(before.to_act) & set(after.to_act))


async def turn_columns(reader: Reader, table: Table, awaited: Sequence[Seat], now: float) -> dict[str, Any]:
    """The columns for a turn that begins now: when it began, its deadline, and when the first reminder is due.

    If an awaited player is on vacation, the clock starts when the vacation ends. Without a clock, the deadline is when the game
    counts as abandoned.
    """
    columns: dict[str, Any] = {"turn_began": now, "given_back": None, "grace": _used(table)}
    if table.clock is None:
        return columns | {"deadline": now + ABANDONED_AFTER, "notice_at": now + WARNED_AFTER}
    begins = now
    for seat in awaited:
        person = await reader.person(seat.user_id)
        begins = max(begins, person.vacation_until or 0.0)
    reminded = any(seat.computer is None for seat in awaited)
    return columns | {"deadline": begins + table.clock, "notice_at": begins + table.clock / 2 if reminded else None}


def _used(table: Table) -> Grace:
    """The grace of a table when the turn that may be in it is over."""
    return Grace.USED if table.grace is Grace.RUNNING else table.grace


async def _mark_if_left(writer: Writer, history: History, seat: Seat, number: int) -> Seat:
    """The seat, marked as withdrawn if its player has left the game."""
    if number in history.departed and seat.status is SeatStatus.JOINED:
        seat = replace(seat, status=SeatStatus.WITHDRAWN)
        await writer.put_seat(seat)
    return seat
