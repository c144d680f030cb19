"""Bouncers: counters that can only move by bouncing off something behind them, and capture what they bounce towards.

The rules are in `rules.md` beside this module. `engines.bouncers.position` has the variants and positions,
`engines.bouncers.board` the steps and captures. Here are a move as a whole, the end of the game, and the words for both.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from typing_extensions import override

from engines.bouncers.board import Walk, perft_of, places_of, walks
from engines.bouncers.position import QUIET_PLIES, REPETITIONS, SETUPS, State, read_position, remember, write_position
from engines.chance import Chance
from engines.game import Action, Choice, Event, Game, Outcome, Step, View, stream_of
from engines.text import Text, join, plain, say, say_n, seat_name


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board: its square ("c2"), its seat, and whether it is a king."""

    square: str
    seat: int
    king: bool


@dataclass(frozen=True, kw_only=True)
class BouncersView(View):
    """The whole board; nothing is hidden. `scores` counts the pieces each seat has left.

    Attributes:
        size: how many files and ranks the board has, 8 or 10.
        pieces: every piece, from square a1 rank by rank.
    """

    size: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """The detail of a "move" event: what one move did.

    Attributes:
        squares: the square the piece stood on, and every square it bounced to.
        captured: the pieces it captured, in order, each as (square, seat, whether it was a king).
        promoted: whether it became a king at the end.
    """

    squares: tuple[str, ...]
    captured: tuple[tuple[str, int, bool], ...]
    promoted: bool


# --- moving ------------------------------------------------------------------------------------------------------------------


def _pieces_to_move(state: State) -> Iterator[Walk]:
    """Each piece of the side to move, before its first step; none if the pieces on the board already decide the game."""
    seat = state.to_move
    if _won(state) is None:
        yield from walks(state.board, seat, state.sides[seat], state.sides[1 - seat], state.kings)


def _walk(state: State, action: Action) -> Walk | None:
    """The piece at the end of an action, or None if there is no such path."""
    if not action or (place := state.board.places.get(action[0])) is None:
        return None
    walk = next((walk for walk in _pieces_to_move(state) if walk.path[0] == place), None)
    for square in action[1:]:
        place = state.board.places.get(square)
        walk = next((onward for onward in walk.onward() if onward.path[-1] == place), None) if walk else None
    return walk


def _moved(state: State, walk: Walk) -> State:
    """The state after a piece has moved along its path."""
    seat, enemy = state.to_move, 1 - state.to_move
    source, to = 1 << walk.path[0], 1 << walk.path[-1]
    king, own, left = bool(state.kings & source), state.sides[seat] ^ source, walk.enemy
    kings = state.kings & (own | left)
    if king or _promotes(state, walk):
        kings |= to
    captured = left != state.sides[enemy]
    size = state.setup.size
    # After a capture, or a counter's step forward, no earlier position can come again.
    final = captured or (not king and walk.path[0] // size != walk.path[-1] // size)
    after = replace(
        state,
        sides=(own | to, left) if seat == 0 else (left, own | to),
        kings=kings,
        to_move=enemy,
        quiet_plies=state.quiet_plies + 1 if king and not captured else 0,
    )
    return remember(after, {} if final else dict(state.seen))


def _promotes(state: State, walk: Walk) -> bool:
    """Whether the last step of a path makes its piece a king."""
    arrived = 1 << walk.path[-1] & state.board.last_ranks[state.to_move]
    return bool(arrived) and not state.setup.terminal and not state.kings & 1 << walk.path[0]


def _path(state: State, walk: Walk) -> Path:
    """What a move does, with squares by their names."""
    names, enemy = state.board.names, 1 - state.to_move
    captured = tuple((names[place], enemy, bool(state.kings & 1 << place)) for place in walk.taken if place is not None)
    return Path(tuple(names[place] for place in walk.path), captured, _promotes(state, walk))


def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` moves there are from here, ignoring draws and resignations."""
    if depth == 0:
        return 1
    if _won(state) is not None:
        return 0
    own, enemy = state.sides[state.to_move], state.sides[1 - state.to_move]
    return perft_of(state.board, state.to_move, own, enemy, state.kings, depth=depth, terminal=state.setup.terminal)


# --- the end -----------------------------------------------------------------------------------------------------------------


def _won(state: State) -> Outcome | None:
    """The outcome if the pieces on the board already decide the game, else None."""
    for seat in (0, 1):
        if not state.sides[1 - seat]:
            return Outcome((seat,), say("{who} has captured every piece.", who=seat_name(seat)))
        if state.setup.terminal and state.sides[seat] & state.board.last_ranks[seat]:
            return Outcome((seat,), say("{who} has reached the last rank.", who=seat_name(seat)))
    return None


def _outcome(state: State) -> Outcome | None:
    if state.resigned is not None:
        return Outcome((1 - state.resigned,), say("{who} has left the game.", who=seat_name(state.resigned)))
    if (won := _won(state)) is not None:
        return won
    if not any(True for walk in _pieces_to_move(state) for _ in walk.onward()):
        return Outcome((1 - state.to_move,), say("{who} has no move left.", who=seat_name(state.to_move)))
    if any(count >= REPETITIONS for _, count in state.seen):
        return Outcome((), say("The same position has come for the third time."))
    if state.quiet_plies >= QUIET_PLIES:
        return Outcome((), say("Both sides have made 50 moves without a capture or a counter's step."))
    return None


# --- words -------------------------------------------------------------------------------------------------------------------

_SEPARATOR = re.compile(r"(?:[\s,;>→–—×-]|\bx\b)+|(?<=[0-9])x?(?=[a-z])")
"""What may separate two squares as people type them: a space, a dash, an x, or nothing at all."""


def _piece_choice(state: State, place: int) -> Choice:
    """The choice of a piece to move."""
    square = state.board.names[place]
    king = state.kings & 1 << place
    return Choice(square, say("{square}, king", square=square) if king else plain(square), final=False)


def _step_choice(state: State, walk: Walk) -> Choice:
    """The choice of the last step of a path."""
    names = state.board.names
    square = names[walk.path[-1]]
    label = plain(square)
    if (taken := walk.taken[-1]) is not None:
        label = say("{square}, capturing {taken}", square=square, taken=names[taken])
    elif _promotes(state, walk):
        label = say("{square}, becoming a king", square=square)
    elif state.setup.terminal and 1 << walk.path[-1] & state.board.last_ranks[state.to_move]:
        label = say("{square}, winning", square=square)
    return Choice(square, label, final=True)


def _side(view: BouncersView, seat: int) -> Text:
    """The pieces of one side in words."""
    counters = [piece.square for piece in view.pieces if piece.seat == seat and not piece.king]
    kings = [piece.square for piece in view.pieces if piece.seat == seat and piece.king]
    parts = []
    if counters:
        parts.append(say_n("{n} counter on {squares}", "{n} counters on {squares}", len(counters), squares=", ".join(counters)))
    if kings:
        parts.append(say_n("{n} king on {squares}", "{n} kings on {squares}", len(kings), squares=", ".join(kings)))
    pieces = join(parts, "; ") if parts else say("nothing left")
    if seat == 0:
        return say("{who}, moving up: {pieces}.", who=seat_name(seat), pieces=pieces)
    return say("{who}, moving down: {pieces}.", who=seat_name(seat), pieces=pieces)


# --- the game ----------------------------------------------------------------------------------------------------------------


class Bouncers(Game[State, BouncersView]):
    """The rules of Bouncers."""

    id = "bouncers"
    title = "Bouncers"
    summary = say("Checkers on springs: bounce off whatever stands behind you, and capture what you bounce towards.")
    seats = range(2, 3)
    variants = tuple(SETUPS)
    variant_titles: ClassVar[Mapping[str, str]] = {
        "8x8-16": say("8×8, 16 pieces each"),
        "8x8-16-terminal": say("8×8, 16 pieces each, first to the last rank"),
        "8x8-12": say("8×8, 12 pieces each"),
        "8x8-12-terminal": say("8×8, 12 pieces each, first to the last rank"),
        "10x10-20": say("10×10, 20 pieces each"),
        "10x10-20-terminal": say("10×10, 20 pieces each, first to the last rank"),
    }
    token_pattern = re.compile(r"[a-j](?:[1-9]|10)")

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> State:
        setup = SETUPS[variant]
        return remember(State(variant, (setup.start(0), setup.start(1)), chance=chance), {})

    @override
    def to_act(self, state: State) -> tuple[int, ...]:
        """The seat to move."""
        return (state.to_move,) if _outcome(state) is None else ()

    @override
    def choices(self, state: State, seat: int, prefix: Action = ()) -> list[Choice]:
        """First the pieces that can move, then the squares they can bounce to. The move may end on any of these."""
        if seat != state.to_move or _outcome(state) is not None:
            return []
        if prefix:
            walk = _walk(state, prefix)
            return [_step_choice(state, onward) for onward in walk.onward()] if walk else []
        return [_piece_choice(state, walk.path[0]) for walk in _pieces_to_move(state) if any(True for _ in walk.onward())]

    @override
    def _play(self, state: State, seat: int, action: Action) -> Step[State]:
        walk = _walk(state, action)
        assert walk is not None, "the action was checked"
        path = _path(state, walk)
        words = [say("{who} plays {move}.", who=seat_name(seat), move=self.notate(state, seat, action))]
        if path.captured:
            words.append(say_n("One piece is captured.", "{n} pieces are captured.", len(path.captured)))
        if path.promoted:
            words.append(say("The counter becomes a king."))
        return Step(_moved(state, walk), (Event("move", seat, join(words, " "), detail=path),))

    @override
    def withdraw(self, state: State, seat: int) -> Step[State]:
        """The other seat wins. Raises ValueError if the game is over or there is no such seat."""
        if _outcome(state) is not None:
            raise ValueError(say("The game is over."))
        if seat not in (0, 1):
            raise ValueError(say("There is no seat {seat}.", seat=seat))
        return Step(
            replace(state, resigned=seat), (Event("withdraw", seat, say("{who} leaves the game.", who=seat_name(seat))),)
        )

    @override
    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, or None. If the move that would make a draw also wins, it wins."""
        return _outcome(state)

    @override
    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        """Every path, in the order of `choices`."""
        if seat == state.to_move and _outcome(state) is None:
            names = state.board.names
            for piece in _pieces_to_move(state):
                for walk in piece.continuations():
                    yield tuple(names[place] for place in walk.path)

    @override
    def view(self, state: State, seat: int | None = None) -> BouncersView:
        """The same board for everybody."""
        names, outcome = state.board.names, _outcome(state)
        return BouncersView(
            variant=state.variant,
            seats=2,
            seat=seat,
            to_act=(state.to_move,) if outcome is None else (),
            out=() if state.resigned is None else (state.resigned,),
            scores=tuple(plain(str(side.bit_count())) for side in state.sides),
            outcome=outcome,
            size=state.setup.size,
            pieces=tuple(
                Piece(names[place], int(bool(state.sides[1] & 1 << place)), bool(state.kings & 1 << place))
                for place in places_of(state.sides[0] | state.sides[1])
            ),
        )

    @override
    def describe(self, view: BouncersView) -> Text:
        """The variant, each side's counters and kings, and who is to move or has won."""
        lines = [say("Bouncers, {variant}.", variant=self.variant_titles[view.variant])]
        lines += [_side(view, seat) for seat in (0, 1)]
        if view.outcome is None:
            lines.append(say("{who} is to move.", who=seat_name(view.to_act[0])))
        elif view.outcome.winners:
            who = seat_name(view.outcome.winners[0])
            lines.append(say("{reason} {who} wins.", reason=view.outcome.reason, who=who))
        else:
            lines.append(say("{reason} The game is drawn.", reason=view.outcome.reason))
        return join(lines)

    @override
    def notate(self, state: State, seat: int, action: Action) -> str:
        """The squares of the path, with "-" for a step and "x" for a step that captured: "c2-c3xd4".

        Raises IllegalAction if there is no such path.
        """
        walk = _walk(state, action) if seat == state.to_move else None
        if walk is None:
            self.check(state, seat, action)
            raise AssertionError("a path that cannot be walked was called legal")
        steps = zip(walk.taken, action[1:], strict=True)
        return action[0] + "".join(("-" if taken is None else "x") + square for taken, square in steps)

    @override
    def parse(self, state: State, seat: int, text: str) -> Action:
        """The squares of "c2-c3xd4", "c2 c3 d4", "C2C3D4" and the like. A final "stop" is ignored."""
        squares = [word for word in _SEPARATOR.split(text.lower()) if word]
        return tuple(squares[:-1] if squares and squares[-1] == "stop" else squares)

    @override
    def position(self, state: State, secret: bool = False) -> dict[str, Any]:
        position = write_position(state)
        if secret:
            position["chance"] = state.chance.to_json()
        return position

    @override
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> State:
        return read_position(position, stream_of(position, chance))
