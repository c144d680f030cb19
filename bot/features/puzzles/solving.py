"""A person's attempt at a puzzle: the position that they have reached, and how each action changes the stored row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from bot.core.server_days import ServerDay
from bot.core.table.errors import Refused
from bot.core.table.history import History
from bot.core.table.position import LinePosition
from engines.game import Action, IllegalAction, open_view
from engines.position_codes import Line
from engines.text import say
from opponents.puzzles.judging import Answer, Verdict, answer, begin, solution
from opponents.puzzles.puzzle import Puzzle
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import PuzzleOutcome

MOST_JUDGED: Final = 100
"""The most actions of a first attempt that are stored as right or wrong. Further actions can still be played."""


@dataclass(frozen=True)
class Solving:
    """A person's attempt at a puzzle."""

    puzzle: Puzzle
    attempt: PuzzleAttempt

    @cached_property
    def answer(self) -> Answer | None:
        """The answer to the right actions so far, or None before the first. Raises Refused if they are unplayable."""
        if not self.attempt.played:
            return None
        try:
            found = answer(self.puzzle, self.attempt.played)
        except ValueError as error:
            raise unreadable() from error
        if found.verdict is Verdict.WRONG:
            raise unreadable()
        return found

    @property
    def line(self) -> Line:
        """The line from the puzzle's position to the current one, including the last reply."""
        return begin(self.puzzle) if self.answer is None else self.answer.line

    @property
    def left(self) -> int:
        """How many actions the solver still has to find."""
        return len(self.puzzle.own) if self.answer is None else self.answer.left

    @property
    def solution(self) -> Line:
        """The whole line, for a person whose attempt is over."""
        return solution(self.puzzle, self.attempt.played)

    @property
    def is_first(self) -> bool:
        """Whether the first attempt is still going on."""
        return self.attempt.outcome is None

    @property
    def is_of_day(self) -> bool:
        """Whether this is the first attempt at a daily puzzle, ongoing or ended."""
        return self.attempt.day is not None and self.attempt.solved + self.attempt.given_up <= 1

    @property
    def wrong(self) -> int:
        """The number of wrong actions of the first attempt."""
        return self.attempt.judged.count(False)


def unreadable() -> Refused:
    """Return the refusal for an attempt that cannot be played because its row is damaged."""
    return Refused(say("I’ve lost track of where you were in this puzzle. `/puzzle` shows you another one."))


def board(line: Line) -> LinePosition:
    """Return the position at the end of a puzzle's line, as far as it can be known for certain."""
    game, state = line.start.game, line.start.state
    history = History(game, open_view(game, state).seats, state)
    for seat, action in line.actions[: len(line.steps)]:
        history = history.forward(seat, action)
    return LinePosition(history)


def first_attempt(
    puzzle: Puzzle, user_id: int, name: str, guild_id: int, now: float, day: ServerDay | None = None
) -> PuzzleAttempt:
    """Return the row of a person's first attempt at a puzzle, which is the daily one if `day` is given."""
    number, ends = (None, None) if day is None else (day.number, day.ends)
    return PuzzleAttempt(
        user_id=user_id, puzzle=puzzle.name, name=name, guild_id=guild_id, day=number, day_ends=ends, began_at=now, used_at=now
    )  # fmt: skip


def another_attempt(attempt: PuzzleAttempt, now: float) -> PuzzleAttempt:
    """Return the row of a person who begins a puzzle again."""
    return replace(attempt, ongoing=True, played=(), used_at=now, version=attempt.version + 1)


@dataclass(frozen=True, slots=True)
class Judged:
    """An action, the answer to it, and the new row. `decided` is True if the first attempt is won, False if lost, or None."""

    action: Action
    answer: Answer
    attempt: PuzzleAttempt
    decided: bool | None

    @property
    def right(self) -> bool:
        """Whether the action is right."""
        return self.answer.verdict is not Verdict.WRONG


def judge(solving: Solving, action: Action, now: float) -> Judged:
    """Judge an action in an ongoing attempt. Raises Refused if it is illegal."""
    puzzle, attempt = solving.puzzle, solving.attempt
    try:
        found = answer(puzzle, (*attempt.played, action))
    except IllegalAction as error:
        raise Refused(say("That isn’t possible here.")) from error
    right, solved = found.verdict is not Verdict.WRONG, found.verdict is Verdict.SOLVED
    after = replace(attempt, used_at=now, version=attempt.version + 1)
    if right:
        after = replace(after, played=(*attempt.played, action))
    if solved:
        after = replace(after, ongoing=False, solved=attempt.solved + 1)
    if not solving.is_first:
        return Judged(action, found, after, None)
    flawless = all(attempt.judged)
    after = replace(after, judged=(*attempt.judged, right)[:MOST_JUDGED])
    if solved:
        after = replace(after, outcome=PuzzleOutcome.SOLVED, ended_at=now)
    return Judged(action, found, after, (solved or None if right else False) if flawless else None)


def given_up(solving: Solving, now: float) -> tuple[PuzzleAttempt, bool | None]:
    """Return the row of a person who gives up, and whether that decides the first attempt, as in `Judged.decided`."""
    attempt = solving.attempt
    after = replace(attempt, used_at=now, version=attempt.version + 1, ongoing=False, given_up=attempt.given_up + 1)
    if not solving.is_first:
        return after, None
    return replace(after, outcome=PuzzleOutcome.GIVEN_UP, ended_at=now), False if all(attempt.judged) else None


def legal_so_far(puzzle: Puzzle, played: Sequence[Action]) -> bool:
    """Whether the stored actions are right ones for a puzzle."""
    try:
        return not played or answer(puzzle, played).verdict is not Verdict.WRONG
    except ValueError:
        return False
