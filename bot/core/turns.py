"""What follows when a game advances: whose turn it is and until when, whether the game is over, and the jobs that show it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.core.change import Change
from bot.core.pings import ping_if_allowed
from bot.core.reminders import next_notice, waking_deadline
from bot.core.table.computer_players import is_computer
from bot.core.table.deadlines import ABANDONED_AFTER, awaited_ids, away_until, deadline_after_vacations, ends_at, gives_grace
from bot.core.table.history import History
from bot.core.table.players import losses
from bot.core.table.since import asks_anew
from bot.core.table.snapshot import REASONS, Snapshot
from engines.text import Text, say
from storage.schema.records import Ending, EntryKind, Grace, JobKind, Offers, Result, SeatStatus, Status, Table

DAY: Final = 86400.0
STAYS: Final = 300.0
"""Seconds for which a player who has acted is assumed to go on looking at the game."""


async def advance(
    change: Change, result: Result | None = None, *, newcomer: int | None = None, doing_of: int | None = None
) -> None:
    """Write what follows when the game has advanced. `result` is given if something other than its rules ended it.

    If the game waits for `newcomer`, who took over a seat, a new turn begins. If `doing_of` is given, that user is charged for
    the pings of the turn. See `ended_by` for results.
    """
    before, history = change.snapshot, change.history
    table, departed = before.table, history.departed
    if result is None and (outcome := history.outcome) is not None:
        result = Result(winners=outcome.winners, how=Ending.RULES, reason=str(outcome.reason))
    for number, seat in enumerate(before.players):
        if number in departed and seat.status is SeatStatus.JOINED:
            await change.put_seat(replace(seat, status=SeatStatus.WITHDRAWN))
    if result is None and not change.snapshot.persons:
        result = ended_by(Ending.DESERTED)
    await change.core.parts.answers.tidy(change, over=result is not None)
    if result is not None:
        await change.amend(
            version=history.version, status=Status.FINISHED, outcome=result, finished_at=change.now, turn=table.turn + 1,
            deadline=None, notice_at=None, offers=Offers(), grace=_grace_after(table),
        )  # fmt: skip
    else:
        columns = await _time_columns(change, newcomer, over_is_forgiven=gives_grace(before))
        await change.amend(version=history.version, **columns)
    await _show(change, doing_of)
    await change.core.parts.advanced(change)
    change.snapshot = change.core.with_vacations(change.snapshot)
    if result is not None:
        await change.core.parts.ended(change)


async def _time_columns(change: Change, newcomer: int | None, *, over_is_forgiven: bool) -> dict[str, Any]:
    """Return the columns for time and turn of a game that goes on. Among computers alone, the last person has no clock."""
    before, history = change.before.playing, change.history
    table, clock = change.table, change.table.clock
    columns: dict[str, Any] = {}
    if clock is not None and len(change.snapshot.persons) == 1 and change.snapshot.computers:
        columns["clock"] = clock = None
    fresh = newcomer in history.to_act or new_turn(before, history)
    # A player who has acted by hand and is still awaited is present, and gets the full time again.
    acted = {logged.entry.seat for logged in change.new_entries if not logged.entry.fired}
    if fresh or clock is None or acted & set(before.to_act) & set(history.to_act):
        ends = ends_at(table)
        over = ends is not None and ends <= change.pressed and change.core.time_counts()
        columns |= await turn_columns(change, clock)
        if over and over_is_forgiven:  # they have acted before the bot noticed that their time was over
            columns["grace"] = Grace.USED
    elif table.deadline is not None and set(history.to_act) != set(before.to_act):
        columns |= await _moved_columns(change, table.deadline)
    if fresh and any(change.snapshot.players[seat].computer is None for seat in history.to_act):
        columns["turn"] = table.turn + 1
    return columns


async def _moved_columns(change: Change, deadline: float) -> dict[str, Any]:
    """Return the columns for a turn that goes on, but now waits for other people, who may be on vacation."""
    now = change.now
    before = await away_until(change.writer, awaited_ids(change.snapshot, change.before.playing.to_act))
    awaited = awaited_ids(change.snapshot, change.history.to_act)
    after = await away_until(change.writer, awaited)
    later = deadline_after_vacations(deadline, now, before, after)
    if later == deadline:
        notice = change.table.notice_at
        if notice is None or notice <= now:
            return {}
        running = replace(change.table, deadline=ends_at(change.table))
        return {
            "notice_at": await next_notice(change.writer, running, awaited, now)
        }  # the others' reminder, not that of the player who has acted
    later = await waking_deadline(change.writer, change.table, later, awaited, now)
    return {"deadline": later, "notice_at": now}


async def _show(change: Change, doing_of: int | None) -> None:
    """Enqueue the board. Several moves of computers in a row share one message. `advance` explains `doing_of`."""
    acted = [logged.entry.user_id for logged in change.new_entries]
    if acted and change.snapshot.thinking and all(map(is_computer, acted)):
        return
    turn_began = change.table.turn != change.before.table.turn
    pinged = [player.user_id for player in change.snapshot.awaited] if turn_began else []
    loud = not _still_there(change) and (doing_of is None or await ping_if_allowed(change, doing_of, pinged))
    await change.enqueue(JobKind.BOARD, "", **({} if loud else {"silent": True}))


def _still_there(change: Change) -> bool:
    """Whether the game waits only for the player who has just acted by hand, and is presumably still looking at it."""
    log = change.history.log
    if not change.new_entries:
        return False
    entries = (logged.entry for logged in reversed(log))
    by_hand = next((entry for entry in entries if not entry.fired and not is_computer(entry.user_id)), None)
    if by_hand is None or change.now - by_hand.at > STAYS:
        return False
    stays = by_hand.kind is EntryKind.UNDO if by_hand is log[-1].entry else by_hand.kind is EntryKind.PLAY
    return stays and all(player.user_id == by_hand.user_id for player in change.snapshot.awaited)


def ended_by(how: Ending, winners: Sequence[int] = ()) -> Result:
    """Return the result of a game that was not ended by its rules."""
    return Result(winners=tuple(winners), how=how, reason=str(REASONS[how]))


def abandonment(snapshot: Snapshot) -> Result:
    """Return the result of an abandoned game. Those who were not awaited win, unless an awaited player had never acted."""
    history = snapshot.playing
    awaited = set(history.to_act)
    acted = {logged.entry.seat for logged in history.in_force if logged.entry.kind is EntryKind.PLAY}
    waiting = [seat for seat in snapshot.present if seat not in awaited]
    return ended_by(Ending.ABANDONED, waiting if awaited <= acted else ())


MOVES_TO_CALL_OFF: Final = 2
"""The number of moves after which, once every player has made them, the game can no longer be called off."""


def too_late_to_call_off(snapshot: Snapshot) -> Text | None:
    """Return why a game can't be called off, or None while nobody has left and not all have made two lasting moves."""
    if len(snapshot.present) < len(snapshot.players) or losses(snapshot):
        return say("Somebody has left this game, so it can’t be called off any more.")
    moves = dict.fromkeys(range(len(snapshot.players)), 0)
    for logged in snapshot.playing.log:
        if not logged.undone and logged.entry.kind is EntryKind.PLAY and not any(event.tally for event in logged.events):
            moves[logged.entry.seat] += 1
            if min(moves.values()) >= MOVES_TO_CALL_OFF:
                return say("Everybody has made two moves, so the game can’t be called off any more.")
    return None


def new_turn(before: History, after: History) -> bool:
    """Whether the game has begun to wait for a new seat, even if a plan has answered for that seat by now."""
    new = range(before.version + 1, after.version + 1)
    return any(asks_anew(after.awaited(version - 1), after.awaited(version)) for version in new)


async def turn_columns(change: Change, clock: int | None) -> dict[str, Any]:
    """Return the columns of a turn that begins now. If `clock` is None, the game counts as abandoned at the deadline."""
    now, awaited = change.now, awaited_ids(change.snapshot, change.history.to_act)
    columns: dict[str, Any] = {"turn_began": now, "given_back": None, "grace": _grace_after(change.table)}
    begins = now if clock is None else max(now, await away_until(change.writer, awaited))
    columns["deadline"] = begins + (ABANDONED_AFTER if clock is None else clock)
    running = replace(change.table, clock=clock, deadline=columns["deadline"], grace=columns["grace"])
    return columns | {"notice_at": await next_notice(change.writer, running, awaited, now)}


def _grace_after(table: Table) -> Grace:
    return Grace.USED if table.grace is Grace.RUNNING else table.grace
