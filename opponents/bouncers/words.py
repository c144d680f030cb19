"""The reason for a move of Bouncers, in words."""

from dataclasses import dataclass
from typing import Any

from engines.bouncers import State
from engines.bouncers.board import places_of
from engines.bouncers.state import path_of, walk_along, winner_on_board
from engines.game import Game
from engines.text import Text, plain, say, say_n, seat_name
from engines.values import replace
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.bouncers.tables import Endings
from opponents.contract import Thought
from opponents.search import WIN, WINNING


@dataclass(frozen=True, slots=True)
class Danger:
    """The best capture of a side with its next move.

    Attributes:
        squares: the pieces that the best capture takes.
        wins: whether the side can win at once.
    """

    squares: int
    wins: bool


def reason(game: Game[State, Any], state: State, thought: Thought) -> Text:
    """Return a sentence about the most important effect of a move."""
    seat, after = state.to_move, game.advance(state, state.to_move, thought.action)
    return (
        _of_the_end(game, after, seat, thought)
        or _of_captures(state, after, thought)
        or _of_dangers(state, after)
        or _of_the_rest(state, after)
    )


def _of_the_end(game: Game[State, Any], after: State, seat: int, thought: Thought) -> Text | None:
    """The reason by the end of the game: a win now, a win by force, or a defeat that nothing can avert."""
    other = seat_name(1 - seat)
    if game.outcome(after) is not None and winner_on_board(after) == seat:
        if not after.sides[1 - seat]:
            return say("It captures the last enemy piece and wins.")
        return say("It reaches the last rank and wins.")
    if (outcome := game.outcome(after)) is not None:
        return say("It leaves {who} without a move and wins.", who=other) if outcome.winners else say("It makes a draw.")
    if thought.chance_to_win >= 1:
        return _of_a_win(after, other)
    if thought.chance_to_win <= 0:
        return say("The game can’t be saved any more; this holds out longest.")
    return None


def _of_a_win(after: State, other: Text) -> Text:
    """The reason by a win by force, with the number of moves if the tables know it."""
    value = Endings(after).value(position_of(after), after.quiet_plies)
    if value is None:
        return say("It wins by force, whatever {who} does.", who=other)
    moves = (WIN + value) // 2 + 1
    return say_n("It wins in {n} move, whatever {who} does.", "It wins in {n} moves, whatever {who} does.", moves, who=other)


def _of_captures(state: State, after: State, thought: Thought) -> Text | None:
    """The reason by captures: the pieces captured, those that may be captured in return, or the gain on the last rank."""
    walk = walk_along(state, thought.action)
    assert walk is not None, "the action is legal"
    path = path_of(state, walk)
    back = _danger(after).squares.bit_count()
    if path.captured:
        squares = plain(", ".join(square for square, _, _ in path.captured))
        if not back:
            return say("It captures {squares}, and nothing can be captured in return.", squares=squares)
        return say_n(
            "It captures {squares}; {n} piece can be captured in return.",
            "It captures {squares}; {n} pieces can be captured in return.",
            back,
            squares=squares,
        )
    if path.promoted:
        return say("It makes a king on {square}.", square=path.squares[-1])
    return None


def _of_dangers(state: State, after: State) -> Text | None:
    """The reason by dangers: the pieces that the move saves, and those that it threatens."""
    before, left = _danger(_pass_turn(state)), _danger(after)
    if before.wins and not left.wins:
        return say("It stops {who} from winning with the next move.", who=seat_name(1 - state.to_move))
    threat = _danger(_pass_turn(after))
    if threat.wins:
        return say("It threatens to win with the next move.")
    own, squares = _square_names(state, before.squares), _square_names(state, threat.squares)
    if before.squares.bit_count() > left.squares.bit_count():
        if threat.squares:
            return say("It saves {own} from being captured, and threatens {squares}.", own=own, squares=squares)
        return say("It saves {own} from being captured.", own=own)
    if threat.squares and not left.squares:
        return say("It threatens to capture {squares}, and leaves no piece exposed.", squares=squares)
    return say("It threatens to capture {squares}.", squares=squares) if threat.squares else None


def _of_the_rest(state: State, after: State) -> Text:
    """The reason for a quiet move."""
    kernel = Kernel(state.variant)
    if len(kernel.moves(position_of(state))) == 1:
        return say("It’s the only move.")
    if not _danger(after).squares:
        return say("It leaves no piece exposed.")
    return say("Other moves give away more.")


def _square_names(state: State, squares: int) -> Text:
    return plain(", ".join(state.board.names[place] for place in places_of(squares)))


def _pass_turn(state: State) -> State:
    """Return the state as if the side to move had passed."""
    return replace(state, to_move=1 - state.to_move)


def _danger(state: State) -> Danger:
    """Return the best capture of the side to move."""
    position = position_of(state)
    enemy = position[1]
    loud = Kernel(state.variant).every_loud(position)
    if not loud:
        return Danger(0, wins=False)
    gain, _, (left, *_) = max(loud, key=lambda move: ((enemy ^ move[2][0]).bit_count(), move[0]))
    return Danger(enemy ^ left, wins=gain >= WINNING)
