"""The field of Bounce Bunny Bounce: spaces and cards, bounces and chains of shocks, and the deal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engines.chance import Chance

Space = str
"""The name of a space: a column from a to g and a row from 1 to 5. "a1" is at the bottom left."""

Card = str
"""The mark of a space: "left", "right", "up", "down", "stop", "spy", "swap", "bonus", "carrot" or "empty"."""

Direction = Literal["left", "right", "up", "down"]
COLUMNS: Final = "abcdefg"
ROWS: Final = "12345"
SPACES: Final[tuple[Space, ...]] = tuple(column + row for row in ROWS for column in COLUMNS)
"""All 35 spaces, row by row from the bottom, each row from the left."""

DIRECTIONS: Final[tuple[Direction, ...]] = ("left", "right", "up", "down")
SHUFFLED: Final[tuple[Card, ...]] = (*(DIRECTIONS * 5), *("stop",) * 5, "spy", "spy", "swap", "swap", "bonus")
CARROTS: Final = 5

Field = tuple[Card, ...]
"""The card on each of the 35 spaces, in the order of `SPACES`."""

_INDEX: Final[dict[Space, int]] = {space: index for index, space in enumerate(SPACES)}
_STEPS: Final[dict[Direction, tuple[int, int]]] = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


def _line(space: Space, direction: Direction) -> tuple[Space, ...]:
    """Return the other spaces of the row or column, in the order in which a bounce passes them."""
    column, row = COLUMNS.index(space[0]), ROWS.index(space[1])
    across, along = _STEPS[direction]
    length = len(COLUMNS) if across else len(ROWS)
    return tuple(
        COLUMNS[(column + across * far) % len(COLUMNS)] + ROWS[(row + along * far) % len(ROWS)] for far in range(1, length)
    )


_LINES: Final = {(space, direction): _line(space, direction) for space in SPACES for direction in DIRECTIONS}


@dataclass(frozen=True, slots=True)
class Landing:
    """One bounce of a chain.

    Attributes:
        card: the card that was turned up there ("carrot" for a Carrot, although it is taken at once).
        direction: the direction of the bounce, or None if the Bunny entered the field there.
        wrapped: whether the bounce went over an edge and continued from the opposite one.
        bumped: whether the other Bunny was there and was thrown off the field.
    """

    space: Space
    card: Card
    direction: Direction | None
    wrapped: bool = False
    bumped: bool = False


@dataclass(frozen=True, slots=True)
class Bounce:
    """A chain of one or more bounces of a Bunny, caused by one movement or one Universal Shock.

    Attributes:
        bunny: the seat whose Bunny bounced.
        by: the seat that caused the chain: the Bunny's own, or the other seat if it spent a Universal Shock.
        start: the space from which the Bunny bounced, or None if it was off the field.
        landings: the bounces in order, at least one. All their cards were turned up for all to see.
        looped: whether the chain ended in a loop, which throws the Bunny off the field.
        back_to: the space to which the last shock of a loop led, or None without a loop. It was shown earlier in this chain. If
            the shock's line has no other card, it is the shock's own space.
    """

    bunny: int
    by: int
    start: Space | None
    landings: tuple[Landing, ...]
    looped: bool = False
    back_to: Space | None = None

    @property
    def end(self) -> Space | None:
        """The space where the Bunny stopped, or None if a loop threw it off the field."""
        return None if self.looped else self.landings[-1].space

    @property
    def bumped(self) -> bool:
        """Whether the chain threw the other Bunny off the field."""
        return any(landing.bumped for landing in self.landings)


def card_on(field: Field, space: Space) -> Card:
    """Return the card on a space."""
    return field[_INDEX[space]]


def with_card(field: Field, space: Space, card: Card) -> Field:
    """Return the field with another card on a space."""
    index = _INDEX[space]
    return (*field[:index], card, *field[index + 1 :])


def next_card(field: Field, space: Space, direction: Direction) -> Space | None:
    """Return the space of the next card in a direction, past empty spaces and over the edge, or None if there is no other."""
    return next((ahead for ahead in _LINES[space, direction] if card_on(field, ahead) != "empty"), None)


def wraps(start: Space, direction: Direction, end: Space) -> bool:
    """Whether a bounce from one space to another goes over an edge of the field."""
    across, along = _STEPS[direction]
    return (ord(end[0]) - ord(start[0])) * across + (ord(end[1]) - ord(start[1])) * along < 0


def entrances(field: Field, other: Space | None) -> list[Space]:
    """Return the spaces of row 1, at least one, where a Bunny may enter: those with a card, and without the other Bunny."""
    return [column + ROWS[0] for column in COLUMNS if column + ROWS[0] != other and card_on(field, column + ROWS[0]) != "empty"]


def bounce(
    field: Field, start: Space | None, first: Space, direction: Direction | None, *, bunny: int, by: int, other: Space | None
) -> Bounce:
    """Return the chain that begins when a Bunny lands on the card at `first`. It bounces on as long as the cards are shocks.

    `start` and `direction` say where it comes from; they are None if it enters the field. `bunny` is its seat, `by` the seat
    that caused the bounce, and `other` the space of the other Bunny, or None if that is off the field.
    """
    landings: list[Landing] = []
    shown: set[Space] = set()
    before, space, way = start, first, direction
    while True:
        card = card_on(field, space)
        wrapped = before is not None and way is not None and wraps(before, way, space)
        landings.append(Landing(space, card, way, wrapped, bumped=space == other))
        shown.add(space)
        shock = next((towards for towards in DIRECTIONS if towards == card), None)
        if shock is None:
            return Bounce(bunny, by, start, tuple(landings))
        ahead = next_card(field, space, shock)
        if ahead is None or ahead in shown:
            return Bounce(bunny, by, start, tuple(landings), looped=True, back_to=ahead or space)
        before, space, way = space, ahead, shock


def deal(chance: Chance) -> tuple[Field, Chance]:
    """Return a field on which a lone Bunny could collect all five Carrots, and the stream after the draws.

    Each attempt first draws the order of the 28 spaces of rows 2 to 5, of which the first five get the Carrots. It then draws
    the order of the 30 other cards, which fill the other spaces row by row from the bottom.
    """
    while True:
        spaces, chance = chance.shuffle(SPACES[len(COLUMNS) :])
        cards, chance = chance.shuffle(SHUFFLED)
        rest = iter(cards)
        field = tuple("carrot" if space in spaces[:CARROTS] else next(rest) for space in SPACES)
        if all_carrots_within_reach(field):
            return field, chance


def all_carrots_within_reach(field: Field) -> bool:
    """Whether a lone Bunny that starts off the field could collect every Carrot in some order.

    It enters and bounces wherever it likes, follows the shocks, and enters again after a loop. Bounces pass over the empty
    spaces that taken Carrots leave. The Bunny uses no Swaps, and nobody spends a Universal Shock on it.
    """
    begin: tuple[Space | None, Field] = (None, field)
    seen = {begin}
    waiting = [begin]
    while waiting:
        for after in _lone_moves(*waiting.pop()):
            if "carrot" not in after[1]:
                return True
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def _lone_moves(space: Space | None, field: Field) -> Iterator[tuple[Space | None, Field]]:
    ways: list[tuple[Space | None, Direction | None]]
    if space is None:
        ways = [(entrance, None) for entrance in entrances(field, None)]
    else:
        ways = [(next_card(field, space, direction), direction) for direction in DIRECTIONS]
    for first, direction in ways:
        if first is not None:
            done = bounce(field, space, first, direction, bunny=0, by=0, other=None)
            taken = done.end is not None and card_on(field, done.end) == "carrot"
            yield done.end, with_card(field, done.end, "empty") if taken and done.end else field
