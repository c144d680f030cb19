"""Bouncers: pieces that can only move by bouncing off a neighbour behind them, and capture enemies ahead."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

from typing_extensions import override

from engines.bouncers import packing, words
from engines.bouncers.board import movable, perft_of, places_of
from engines.bouncers.illustrations import ILLUSTRATIONS
from engines.bouncers.position import read_position, write_position
from engines.bouncers.state import (
    QUIET_PLIES,
    REPETITIONS,
    SETUPS,
    State,
    first_state,
    pieces_to_move,
    state_after,
    walk_along,
    winner_on_board,
)
from engines.chance import Chance
from engines.game import (
    Action,
    Choice,
    Game,
    Illustration,
    Outcome,
    Packed,
    Pages,
    Quick,
    Step,
    View,
    Words,
    check,
    deed,
    stream_of,
)
from engines.packing import Reader, Writer
from engines.text import Text, join, plain, say, say_n, seat_name
from engines.values import latest, replace

_SEPARATOR: Final = re.compile(r"(?:[\s,;>→–—×-]|\bx\b)+|(?<=[0-9])x?(?=[a-z])")
"""What people type between two squares: a space, a dash, an x, or nothing at all."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board: its square ("c2"), its seat, and whether it is a king."""

    square: str
    seat: int
    king: bool


_piece: Final = cache(Piece)


@dataclass(frozen=True, kw_only=True)
class BouncersView(View):
    """The whole board, since nothing is hidden. `scores` counts each seat's remaining pieces, and `lost` its captured ones."""

    size: int
    pieces: tuple[Piece, ...]
    lost: tuple[int, int] = (0, 0)


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` moves from here, ignoring draws and resignations."""
    if depth == 0:
        return 1
    if winner_on_board(state) is not None:
        return 0
    own, enemy = state.sides[state.to_move], state.sides[1 - state.to_move]
    return perft_of(state.board, state.to_move, own, enemy, state.kings, depth=depth, terminal=state.setup.terminal)


@latest
def _outcome(state: State) -> Outcome | None:
    if state.resigned is not None:
        return Outcome((1 - state.resigned,), say("{who} left the game.", who=seat_name(state.resigned)))
    if (winner := winner_on_board(state)) is not None:
        captured = not state.sides[1 - winner]
        who = seat_name(winner)
        return Outcome(
            (winner,), say("All enemy pieces have been captured.") if captured else say("{who} reached the last rank.", who=who)
        )
    seat, enemy = state.to_move, 1 - state.to_move
    if not any(True for _ in movable(state.board, seat, state.sides[seat], state.sides[enemy], state.kings)):
        return Outcome((enemy,), say("{who} has no moves left: no piece can bounce.", who=seat_name(seat)))
    if any(count >= REPETITIONS for _, count in state.seen):
        return Outcome((), say("The same position came up three times."))
    if state.quiet_plies >= QUIET_PLIES:
        return Outcome((), say("Nothing was captured for 50 moves each, and only kings moved."))
    return None


def _side(view: BouncersView, seat: int) -> Text:
    ordinary = [piece.square for piece in view.pieces if piece.seat == seat and not piece.king]
    kings = [piece.square for piece in view.pieces if piece.seat == seat and piece.king]
    parts = []
    if ordinary:
        parts.append(say_n("{n} piece on {squares}", "{n} pieces on {squares}", len(ordinary), squares=", ".join(ordinary)))
    if kings:
        parts.append(say_n("{n} king on {squares}", "{n} kings on {squares}", len(kings), squares=", ".join(kings)))
    if view.lost[seat]:
        parts.append(say_n("{n} lost", "{n} lost", view.lost[seat]))
    pieces = join(parts, "; ")
    if seat == 0:
        return say("{who}, moving up: {pieces}.", who=seat_name(seat), pieces=pieces)
    return say("{who}, moving down: {pieces}.", who=seat_name(seat), pieces=pieces)


class Bouncers(Packed, Pages, Quick[State], Words[State, BouncersView], Game[State, BouncersView]):
    """The rules of Bouncers."""

    id = "bouncers"
    title = "Bouncers"
    summary = say("Checkers on springs: bounce off whatever’s behind you, capture what you bounce towards.")
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
    shorter_variant = "8x8-12"
    chance = False
    token_pattern = re.compile(r"[a-j](?:[1-9]|10)")

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> State:
        return first_state(variant, chance)

    @override
    def to_act(self, state: State) -> tuple[int, ...]:
        return (state.to_move,) if _outcome(state) is None else ()

    @override
    def choices(self, state: State, seat: int, prefix: Action = ()) -> list[Choice]:
        """Return the pieces that can move or, once one is picked, the next squares for it. A move may end on any of those."""
        if seat != state.to_move or _outcome(state) is not None:
            return []
        if prefix:
            walk = walk_along(state, prefix)
            return [words.step_choice(state, onward) for onward in walk.onward()] if walk else []
        places = movable(state.board, seat, state.sides[seat], state.sides[1 - seat], state.kings)
        return [words.piece_choice(state, place) for place in places]

    @override
    def is_whole(self, state: State, seat: int, action: Action) -> bool:
        if len(action) < 2 or seat != state.to_move or _outcome(state) is not None:
            return False
        return walk_along(state, action) is not None

    @override
    def _play(self, state: State, seat: int, action: Action) -> Step[State]:
        walk = walk_along(state, action)
        assert walk is not None, "the action was checked"
        return Step(state_after(state, walk), (words.event_of(state, walk),))

    @override
    def withdraw(self, state: State, seat: int) -> Step[State]:
        if _outcome(state) is not None:
            raise ValueError(say("The game is over."))
        if seat not in (0, 1):
            raise ValueError(say("There is no seat {seat}.", seat=seat))
        return Step(replace(state, resigned=seat), (deed("withdraw", seat, say("leaves the game"), major=True),))

    @override
    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None while it is going on. A move that both wins and would make a draw wins."""
        return _outcome(state)

    @override
    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        if seat == state.to_move and _outcome(state) is None:
            names = state.board.names
            for piece in pieces_to_move(state):
                for walk in piece.continuations():
                    yield tuple(names[place] for place in walk.path)

    @override
    def view(self, state: State, seat: int | None = None) -> BouncersView:
        names, outcome = state.board.names, _outcome(state)
        red, blue = (state.setup.start(seat).bit_count() - side.bit_count() for seat, side in enumerate(state.sides))
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
                _piece(names[place], int(bool(state.sides[1] & 1 << place)), bool(state.kings & 1 << place))
                for place in places_of(state.sides[0] | state.sides[1])
            ),
            lost=(max(0, red), max(0, blue)),
        )

    @override
    def describe(self, view: BouncersView) -> Text:
        race = SETUPS[view.variant].terminal
        lines = [
            say("Bouncers, {n}×{n}, first to the last rank.", n=view.size) if race else say("Bouncers, {n}×{n}.", n=view.size)
        ]
        lines += [_side(view, seat) for seat in (0, 1)]
        if view.outcome is None:
            lines.append(say("It’s {who}’s turn.", who=seat_name(view.to_act[0])))
        elif view.outcome.winners:
            who = seat_name(view.outcome.winners[0])
            lines.append(say("{reason} {who} wins.", reason=view.outcome.reason, who=who))
        else:
            lines.append(say("{reason} It’s a draw.", reason=view.outcome.reason))
        return join(lines)

    @override
    def aim(self, variant: str) -> Text:
        setup = SETUPS[variant]
        pieces = setup.start(1).bit_count()
        moves = say("Bounce off what’s behind you, capture what you bounce towards.")
        if setup.terminal:
            wins = say("To win, capture all {n}, reach the last rank first, or leave your opponent without a move.", n=pieces)
        else:
            wins = say("To win, capture all {n} or leave your opponent without a move.", n=pieces)
        return join([moves, wins], " ")

    @override
    def illustrations(self) -> Mapping[str, Illustration]:
        return ILLUSTRATIONS

    @override
    def wording(self, state: State, seat: int, action: Action) -> Text | None:
        return words.wording(state, action)

    @override
    def question(self, view: BouncersView, seat: int) -> Text:
        """Ask which piece moves or, if the side has only kings, which king. Without kings, the question says "bounces"."""
        own = [piece for piece in view.pieces if piece.seat == seat]
        return words.question(len(own), sum(piece.king for piece in own))

    @override
    def prompt(self, state: State, seat: int, prefix: Action = ()) -> Text | None:
        return words.prompt(state, prefix)

    @override
    def why_not(self, state: State, seat: int, action: Action, index: int) -> Text | None:
        return words.why_not(state, action, index)

    @override
    def notate(self, state: State, seat: int, action: Action) -> str:
        """Join the squares with "-" for a step, "x" for a capture: "c2-c3xd4". Raises IllegalAction for any other path."""
        walk = walk_along(state, action) if seat == state.to_move else None
        if walk is None:
            check(self, state, seat, action)
            raise AssertionError("a path that cannot be walked was called legal")
        steps = zip(walk.taken, action[1:], strict=True)
        return action[0] + "".join(("-" if taken is None else "x") + square for taken, square in steps)

    @override
    def parse(self, state: State, seat: int, text: str) -> Action:
        """Read "c2-c3xd4", "c2 c3 d4", "C2C3D4" and the like. A final "stop" is ignored."""
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

    @override
    def pack(self, position: Mapping[str, Any], writer: Writer) -> None:
        packing.write(position, writer)

    @override
    def unpack(self, reader: Reader) -> dict[str, Any]:
        return packing.read(reader)
