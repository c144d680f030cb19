"""The cards that move mats: where the mats can go, as actions and the layouts that they lead to."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engines.game import Action
from engines.pucks.board import layouts
from engines.pucks.board.board import Mats
from engines.pucks.board.deck import CardId
from engines.pucks.board.layouts import RELATIONS, beside, frame_of, places_of, shape_of
from engines.pucks.board.names import TURNS
from engines.values import replace

Laid = tuple[Action, Mats]
"""The tokens that follow the card's own, and the layout that results."""


def shifts(mats: Mats) -> Iterator[Laid]:
    """Yield every place for every mat that leaves all mats connected. A place with several names is given under one of them."""
    shape, places, frame = shape_of(mats), places_of(mats), frame_of(mats)
    for letter, place in places.items():
        targets = layouts.targets(shape, place, 0)
        named = {
            beside(there, relation): (letter, relation, other)
            for other, there in places.items()
            if other != letter
            for relation in RELATIONS
            if beside(there, relation) & targets
        }
        for target, action in named.items():
            at = frame.at(target)
            yield action, tuple([replace(mat, at=at) if mat.id == letter else mat for mat in mats])


def swaps(mats: Mats) -> Iterator[Laid]:
    """Yield every pair of mats that can change places."""
    letters = layouts.movable_mats(mats)
    for i, first in enumerate(letters):
        for second in letters[i + 1 :]:
            yield (first, second), layouts.swap_mats(mats, first, second)


def twists(mats: Mats) -> Iterator[Laid]:
    """Yield every mat turned by every angle."""
    for mat in mats:
        for degrees in TURNS:
            yield (mat.id, degrees), layouts.twist_mat(mats, mat.id, int(degrees))


def mixes(mats: Mats) -> Iterator[Laid]:
    """Yield every single shift with the card that allows three. Further shifts are tried only after the best of these."""
    for action, laid in shifts(mats):
        yield (*action, "done"), laid


PLAYED: Final[Mapping[CardId, Callable[[Mats], Iterator[Laid]]]] = {
    "shift": shifts,
    "swap": swaps,
    "twist": twists,
    "mix": mixes,
}
"""The function that yields the possible targets of each card."""
