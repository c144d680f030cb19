"""Lays out the strip of Puck Bumpers in the direction of play, with enough rows and lines that no name is cut off."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engines.pucks.board.views import Phase, PucksView
from renderers import theme
from renderers.lettering import letters_of, text_width
from renderers.pieces import badges
from renderers.scene import Scene
from renderers.strip import shown_name
from renderers.theme import EDGE, WIDTH, Face, Size

_CROWDED: Final = 4  # with so many seats in a row, or with two rows, all is smaller
_LINES: Final = 3  # the lines of a name at most. Names of 32 letters fit into them.
_LINES_IN_ONE_ROW: Final = 2  # names of four seats that need more lines than this beside each other are in two rows of seats
GAP: Final = 7
"""Pixels between the edge of the strip and a seat, between two rows, and between the parts of a seat."""
BETWEEN: Final = 18
"""Pixels between two seats in a row, which leave room for a chevron."""
PAD: Final = 4
"""Pixels above and below the lines of a seat."""
SIDE: Final = 10
"""Pixels on the left and on the right of a seat's contents."""
TAGS: Final = 34
"""The height of the words under a row that name colours."""
_BREAKS: Final = " _-."  # letters after which a long name is broken
_WORTH_A_BREAK: Final = 0.5  # the least share of a line that breaking after such a letter must leave; else a word is broken


@dataclass(frozen=True, slots=True)
class Name:
    """A name, in lines of the same type size."""

    lines: tuple[str, ...]
    size: Size

    @property
    def leading(self) -> int:
        """The height of a line in pixels."""
        return self.size + 2

    @property
    def height(self) -> int:
        """The height of all lines."""
        return len(self.lines) * self.leading


@dataclass(frozen=True, slots=True)
class Seating:
    """The strip with all seats laid out.

    Attributes:
        rows: the seats in each row, in the direction of play.
        names: the name of each seat.
        across: the number of seats that a row has room for.
        room: the width for a name in pixels.
        tagged: whether there is room under each row for words that name colours.
    """

    rows: tuple[tuple[int, ...], ...]
    names: tuple[Name, ...]
    across: int
    room: int
    tagged: bool

    @property
    def height(self) -> int:
        """The height of the strip in pixels."""
        return GAP + sum(self.row_height(row) + GAP + (TAGS if self.tagged else 0) for row in self.rows)

    @property
    def info(self) -> int:
        """The height of the line under a name."""
        return 34 if len(self.rows) == 1 and self.across < _CROWDED else 28

    def row_height(self, row: Sequence[int]) -> int:
        """Return the height of the seats in a row."""
        return 2 * PAD + max(self.names[seat].height for seat in row) + self.info


_ARRANGEMENTS: Final = {4: (4, 2), 5: (3,), 6: (3,)}
"""How many seats a row may have, by the number of seats. Games with fewer seats have one row."""


def seating_of(view: PucksView, scene: Scene, *, tagged: bool) -> Seating:
    """Lay out the strip. If `tagged`, leave room for words that name colours."""
    way = view.direction * (-1 if view.phase is Phase.PLACE else 1)  # pieces are placed in the opposite direction
    order = tuple(step * way % view.seats for step in range(view.seats))
    for across in _ARRANGEMENTS.get(view.seats, (view.seats,)):
        rows = tuple(order[first : first + across] for first in range(0, view.seats, across))
        mark = badges(tuple(range(view.colours)), theme.WARM, mark_size(across))
        room = int(cell_width(across) - 2 * SIDE - mark.width - GAP)
        sizes = _SIZES if across < _CROWDED and len(rows) == 1 else _SIZES[1:]
        names = tuple(name_of(shown_name(scene, seat), sizes, room) for seat in range(view.seats))
        if max(len(name.lines) for name in names) <= _LINES_IN_ONE_ROW:
            break
    return Seating(rows, names, across, room, tagged)


_SIZES: Final = (Size.NAME, Size.BODY, Size.SMALL)


@lru_cache(maxsize=256)
def name_of(name: str, sizes: Sequence[Size], room: int) -> Name:
    """Return a name in one line of the largest size that fits this width, or else in several lines of the smallest size."""
    for size in sizes:
        if text_width(name, Face.NAME_STRONG, size) <= room:
            return Name((name,), size)
    lines: list[str] = []
    rest = name
    while rest and len(lines) < _LINES - 1:
        line = _first_line(rest, sizes[-1], room)
        lines.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    return Name((*lines, rest) if rest else tuple(lines), sizes[-1])


def _first_line(text: str, size: Size, room: int) -> str:
    """Return as much of a text as fits, but at least a letter, ending after a word if that loses little."""
    fits = ""
    for letter in letters_of(text):
        if fits and text_width(fits + letter, Face.NAME_STRONG, size) > room:
            break
        fits += letter
    if len(fits) == len(text):
        return fits
    end = max((place for place in range(len(fits)) if fits[place] in _BREAKS), default=0) + 1
    return fits[:end] if end > len(fits) * _WORTH_A_BREAK else fits


def cell_width(across: int) -> float:
    """Return the width of a seat if a row has room for `across` seats."""
    return (WIDTH - 2 * EDGE - 2 * GAP - BETWEEN * (across - 1)) / across


def mark_size(across: int) -> int:
    """Return the size of a seat's mark if a row has room for `across` seats."""
    return 48 if across < _CROWDED else 42
