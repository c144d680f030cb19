"""Examples in words of how a game of Bouncers may go on, to its end or to the first gain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engines.bouncers import State
from engines.bouncers.state import winner_on_board
from engines.text import Text, join, say, seat_name
from opponents.contract import Budget
from opponents.puzzles.reasons.bouncers_moments import GAME, Situation, how_won, winner_of

TO_THE_END: Final = 6
"""The most moves in an example that goes on to the end of the game."""


@dataclass(frozen=True, slots=True)
class Next:
    """A move in an example: its seat, words that say who plays it, whether it takes or makes a king, and the state after it."""

    seat: int
    words: Text
    loud: bool
    after: State


def course_from(state: State, solver: int, budget: Budget) -> Iterator[Next]:
    """Yield the moves with which a game may go on until it is over."""
    while GAME.outcome(state) is None:
        moment = Situation(state)
        _, action = moment.best(budget)
        is_only, is_own = len(moment.moves) == 1, moment.seat == solver
        values = {"move": moment.words(action), "who": seat_name(moment.seat)}
        if is_own:
            words = say("you have only {move}", **values) if is_only else say("you play {move}", **values)
        else:
            words = say("{who} has only {move}", **values) if is_only else say("{who} plays {move}", **values)
        state = moment.moves[action]
        yield Next(moment.seat, words, moment.is_loud(action), state)


def to_the_end(state: State, solver: int, winner: int, budget: Budget) -> Iterator[Text]:
    """Yield an example of how the game goes on for a side that wins by force.

    The example goes on to the end of the game. If that is too far away, it goes on to the first piece that the side takes, or
    to its first king. If there is neither, only the end is told.
    """
    course = list(course_from(state, solver, budget))
    moves, end = join([step.words for step in course], "; "), course[-1].after
    if winner_of(end) != winner:
        return
    if len(course) <= TO_THE_END:
        yield say("For example: {moves}: {how}.", moves=moves, how=how_won(end, winner, solver))
    elif (example := to_a_gain(course[:TO_THE_END], winner)) is not None:
        yield example
    else:
        yield _in_the_end(end, winner, solver)


def _in_the_end(end: State, winner: int, solver: int) -> Text:
    on_last_rank, who = winner_on_board(end) == winner and bool(end.sides[1 - winner]), seat_name(1 - solver)
    if winner == solver:
        if on_last_rank:
            return say("With best play you reach the last rank in the end.")
        return say("With best play {who} ends up with no piece that can move.", who=who)
    if on_last_rank:
        return say("With best play {who} reaches the last rank in the end.", who=who)
    return say("With best play you end up with no piece that can move.")


def to_a_gain(course: Sequence[Next], gainer: int) -> Text | None:
    """Return an example of how the game goes on up to a side's first capture or king, or None if there is neither."""
    gain = next((number for number, step in enumerate(course, 1) if step.seat == gainer and step.loud), None)
    return None if gain is None else say("For example: {moves}.", moves=join([step.words for step in course[:gain]], "; "))
