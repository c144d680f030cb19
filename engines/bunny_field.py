"""The field of Bounce Bunny Bounce as data: spaces, cards, and what a bounce shows of them."""

from dataclasses import dataclass
from typing import Final, Literal

Space = str
"""A space of the field: a column a-g and a row 1-5, "a1" being the bottom left."""

Card = str
"""What lies on a space: "left", "right", "up", "down", "stop", "spy", "swap", "bonus", "carrot" or "empty"."""

Direction = Literal["left", "right", "up", "down"]

COLUMNS: Final = "abcdefg"
ROWS: Final = "12345"
SPACES: Final[tuple[Space, ...]] = tuple(column + row for row in ROWS for column in COLUMNS)
"""All 35 spaces, row by row from the bottom, each from the left."""

DIRECTIONS: Final[tuple[Direction, ...]] = ("left", "right", "up", "down")


@dataclass(frozen=True, slots=True)
class Landing:
    """One bounce of a chain.

    Attributes:
        space: where the Bunny came down.
        card: the card it found and turned up there ("carrot" for a Carrot, though it is taken at once).
        direction: the way it bounced there; None if it entered the field there.
        wrapped: whether it went off one edge and on at the opposite one.
        bumped: whether the other Bunny was there and was put out of the field.
    """

    space: Space
    card: Card
    direction: Direction | None
    wrapped: bool = False
    bumped: bool = False


@dataclass(frozen=True, slots=True)
class Bounce:
    """All that one movement, or one Universal Shock, made a Bunny do.

    Attributes:
        bunny: the seat whose Bunny bounced.
        by: the seat whose doing it was: the same one, or the one that spent a Universal Shock.
        start: the space it bounced from, or None if it came from off the field.
        landings: the bounces in order, at least one. The cards of all of them were turned up for everybody to see.
        looped: whether the chain ended in a loop, so that the Bunny is out of the field.
        back_to: the space, already shown in this chain, to which the last shock led again; None if there was no loop.
    """

    bunny: int
    by: int
    start: Space | None
    landings: tuple[Landing, ...]
    looped: bool = False
    back_to: Space | None = None
