"""What computers at a table have to decide, and when they are asked.

After every change of a game it is written down, in the same transaction, whether a computer has something to decide there, and
from when on it is asked (`Thinking`). What is written depends on what everybody knows alone: a computer with cards is asked
whether it plays one out of turn whatever its cards are, and a computer whose turn it is waits for that equally long each time.
So a restart forgets nothing, and nobody learns from who is asked what a computer holds.
"""

from enum import StrEnum
from typing import Final

from bot.sessions.computer_players import is_computer
from bot.sessions.history import History
from bot.sessions.snapshot import Snapshot
from storage.records import EntryKind, Status, Thinking
from storage.store import Writer

PAUSE: Final = 2.0
"""Seconds after somebody else than a computer has acted before a computer does, so that people can follow."""

BETWEEN_COMPUTERS: Final = 1.0
"""Seconds after a computer has acted before it or another one does: no board is shown in between that people could follow."""

REACTION: Final = 0.5
"""Seconds before a computer is asked whether it acts out of turn: sooner than a computer whose turn it is."""

HEARING: Final = 1.0
"""Seconds for each computer that is asked so, which a computer whose turn it is waits for whether or not they are needed."""

AFTER_LEAVING: Final = 60.0
"""Seconds after somebody has left before a computer goes on. Until then the seat can be given to somebody else."""

WHILE_ASKED: Final = 600.0
"""The most seconds that computers wait for people to agree on what only the present board allows."""


class QuestionKind(StrEnum):
    """What a computer is asked."""

    MOVE = "move"
    """What it plays, now that the game waits for it."""
    INTERRUPT = "interrupt"
    """What it plays out of turn, if anything."""
    DRAW = "draw"
    """Whether it agrees to a draw."""


def next_question(snapshot: Snapshot, asked: tuple[int, ...] = ()) -> tuple[QuestionKind, int] | None:
    """What is to be asked next at a table, and of which seat; None: nothing.

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


def _out_of_turn(snapshot: Snapshot) -> list[int]:
    """The computers that are asked about acting out of turn."""
    history = snapshot.playing
    computers = set(snapshot.computers) & set(snapshot.present) - set(history.to_act)
    return [seat for seat in history.game.may_interrupt(history.state) if seat in computers] if computers else []


async def summon(writer: Writer, snapshot: Snapshot, now: float) -> None:
    """Write down what computers have to decide at a table whose game has just moved on, in the transaction of that.

    Args:
        writer: the transaction.
        snapshot: the table after the change.
        now: the current time, in seconds since the epoch.
    """
    if snapshot.computers:
        await _write_down(writer, snapshot, (), now, now)


async def summon_again(writer: Writer, snapshot: Snapshot, now: float, *, answered: int | None = None) -> None:
    """The same where something else has changed than the board: an offer, or that a computer has answered.

    Nobody is asked a second time about acting out of turn on the same board.

    Args:
        writer: the transaction.
        snapshot: the table after the change.
        now: the current time, in seconds since the epoch.
        answered: a seat that has just decided not to act out of turn.
    """
    if not snapshot.computers:
        return
    before = await writer.thinking(snapshot.table.id)
    same = before if before is not None and before.version == snapshot.table.version else None
    asked = snapshot.computers if same is None else same.asked
    since = now if same is None else same.created_at
    await _write_down(writer, snapshot, (*asked, *(() if answered is None else (answered,))), since, now)


async def _write_down(writer: Writer, snapshot: Snapshot, asked: tuple[int, ...], since: float, now: float) -> None:
    """Write down what is asked next on a board that has been there since a moment."""
    table, question = snapshot.table, next_question(snapshot, asked)
    if question is None:
        await writer.remove_thinking(table.id)
        return
    due = max(now, since + _pause(snapshot, question[0]))
    await writer.put_thinking(Thinking(table_id=table.id, version=table.version, due=due, asked=asked, created_at=since))


def _pause(snapshot: Snapshot, kind: QuestionKind) -> float:
    """The seconds after a change before a computer is asked."""
    history, offers = snapshot.playing, snapshot.table.offers
    if any(offer is not None and offer.version == history.version for offer in (offers.undo, offers.computer)):
        return WHILE_ASKED
    if _just_left(history):
        return AFTER_LEAVING if offers.substitute is None else WHILE_ASKED
    if kind is QuestionKind.INTERRUPT:
        return REACTION
    last = history.log.last
    moves = kind is QuestionKind.MOVE
    going_on = moves and last is not None and last.entry.kind is EntryKind.PLAY and is_computer(last.entry.user_id or 0)
    out_of_turn = _out_of_turn(snapshot) if moves else ()
    return max(BETWEEN_COMPUTERS if going_on else PAUSE, REACTION + HEARING * len(out_of_turn))


def _just_left(history: History) -> bool:
    last = history.log.last
    return last is not None and last.entry.kind is EntryKind.WITHDRAW
