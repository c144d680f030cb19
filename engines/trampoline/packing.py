"""Positions of BOUNCE packed for a code, with the keys that the game's `from_position` lists."""

from collections.abc import Mapping
from typing import Any, Final

from engines.packing import Reader, Writer
from engines.trampoline.track import CYCLE, LAST_JUMP

_MOST_SEATS: Final = 4
_PLACES: Final = ((None, None), *CYCLE)


def write(position: Mapping[str, Any], writer: Writer) -> None:
    """Write a position: the tokens, then whose turn it is, then what applies only rarely."""
    tokens = position["tokens"]
    writer.number(len(tokens), 1, _MOST_SEATS)
    for token in tokens:
        writer.choice((token["spot"], token["facing"]), _PLACES)
        writer.number(token["jumps"], 0, LAST_JUMP)
        writer.rarely("left" in token)
    seats = range(len(tokens))
    writer.choice(position["to_move"], seats)
    if writer.rarely("sharing" in position):
        writer.order(position["sharing"], seats)
    if writer.rarely("last_left" in position):
        writer.choice(position["last_left"], seats)


def read(reader: Reader) -> dict[str, Any]:
    """Read what `write` wrote."""
    tokens = []
    for _ in range(reader.number(1, _MOST_SEATS)):
        spot, facing = reader.choice(_PLACES)
        tokens.append({"spot": spot, "facing": facing, "jumps": reader.number(0, LAST_JUMP)})
        if reader.rarely():
            tokens[-1]["left"] = True
    seats = range(len(tokens))
    position: dict[str, Any] = {"tokens": tokens, "to_move": reader.choice(seats)}
    if reader.rarely():
        position["sharing"] = reader.order(seats)
    if reader.rarely():
        position["last_left"] = reader.choice(seats)
    return position
