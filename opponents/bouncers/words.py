"""The reason for a move of Bouncers, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from engines.bouncers import State
from engines.bouncers.board import Walk, places_of
from engines.bouncers.state import path_of, walk_along, winner_on_board
from engines.game import Game
from engines.text import Text, join, plain, say, say_n, seat_name
from engines.values import replace
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.bouncers.tables import Endings
from opponents.contract import Thought
from opponents.search import WIN, WINNING


@dataclass(frozen=True, slots=True)
class Danger:
    """The captures that a side threatens with its next move.

    Attributes:
        captures: the pieces that each capture takes. If a capture wins at once, only that one is listed.
        wins: whether the side can win at once.
    """

    captures: tuple[int, ...]
    wins: bool

    @property
    def most(self) -> int:
        """The pieces taken by the largest capture."""
        return max(self.captures, key=int.bit_count, default=0)

    @property
    def all(self) -> int:
        """The pieces that are taken by any of the captures."""
        return reduce(or_, self.captures, 0)


def reason(game: Game[State, Any], state: State, thought: Thought) -> Text | None:
    """Return a move's most important effect and what can be captured next, or None if there is nothing to say."""
    seat, after = state.to_move, game.advance(state, state.to_move, thought.action)
    return (
        _of_the_end(game, after, seat, thought)
        or _of_captures(state, after, thought)
        or _of_dangers(state, after, thought)
        or _of_the_rest(state, after)
    )


def _of_the_end(game: Game[State, Any], after: State, seat: int, thought: Thought) -> Text | None:
    """Return the reason if the end of the game is in sight: a win now, a forced win, or a defeat that nothing can avert."""
    other = seat_name(1 - seat)
    if game.outcome(after) is not None and winner_on_board(after) == seat:
        if not after.sides[1 - seat]:
            return say("It captures the last enemy piece and wins.")
        return say("It reaches the last rank and wins.")
    if (outcome := game.outcome(after)) is not None:
        return say("It leaves {who} without a move and wins.", who=other) if outcome.winners else say("It draws the game.")
    if thought.chance_to_win >= 1:
        return _of_a_win(after, other)
    if thought.chance_to_win <= 0:
        return say("The game is lost; this holds out longest.")
    return None


def _of_a_win(after: State, other: Text) -> Text:
    value = Endings(after).value(position_of(after), after.quiet_plies)
    if value is None:
        return say("It wins, whatever {who} does.", who=other)
    moves = (WIN + value) // 2 + 1
    return say_n("It wins in {n} move, whatever {who} does.", "It wins in {n} moves, whatever {who} does.", moves, who=other)


def _of_captures(state: State, after: State, thought: Thought) -> Text | None:
    """Return the reason if a move captures or makes a king: the gain, and what may be taken in return."""
    path = path_of(state, _walk(state, thought))
    if path.captured:
        squares, back = plain(", ".join(square for square, _, _ in path.captured)), _danger(after).most.bit_count()
        if not back:
            return say("It captures {squares}, and nothing can be captured in return.", squares=squares)
        return say_n(
            "It captures {squares}; {n} piece can be captured in return.",
            "It captures {squares}; {n} pieces can be captured in return.",
            back,
            squares=squares,
        )
    if path.promoted:
        return _with_reply(after, say("It makes a king on {square}.", square=path.squares[-1]))
    return None


def _of_dangers(state: State, after: State, thought: Thought) -> Text | None:
    """Return the reason if a move saves pieces from capture or threatens new ones."""
    before, left = _danger(_pass_turn(state)), _danger(after)
    if before.wins and not left.wins:
        return _with_reply(after, say("It stops {who} winning on the next move.", who=seat_name(1 - state.to_move)))
    # The other side passes, or captures.
    threats = (_danger(_pass_turn(after)), *map(_danger, _captures(after)))
    if not _danger(state).wins and all(danger.wins for danger in threats):
        return _with_reply(after, say("It threatens to win on the next move."))
    saved, threatened = _saved(state, thought, before, left), _threatened(state, threats)
    own, squares = _square_names(state, saved), _square_names(state, threatened)
    if saved and threatened:
        return _with_reply(after, say("It saves {own} from being captured, and threatens {squares}.", own=own, squares=squares))
    if saved:
        return _with_reply(after, say("It saves {own} from being captured.", own=own))
    if threatened and not left.captures:
        return say("It threatens to capture {squares}, and leaves no piece exposed.", squares=squares)
    return _with_reply(after, say("It threatens to capture {squares}.", squares=squares)) if threatened else None


def _saved(state: State, thought: Thought, before: Danger, left: Danger) -> int:
    """Return the pieces that a move has saved from the largest capture, as the squares on which they stood."""
    if before.most.bit_count() <= left.most.bit_count():
        return 0
    walk = _walk(state, thought)
    still = left.all | (1 << walk.path[0] if left.all & 1 << walk.path[-1] else 0)
    return before.most & ~still


def _threatened(state: State, threats: Sequence[Danger]) -> int:
    """Return the pieces that a side newly threatens to capture, whatever the other side captures next."""
    known, (passed, *answered) = _danger(state).all, threats
    fresh = sorted({capture & ~known for capture in passed.captures}, key=int.bit_count, reverse=True)
    return next((new for new in fresh if new and all(danger.all & new for danger in answered)), 0)


def _captures(state: State) -> tuple[State, ...]:
    position = position_of(state)
    found = [after for _, _, after in Kernel(state.variant).every_loud(position) if after[0] != position[1]]
    return tuple(
        replace(state, sides=(own, enemy) if seat == 0 else (enemy, own), kings=kings, to_move=seat)
        for own, enemy, kings, seat in found
    )


def _of_the_rest(state: State, after: State) -> Text | None:
    """Return the reason for a quiet move: how much it leaves open to capture, compared with the other moves."""
    kernel, left = Kernel(state.variant), _danger(after).most.bit_count()
    moves = kernel.moves(position_of(state))
    if len(moves) == 1:
        return _with_reply(after, say("It’s the only move."))
    leaves = [_danger_at(kernel, position).most.bit_count() for _, _, position in moves]
    if not left:
        return say("It leaves no piece exposed.") if any(leaves) else None
    return _with_reply(after, say("No other move exposes fewer pieces.")) if left == min(leaves) else _reply(after)


def _with_reply(after: State, said: Text) -> Text:
    reply = _reply(after)
    return said if reply is None else join([said, reply], " ")


def _reply(after: State) -> Text | None:
    """Return what the other side can capture next, and how much can surely be captured in return."""
    pieces, enemy = _danger(after).most, after.sides[1 - after.to_move]
    if not pieces:
        return None
    who, squares = seat_name(after.to_move), _square_names(after, pieces)
    answered = [then for then in _captures(after) if enemy ^ then.sides[then.to_move] == pieces]
    back = min(_danger(then).most.bit_count() for then in answered)
    if not back:
        return say("{who} can capture {squares} next.", who=who, squares=squares)
    return say_n(
        "{who} can capture {squares} next, but you could capture {n} piece in return.",
        "{who} can capture {squares} next, but you could capture {n} pieces in return.",
        back,
        who=who,
        squares=squares,
    )


def _walk(state: State, thought: Thought) -> Walk:
    walk = walk_along(state, thought.action)
    assert walk is not None, "the action is legal"
    return walk


def _square_names(state: State, squares: int) -> Text:
    return plain(", ".join(state.board.names[place] for place in places_of(squares)))


def _pass_turn(state: State) -> State:
    return replace(state, to_move=1 - state.to_move)


def _danger(state: State) -> Danger:
    return _danger_at(Kernel(state.variant), position_of(state))


def _danger_at(kernel: Kernel, position: Position) -> Danger:
    enemy, loud = position[1], kernel.every_loud(position)
    captures = tuple(taken for _, _, (left, *_) in loud if (taken := enemy ^ left))
    return Danger(captures, wins=any(gain >= WINNING for gain, _, _ in loud))
