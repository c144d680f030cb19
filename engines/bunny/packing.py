"""Positions of Bounce Bunny Bounce packed for a code. The cards are a deck, with an empty space for each Carrot taken."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, get_args

from engines.bunny.field import CARROTS, SHUFFLED, SPACES, Card
from engines.bunny.position import CARROTS_TO_WIN, QUIET_TURNS, SHOCKS, Phase
from engines.packing import Reader, Writer

_SPACES: Final = (None, *SPACES)
_SEATS: Final = (0, 1)


def write(position: Mapping[str, Any], writer: Writer) -> None:
    """Write a position: each player's shocks and Carrots, the cards, the Bunnies, and the turn."""
    for seat in _SEATS:
        writer.number(position["shocks"][seat], 0, SHOCKS)
    for seat in _SEATS:
        writer.number(position["carrots"][seat], 0, CARROTS_TO_WIN)
    deck = _deck(taken=sum(position["carrots"]))
    for space in SPACES:
        writer.draw(position["field"][space], deck)
    writer.split([position["face_up"]], SPACES)
    for seat in _SEATS:
        writer.choice(position["bunnies"][seat], _SPACES)
    writer.number(position["to_act"], 0, 1)
    writer.number(position["turn"], 0, 1)
    writer.choice(position["phase"], get_args(Phase))
    writer.number(position["quiet_turns"], 0, QUIET_TURNS)
    writer.rarely("carrot_taken" in position)
    if writer.rarely("spied" in position):
        for seat in _SEATS:
            writer.choice(position["spied"][seat], _SPACES)
    if writer.rarely("left" in position):
        writer.number(position["left"], 0, 1)


def read(reader: Reader) -> dict[str, Any]:
    """Read what `write` wrote."""
    position: dict[str, Any] = {
        "shocks": [reader.number(0, SHOCKS) for _ in _SEATS],
        "carrots": [reader.number(0, CARROTS_TO_WIN) for _ in _SEATS],
    }
    deck = _deck(taken=sum(position["carrots"]))
    position |= {
        "field": {space: reader.draw(deck) for space in SPACES},
        "face_up": reader.split(1, SPACES)[0],
        "bunnies": [reader.choice(_SPACES) for _ in _SEATS],
        "to_act": reader.number(0, 1),
        "turn": reader.number(0, 1),
        "phase": reader.choice(get_args(Phase)),
        "quiet_turns": reader.number(0, QUIET_TURNS),
    }
    if reader.rarely():
        position["carrot_taken"] = True
    if reader.rarely():
        position["spied"] = [reader.choice(_SPACES) for _ in _SEATS]
    if reader.rarely():
        position["left"] = reader.number(0, 1)
    return position


def _deck(*, taken: int) -> Counter[Card]:
    """Return the cards on all spaces after `taken` Carrots have been taken."""
    return Counter(SHUFFLED) + Counter({"carrot": CARROTS - taken, "empty": taken})
