"""Positions of Bounce Bunny Bounce packed for a code."""

from collections import Counter
from typing import Final, get_args

from engines.bunny.field import CARROTS, SHUFFLED, SPACES
from engines.bunny.position import CARROTS_TO_WIN, QUIET_TURNS, SHOCKS, Phase
from engines.packing import Fields

_SPACES: Final = (None, *SPACES)


def pack_position(fields: Fields) -> None:
    """Pack the fields of `write_position`: the cards as a deck that was dealt, where a taken Carrot is an empty space."""
    field, deck = fields.inside("field"), Counter(SHUFFLED) + Counter(("carrot",) * CARROTS)
    for key, most in (("shocks", SHOCKS), ("carrots", CARROTS_TO_WIN)):
        counts = fields.row(key, 2)
        for seat in (0, 1):
            counts.number(seat, 0, most)
    taken = sum(fields.values["carrots"])
    deck += Counter({"carrot": -taken, "empty": taken})
    for space in SPACES:
        field.draw(space, deck)
    fields.split(("face_up",), SPACES)
    bunnies = fields.row("bunnies", 2)
    for seat in (0, 1):
        bunnies.choice(seat, _SPACES)
    fields.number("to_act", 0, 1)
    fields.number("turn", 0, 1)
    fields.choice("phase", get_args(Phase))
    fields.number("quiet_turns", 0, QUIET_TURNS)
    fields.mark("carrot_taken")
    if fields.has("spied"):
        spied = fields.row("spied", 2)
        for seat in (0, 1):
            spied.choice(seat, _SPACES)
    if fields.has("left"):
        fields.number("left", 0, 1)
