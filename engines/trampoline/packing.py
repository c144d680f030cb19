"""Positions of BOUNCE packed for a code."""

from typing import Final

from engines.packing import Fields
from engines.trampoline.track import CYCLE, LAST_JUMP

_MOST_SEATS: Final = 4
_PLACES: Final = ((None, None), *CYCLE)


def pack_position(fields: Fields) -> None:
    """Pack the fields of a position, as the game's `from_position` lists them."""
    tokens = fields.each("tokens", 1, _MOST_SEATS)
    for token in tokens:
        token.choices(("spot", "facing"), _PLACES)
        token.number("jumps", 0, LAST_JUMP)
        token.mark("left")
    seats = range(len(tokens))
    fields.choice("to_move", seats)
    if fields.has("sharing"):
        fields.order("sharing", seats)
    if fields.has("last_left"):
        fields.choice("last_left", seats)
