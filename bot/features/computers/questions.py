"""What computers at a table have to decide, and when they are asked.

Each change of a game stores the next question in the same transaction (`Thinking`), so a restart loses none. Only public
knowledge determines it: a computer is asked whether it acts out of turn no matter what its cards are, and a computer whose turn
it is waits equally long for these decisions each time.

The time of an answer gives nothing away either: where hands are hidden, the answer comes a fixed time after the question
(`pace_of`), however long the computer has thought. The pauses below include that time.
"""

from enum import StrEnum
from typing import Final

from bot.core.change import Change
from bot.core.parts import Part
from bot.core.table.computer_players import is_computer
from bot.core.table.snapshot import Snapshot
from bot.features.computers import sql
from engines.game import may_interrupt
from opponents import opponent
from storage.schema.records import EntryKind, Level, Status, Thinking

PAUSE: Final = 2.0
"""Seconds between a person's action and a computer's, so that people can follow the game."""

BETWEEN_COMPUTERS: Final = 0.1
"""Seconds between two computers' actions. It is short, as no board is posted in between."""

UNSEEN: Final = 0.5
"""Seconds between a person's action and a computer's at a table whose board is not posted. Only that person is watching."""

REACTION: Final = 0.1
"""Seconds until a computer decides whether to act out of turn. A computer whose turn it is takes longer."""

HEARING: Final = 0.15
"""Seconds that a computer whose turn it is always waits for each computer that may act out of turn.

This is somewhat more than they take at the level *easy*, at which all are asked. If the wait is longer, it only shows that the
machine is slow.
"""

AFTER_LEAVING: Final = 60.0
"""Seconds before computers go on after a player has left, so that the seat can be given to another person."""

WHILE_ASKED: Final = 600.0
"""The most seconds that computers wait for people to agree on something that only the current board allows."""


class QuestionKind(StrEnum):
    """The kinds of questions that a computer is asked."""

    MOVE = "move"
    """What the computer plays, now that the game is waiting for it."""
    INTERRUPT = "interrupt"
    """What the computer plays out of turn, if anything."""
    DRAW = "draw"
    """Whether the computer agrees to a draw."""


def next_question(snapshot: Snapshot, asked: tuple[int, ...] = ()) -> tuple[QuestionKind, int] | None:
    """Return the next question and the seat to answer it, or None. `asked` are seats already asked about acting out of turn."""
    history = snapshot.history
    if history is None or snapshot.table.status is not Status.PLAYING:
        return None
    computers = [seat for seat in snapshot.computers if seat in snapshot.present]
    draw = snapshot.table.offers.draw
    for seat in computers if draw is not None else ():
        if draw is not None and seat not in draw.agreed:
            return QuestionKind.DRAW, seat
    for seat in _out_of_turn(snapshot):
        if seat not in asked:
            return QuestionKind.INTERRUPT, seat
    return next(((QuestionKind.MOVE, seat) for seat in computers if seat in history.to_act), None)


def pace_of(snapshot: Snapshot, kind: QuestionKind, seat: int) -> float:
    """Return the seconds until the answer to a question is shown. For acting out of turn, every level is as fast as *easy*."""
    table, level = snapshot.table, snapshot.players[seat].computer
    assert level is not None, "only computers are asked"
    who = opponent(table.game, Level.EASY if kind is QuestionKind.INTERRUPT else level, table.rules)
    return who.pace


def _out_of_turn(snapshot: Snapshot) -> list[int]:
    history = snapshot.playing
    computers = set(snapshot.computers) & set(snapshot.present) - set(history.to_act)
    return [seat for seat in may_interrupt(history.game, history.state) if seat in computers] if computers else []


async def notify_computers(change: Change) -> None:
    """Store what computers have to decide after a move, in the move's transaction."""
    if change.snapshot.computers:
        await _put_question(change, (), change.now)


async def notify_computers_again(change: Change, *, answered: int | None = None) -> None:
    """Store what computers have to decide after an offer, or after `answered` has declined to act out of turn on this board."""
    snapshot = change.snapshot
    if not snapshot.computers:
        return
    before = await sql.get(change.writer, change.table.id)
    same = before if before is not None and before.version == change.table.version else None
    asked = snapshot.computers if same is None else same.asked
    since = change.now if same is None else same.created_at
    await _put_question(change, (*asked, *(() if answered is None else (answered,))), since)


async def _put_question(change: Change, asked: tuple[int, ...], since: float) -> None:
    """Store which computer is asked next. `since` is when the current board came to be."""
    table, question = change.table, next_question(change.snapshot, asked)
    if question is None:
        await sql.remove(change.writer, table.id)
        return
    due = max(change.now, since + _pause(change.snapshot, *question))
    await sql.put(change.writer, Thinking(table_id=table.id, version=table.version, due=due, asked=asked, created_at=since))


def _pause(snapshot: Snapshot, kind: QuestionKind, seat: int) -> float:
    """Return how many seconds after a change the computer is asked the question that results from it."""
    history, offers = snapshot.playing, snapshot.table.offers
    if any(offer is not None and offer.version == history.version for offer in (offers.undo, offers.computer)):
        return WHILE_ASKED
    last = history.log.last
    if last is not None and last.entry.kind is EntryKind.WITHDRAW:
        return AFTER_LEAVING if offers.substitute is None else WHILE_ASKED
    if kind is QuestionKind.INTERRUPT:
        return REACTION - pace_of(snapshot, kind, seat)
    moves = kind is QuestionKind.MOVE
    going_on = moves and last is not None and last.entry.kind is EntryKind.PLAY and is_computer(last.entry.user_id)
    out_of_turn = _out_of_turn(snapshot) if moves else ()
    pause = BETWEEN_COMPUTERS if going_on else UNSEEN if snapshot.table.solo else PAUSE
    shown = max(pause, REACTION + HEARING * len(out_of_turn))
    return shown - pace_of(snapshot, kind, seat)


PART: Final = Part(name="computers", started=notify_computers, advanced=notify_computers, offered=notify_computers_again)
