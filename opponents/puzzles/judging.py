"""The answer to a solver's action: it is right and gets a reply, or it solves the puzzle, or it is wrong for a given reason.

All functions are pure functions of the puzzle and of the solver's actions. `answer` and `solution` take a fraction of a second:
they follow the line or, where the task is to score in a turn, look through the rest of the turn. `refute` and `explain` give
the reasons in words (`opponents.puzzles.reasons`). They are as fast, unless the puzzle `takes_thought`. Then they think as much
as for a judgement about a move or two, and belong in the processes where computers think.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from engines.game import Action, action_words
from engines.position_codes import Line, follow
from engines.text import Text, join, say, say_n, seat_name
from opponents.bouncers.opponent import BouncersOpponent
from opponents.contract import Budget, Level
from opponents.puzzles.goals import best_actions, goals_of, most_goals
from opponents.puzzles.later import is_lost
from opponents.puzzles.puzzle import Goal, Proof, Puzzle
from opponents.puzzles.reasons import bouncers, bunny, bunny_best, pucks
from opponents.puzzles.reasons.bouncers_moments import Situation

THOUGHT: Final = BouncersOpponent.budgets[Level.EXPERT]
"""The budget for each position that is thought about to give a reason."""


class Verdict(StrEnum):
    """The verdict on the solver's last action."""

    RIGHT = "right"
    """It is right. The other side has replied, and the solver goes on."""

    SOLVED = "solved"
    """It is right, and it was the last one to find."""

    WRONG = "wrong"
    """It is wrong. The solver may try again from the position before it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the solver's actions.

    Attributes:
        line: everything that was played, including the last reply.
        own, left: the number of right actions so far, and the number still to be found.
    """

    verdict: Verdict
    line: Line
    own: int
    left: int


@dataclass(frozen=True, slots=True)
class Refutation:
    """The reason why an action is wrong, in words and, where the words do not give them, in numbers.

    The line has the wrong action, and the best play after it, as far as that is certain.
    """

    line: Line
    words: Text
    numbers: Text | None = None


def begin(puzzle: Puzzle) -> Line:
    """Return a puzzle's position, as a line without actions."""
    return Line(puzzle.line.start)


def answer(puzzle: Puzzle, played: Sequence[Action]) -> Answer:
    """Return the answer to the solver's actions, all of which but the last one must have been right.

    An action that leads to the same position as the line's own action is right, whatever its path. Where the task is to score
    in a turn, an action is right if enough pucks can still be scored after it. Where the task is to find the best action, every
    action that gives nothing away is right.

    Raises:
        IllegalAction: an action is not legal.
        ValueError: there is no action, or an earlier one was wrong.
    """
    line, whole, seat = begin(puzzle), puzzle.line, puzzle.seat
    if not played:
        raise ValueError(f"{puzzle.name}: nothing was played")
    for count, action in enumerate(played, 1):
        line = follow(line, seat, action)
        is_solved = _goals(line, seat) >= puzzle.goals if puzzle.goal is Goal.SCORE else len(line.actions) == len(whole.actions)
        left = 0 if is_solved else max(1, len(puzzle.own) - count)
        if not _is_right(puzzle, line):
            if count < len(played):
                raise ValueError(f"{puzzle.name}: action {count} was wrong")
            return Answer(Verdict.WRONG, line, count - 1, max(1, len(puzzle.own) - count + 1))
        if left and puzzle.goal is not Goal.SCORE:
            line = _with_replies(line, whole, seat)
    return Answer(Verdict.RIGHT if left else Verdict.SOLVED, line, len(played), left)


def _is_right(puzzle: Puzzle, line: Line) -> bool:
    if puzzle.goal is Goal.SCORE:
        return _goals(line, puzzle.seat) + most_goals(line.end.state, puzzle.seat) >= puzzle.goals
    whole, place = puzzle.line, len(line.actions) - 1
    if puzzle.goal is Goal.BEST:
        return not puzzle.lost(line.actions[place][1])
    if len(line.steps) <= place or len(whole.steps) <= place:
        return line.actions[place] == whole.actions[place]
    return bool(line.steps[place].state == whole.steps[place].state)


def _goals(line: Line, seat: int) -> int:
    return goals_of(line.start.state, line.end.state, seat)


def _with_replies(line: Line, whole: Line, seat: int) -> Line:
    """Return a line with the next actions of the whole line, up to the solver's next one."""
    for other, action in whole.actions[len(line.actions) :]:
        if other == seat:
            break
        line = follow(line, other, action)
    return line


def solution(puzzle: Puzzle, played: Sequence[Action] = ()) -> Line:
    """Return the whole line, beginning with the right actions already played, for a solver who gives up."""
    line = answer(puzzle, played).line if played else begin(puzzle)
    if puzzle.goal is Goal.SCORE:
        rest = [(puzzle.seat, action) for action in best_actions(line.end.state, puzzle.seat)]
    else:
        rest = list(puzzle.line.actions[len(line.actions) :])
    for seat, action in rest:
        line = follow(line, seat, action)
    return line


def takes_thought(puzzle: Puzzle) -> bool:
    """Return whether `refute` and `explain` have to think about a puzzle for some time."""
    return puzzle.goal not in {Goal.SCORE, Goal.BEST}


def refute(puzzle: Puzzle, played: Sequence[Action], budget: Budget = THOUGHT) -> Refutation:
    """Return why the solver's last action is wrong. The same arguments always give the same reason.

    Raises the same errors as `answer`, and ValueError if the action is right.
    """
    found = answer(puzzle, played)
    if found.verdict is not Verdict.WRONG:
        raise ValueError(f"{puzzle.name}: {played[-1]} is right")
    line, action = found.line, played[-1]
    states = _states(line)[: len(line.actions)]
    match puzzle.goal:
        case Goal.SCORE:
            return Refutation(line, _too_few(puzzle, line))
        case Goal.CARROT:
            why = bunny.why_not_certain(bunny.choice_of(states, puzzle.seat, action))
            return Refutation(line, join([say("After that no carrot is certain."), why], " "))
        case Goal.BEST:
            points = puzzle.lost(action)
            numbers = say_n(
                "That costs you {n} point of winning chance.", "That costs you {n} points of winning chance.", points
            )
            return Refutation(line, bunny_best.why_worse(states[-1], puzzle.seat, action, puzzle.own[0]), numbers)
        case _:
            return _worse(puzzle, line, budget)


def _states(line: Line) -> list[Any]:
    """Return the states of a line, from its first one on, as far as they are certain."""
    return [line.start.state, *(step.state for step in line.steps)]


def _too_few(puzzle: Puzzle, line: Line) -> Text:
    state, scored = line.end.state, _goals(line, puzzle.seat)
    most = scored + most_goals(state, puzzle.seat)
    told: Text = say("After that you can’t score this turn.")
    if most:
        told = say_n(
            "After that you can score only {n} puck this turn.", "After that you can score only {n} pucks this turn.", most
        )
    return join([told, pucks.why_too_few(state, puzzle.seat, puzzle.goals - scored)], " ")


def _worse(puzzle: Puzzle, line: Line, budget: Budget) -> Refutation:
    """Return how the other side exploits a line's last action, or that this action wins, too, but later than a proved win."""
    before, after = _states(line)[-2:]
    line, words, played = bouncers.why_wrong(line, budget)
    if puzzle.proof is not Proof.SEARCHED and is_lost(after):
        seat, reply = line.actions[-1]
        words = action_words(line.start.game, after, seat, reply)
        answered = say("{who} answers {reply}.", who=seat_name(seat), reply=words)
        return Refutation(line, join([say("That wins, too, but later."), answered], " "))
    best = 100
    if puzzle.proof is Proof.SEARCHED:
        value, _ = Situation(before).best(budget)
        best = max(played, bouncers.percent_of(before, value))
    numbers = say("Win chance: {played}% instead of {best}%.", played=played, best=best)
    return Refutation(line, words, numbers)


def explain(puzzle: Puzzle, played: Sequence[Action] = (), budget: Budget = THOUGHT) -> tuple[Text, ...]:
    """Return why the solution that begins with these right actions is right, with a text for each of the solver's actions.

    Raises the same errors as `solution`.
    """
    line = solution(puzzle, played)
    match puzzle.goal:
        case Goal.SCORE:
            return pucks.why_right(line, puzzle.seat)
        case Goal.CARROT:
            return bunny.why_right(line, puzzle.seat)
        case Goal.BEST:
            return bunny_best.why_best(line)
        case _:
            return bouncers.why_right(line, puzzle.seat, budget, proved=puzzle.proof is not Proof.SEARCHED)
