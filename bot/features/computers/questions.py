"""The decisions of computers at a table, and when they are asked.

After every change of a game it is written down, in the same transaction, whether a computer has something to decide there, and
from when on it is asked (`Thinking`). What is written depends on what everybody knows alone: a computer with cards is asked
whether it plays one out of turn whatever its cards are, and a computer whose turn it is waits for that equally long each time.
So a restart forgets nothing, and nobody learns from who is asked what a computer holds.

Nor from when it answers: where hands are hidden, what a computer decides is done at a fixed time after it was asked
(`pace_of`), however long it has thought. The short pauses below end with that: computers are asked earlier by as much.
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
"""Seconds after a person has acted before a computer does, so that people can follow."""

BETWEEN_COMPUTERS: Final = 0.1
"""Seconds after a computer has acted before it or another one does: no board is shown in between that people could follow."""

UNSEEN: Final = 0.5
"""Seconds after a person has acted where no board is posted: nobody follows, and they wait."""

REACTION: Final = 0.1
"""Seconds before a computer has decided whether it acts out of turn: sooner than a computer whose turn it is."""

HEARING: Final = 0.15
"""Seconds for each computer that is asked so, which a computer whose turn it is waits for whether or not they are needed.

It is somewhat more than they take at the level *easy*, at which all of them are asked. If they take longer, it waits longer:
that tells of the machine, and not of their cards.
"""

AFTER_LEAVING: Final = 60.0
"""Seconds after a player has left before a computer goes on. Until then the seat can be given to another person."""

WHILE_ASKED: Final = 600.0
"""The most seconds that computers wait for people to agree on what only the present board allows."""


class QuestionKind(StrEnum):
    """A kind of question to a computer."""

    MOVE = "move"
    """What it plays, now that the game waits for it."""
    INTERRUPT = "interrupt"
    """What it plays out of turn, if anything."""
    DRAW = "draw"
    """Whether it agrees to a draw."""


def next_question(snapshot: Snapshot, asked: tuple[int, ...] = ()) -> tuple[QuestionKind, int] | None:
    """Return the question that is asked next at a table, and the seat that is asked; None: nobody is.

    Args:
        snapshot: the table.
        asked: the seats that have been asked about acting out of turn on this board.
    """
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
    """Return after how many seconds a computer's answer is shown, counted from the question; 0: at once.

    No level thinks for long about acting out of turn.
    """
    table, level = snapshot.table, snapshot.players[seat].computer
    assert level is not None, "only computers are asked"
    who = opponent(table.game, Level.EASY if kind is QuestionKind.INTERRUPT else level, table.rules)
    return who.pace


def _out_of_turn(snapshot: Snapshot) -> list[int]:
    """Return the seats of the computers that are asked about acting out of turn."""
    history = snapshot.playing
    computers = set(snapshot.computers) & set(snapshot.present) - set(history.to_act)
    return [seat for seat in may_interrupt(history.game, history.state) if seat in computers] if computers else []


async def notify_computers(change: Change) -> None:
    """Write down what computers have to decide at a table whose game has just moved on, in the transaction of that."""
    if change.snapshot.computers:
        await _put_question(change, (), change.now)


async def notify_computers_again(change: Change, *, answered: int | None = None) -> None:
    """As `notify_computers`, where something else has changed than the board: an offer, or that a computer has answered.

    No computer is asked a second time about acting out of turn on the same board. `answered` is a seat that has just decided
    not to do so.
    """
    snapshot = change.snapshot
    if not snapshot.computers:
        return
    before = await sql.get(change.writer, change.table.id)
    same = before if before is not None and before.version == change.table.version else None
    asked = snapshot.computers if same is None else same.asked
    since = change.now if same is None else same.created_at
    await _put_question(change, (*asked, *(() if answered is None else (answered,))), since)


async def _put_question(change: Change, asked: tuple[int, ...], since: float) -> None:
    """Write down which computer is asked next on a board that has been there `since` a moment."""
    table, question = change.table, next_question(change.snapshot, asked)
    if question is None:
        await sql.remove(change.writer, table.id)
        return
    due = max(change.now, since + _pause(change.snapshot, *question))
    await sql.put(change.writer, Thinking(table_id=table.id, version=table.version, due=due, asked=asked, created_at=since))


def _pause(snapshot: Snapshot, kind: QuestionKind, seat: int) -> float:
    """The seconds after a change before a computer is asked."""
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
