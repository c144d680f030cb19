"""Positions of Bouncers as one line of text, and as JSON."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from engines.bouncers.board import Board, places_of
from engines.bouncers.state import QUIET_PLIES, REPETITIONS, SETUPS, Seen, State, placement
from engines.chance import Chance
from engines.text import say, seat_name
from engines.values import replace

_RANK: Final = r"(?:[rRbB]|10|[1-9])+"
_LINE: Final = re.compile(rf"{_RANK}(?:/{_RANK})* [01]")


def written_line(size: int, placed: int) -> str:
    """Return a `placement` as a line: ranks from the top (r, b counters; R, B kings; numbers of gaps), and who moves."""
    whole = (1 << size * size) - 1
    to_move, sides = placed & 1, (placed >> 1 & whole, placed >> 1 + size * size & whole)
    kings = placed >> 1 + 2 * size * size
    squares = ["."] * (size * size)
    for side, counter, king in zip(sides, "rb", "RB", strict=True):
        for place in places_of(side):
            squares[place] = king if kings & 1 << place else counter
    line = "".join(squares)
    ranks = "/".join([line[first : first + size] for first in range(size * (size - 1), -1, -size)])
    for gap in range(size, 0, -1):
        ranks = ranks.replace("." * gap, str(gap))
    return f"{ranks} {to_move}"


def read_line(size: int, line: str) -> int | None:
    """Return the `placement` that `written_line` wrote, or None if the line is not one for a board of this size."""
    if not _LINE.fullmatch(line):
        return None
    drawn, _, to_move = line.partition(" ")
    ranks = re.sub("[0-9]+", lambda gap: "." * int(gap[0]), drawn).split("/")
    if [len(rank) for rank in ranks] != [size] * size:
        return None
    red, blue, kings = (
        sum(1 << place for place, letter in enumerate("".join(reversed(ranks))) if letter in letters)
        for letters in ("rR", "bB", "RB")
    )
    return placement(size, (red, blue), kings, int(to_move))


PIECES: Final = (("red", "red_kings"), ("blue", "blue_kings"))
_KEYS: Final = frozenset({"variant", "to_move", *PIECES[0], *PIECES[1], "quiet_plies", "seen", "resigned", "chance"})


def write_position(state: State) -> dict[str, Any]:
    """Return the state as plain JSON, without its random stream.

    The keys are ``"variant"``; ``"to_move"``, which is 0 for Red and 1 for Blue; ``"red"``, ``"red_kings"``, ``"blue"`` and
    ``"blue_kings"``, the squares of the counters and kings; ``"quiet_plies"``; ``"seen"``, which says how often each position,
    in the form of `written_line`, has occurred; and ``"resigned"``, the seat that has left, if one has.
    """
    names = state.board.names
    position: dict[str, Any] = {"variant": state.variant, "to_move": state.to_move}
    for (counters, kings), side in zip(PIECES, state.sides, strict=True):
        position[counters] = [names[place] for place in places_of(side & ~state.kings)]
        position[kings] = [names[place] for place in places_of(side & state.kings)]
    seen = ((written_line(state.setup.size, placed), count) for placed, count in state.seen)
    position |= {"quiet_plies": state.quiet_plies, "seen": dict(sorted(seen))}
    if state.resigned is not None:
        position["resigned"] = state.resigned
    return position


def read_position(position: Mapping[str, Any], chance: Chance) -> State:
    """Return the state that `write_position` wrote. Keys without a value may be missing. Raises ValueError if there is none."""
    if unknown := sorted(set(position) - _KEYS):
        raise ValueError(say("A position has no “{key}”.", key=unknown[0]))
    variant = position.get("variant")
    if not isinstance(variant, str) or variant not in SETUPS:
        raise ValueError(say("There’s no variant “{variant}”.", variant=variant))
    board = SETUPS[variant].board
    red, red_kings, blue, blue_kings = (_squares(position, key, board) for pair in PIECES for key in pair)
    state = State(
        variant,
        (sum(red | red_kings), sum(blue | blue_kings)),
        kings=sum(red_kings | blue_kings),
        to_move=_number(position, "to_move", 0, 1),
        quiet_plies=_number({"quiet_plies": 0, **position}, "quiet_plies", 0, QUIET_PLIES),
        resigned=_number(position, "resigned", 0, 1) if "resigned" in position else None,
        chance=chance,
    )
    _check_pieces(state, (red, red_kings, blue, blue_kings))
    here = placement(board.size, state.sides, state.kings, state.to_move)
    return replace(state, seen=_read_repetitions(board.size, position.get("seen", {}), here))


def _squares(position: Mapping[str, Any], key: str, board: Board) -> set[int]:
    squares = position.get(key, [] if key.endswith("kings") else None)
    if not isinstance(squares, list | tuple):
        raise ValueError(say("“{key}” must be a list of squares.", key=key))
    bits: set[int] = set()
    for square in squares:
        if not isinstance(square, str) or square not in board.places:
            raise ValueError(say("There’s no square “{square}” on this board.", square=square))
        bit = 1 << board.places[square]
        if bit in bits:
            raise ValueError(say("There are two pieces on {square}.", square=square))
        bits.add(bit)
    return bits


def _number(position: Mapping[str, Any], key: str, least: int, most: int) -> int:
    number = position.get(key)
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ValueError(say("“{key}” must be a whole number from {least} to {most}.", key=key, least=least, most=most))
    return number


def _check_pieces(state: State, lists: Iterable[set[int]]) -> None:
    names, everywhere = state.board.names, 0
    for bits in lists:
        for bit in sorted(bits):
            if everywhere & bit:
                raise ValueError(say("There are two pieces on {square}.", square=names[bit.bit_length() - 1]))
            everywhere |= bit
    if not everywhere:
        raise ValueError(say("There’s no piece on the board."))
    arrived = [side & last for side, last in zip(state.sides, state.board.last_ranks, strict=True)]
    if state.setup.terminal:
        if state.kings:
            raise ValueError(say("This variant has no kings."))
        if all(arrived):
            raise ValueError(say("Both sides have reached the last rank."))
    for seat in (0, 1):
        for place in () if state.setup.terminal else places_of(arrived[seat] & ~state.kings):
            who = seat_name(seat)
            raise ValueError(say("{who}’s piece on {square} must be a king.", who=who, square=names[place]))


def _read_repetitions(size: int, counts: object, here: int) -> Seen:
    """Return how often each position has occurred. The one `here` has occurred at least once."""
    if not isinstance(counts, Mapping):
        raise ValueError(say("“seen” must give a number for each position."))
    seen = {here: 1}
    for line, count in counts.items():
        placed = read_line(size, line) if isinstance(line, str) else None
        if placed is None:
            raise ValueError(say("“{line}” in “seen” isn’t a position.", line=line))
        most = REPETITIONS if placed == here else REPETITIONS - 1
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= most:
            raise ValueError(say("“{line}” can’t have been seen {count} times.", line=line, count=count))
        seen[placed] = count
    return tuple(sorted(seen.items()))
