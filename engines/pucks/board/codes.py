"""Codes of boards, such as ``B.K/GeKB``: layouts of mats as people write them down and share them.

The rows from the north are separated by ``/``. Each place is the letter of a kind of mat, or ``.`` for no mat. A letter may be
followed by ``n``, ``e``, ``s`` or ``w``. A mat with a goal needs one of these, which is the side to which the goal opens. For
any other mat, it is the side that the mat's north faces (north if nothing follows). Capitals count. The shortest form of a code
is its normal form. It omits a needless ``n``, empty places at the end of a row, and empty rows and columns at the rim.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engines.pucks.board.box import SIDES, LaidMat, MatKind, box
from engines.text import Text, echoed, join, plain, say

LONGEST: Final = 200
"""The most characters that may be typed for a code. In shortest form, a code of all mats of the box has 95 at most."""

NAMED_AT_MOST: Final = 12
NO_MAT: Final = "."
NEW_ROW: Final = "/"
SIDE_SIGNS: Final = {"north": "n", "east": "e", "south": "s", "west": "w"}

SIGNS: Final = (NO_MAT, NEW_ROW, *SIDE_SIGNS.values())
"""The characters of a code apart from the letters of mats. Their order never changes, since codes of positions number them."""

_SIDES: Final = tuple(SIDE_SIGNS[side] for side in SIDES)
_PLACE: Final = re.compile(r"\.|(?P<letter>[^.])(?P<side>[nesw]?)", re.DOTALL)
_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True, slots=True)
class _Written:
    """A mat as it is written in a code, possibly misspelt, with its row and its place in that row, both counted from 1."""

    row: int
    place: int
    letter: str
    side: str

    @property
    def kind(self) -> MatKind | None:
        return _kinds().get(self.letter)

    def fault(self, fault: Text) -> Text:
        """Return the description of a fault, after the row and the place of this mat."""
        return say("row {row}, place {place}: {fault}", row=self.row, place=self.place, fault=fault)


def _kinds() -> dict[str, MatKind]:
    return {kind.letter: kind for kind in box().kinds.values()}


@lru_cache(maxsize=256)
def read_code(code: str) -> tuple[LaidMat, ...]:
    """Return the mats of a code in reading order. The westmost is in column 0, and the northmost in row 0.

    Raises ValueError unless the mats make a board: they are connected, the box has enough of each kind, and one of them has a
    goal. The error's `Text` names every wrong place, and says what is possible.
    """
    if len(code) > LONGEST:
        raise ValueError(say("That code is too long: the limit for a board’s code is {most} characters.", most=LONGEST))
    written = [
        _Written(row, place, found["letter"], found["side"])
        for row, line in enumerate(code.strip().split(NEW_ROW), 1)
        for place, found in enumerate(_PLACE.finditer(line), 1)
        if found["letter"] is not None
    ]
    misspelt = list(_misspelt(written))
    if faults := [*misspelt, *_misbuilt(written)]:
        raise ValueError(_refusal(code, faults, _how_to_write() if misspelt else _how_to_build()))
    left, top = min(mat.place for mat in written), min(mat.row for mat in written)
    return tuple(LaidMat(_kind_of(mat).id, (mat.place - left, mat.row - top), _turn(mat)) for mat in written)


def _kind_of(mat: _Written) -> MatKind:
    kind = mat.kind
    assert kind is not None, "the code is spelt right"
    return kind


def _turn(mat: _Written) -> int:
    front = _kind_of(mat).face.front
    north = 0 if front is None else SIDES.index(front)
    return (_SIDES.index(mat.side or SIDE_SIGNS["north"]) - north) % 4 * 90


def _refusal(code: str, faults: Sequence[Text], possible: Text) -> Text:
    more = len(faults) - NAMED_AT_MOST
    named = join([*faults[:NAMED_AT_MOST], *([say("and {n} more", n=more)] if more > 0 else [])], "; ")
    return say("“{code}” isn’t a board: {faults}. {possible}", code=echoed(code), faults=named, possible=possible)


def _misspelt(written: Sequence[_Written]) -> Iterator[Text]:
    for mat in written:
        if mat.kind is None:
            yield mat.fault(say("“{letter}” isn’t a mat", letter=plain(mat.letter if mat.letter.isprintable() else "�")))
        elif mat.kind.face.front is not None and not mat.side:
            possible = ", ".join(mat.letter + side for side in _SIDES)
            yield mat.fault(say("“{letter}” needs the side it opens to: {possible}", letter=mat.letter, possible=possible))


def _how_to_write() -> Text:
    turned = [letter for letter, kind in _kinds().items() if kind.face.front is None]
    goals = [letter for letter, kind in _kinds().items() if kind.face.front is not None]
    return say(
        "Mats are {mats} (add e, s or w to turn one) and {goals} (add n, e, s or w for the side it opens to). Write . "
        "for no mat and / for a new row. Capitals matter.",
        mats=", ".join(turned),
        goals=", ".join(goals),
    )


def _misbuilt(written: Sequence[_Written]) -> Iterator[Text]:
    """Yield what is wrong with a layout. A misspelt mat counts as a goal, and as a mat that connects its neighbours."""
    kinds = [mat.kind for mat in written]
    if not any(kind is None or kind.face.front is not None for kind in kinds):
        yield say("it has no goal")
    met = Counter[str]()
    for mat, kind in zip(written, kinds, strict=True):
        met[mat.letter] += 1
        if kind is not None and met[mat.letter] > kind.count:
            yield mat.fault(say("the box has only {n} {letter}", n=kind.count, letter=mat.letter))
    for mat in _apart(written):
        if mat.kind is not None:
            yield mat.fault(say("this mat isn’t connected to the others"))


def _how_to_build() -> Text:
    counts = ", ".join(f"{kind.count} {letter}" for letter, kind in _kinds().items())
    return say("All mats must be connected side to side, one must have a goal, and the box has {mats}.", mats=plain(counts))


def _apart(written: Sequence[_Written]) -> list[_Written]:
    """Return the mats that are not connected to the largest part of the board, or to the first of several that large."""
    loose = {(mat.place, mat.row): mat for mat in written}
    parts: list[set[_Written]] = []
    while loose:
        parts.append(set())
        reached = [next(iter(loose))]
        while reached:
            column, row = reached.pop()
            if (mat := loose.pop((column, row), None)) is not None:
                parts[-1].add(mat)
                reached += [(column + dx, row + dy) for dx, dy in _STEPS]
    main = max(parts, key=len, default=set())
    return [mat for mat in written if mat not in main]


def write_code(mats: Sequence[LaidMat]) -> str:
    """Return the code of a layout in its shortest form."""
    at = {mat.at: mat for mat in mats}
    columns, rows = [column for column, _ in at], [row for _, row in at]
    lines = (
        "".join(_word(at.get((column, row))) for column in range(min(columns), max(columns) + 1)).rstrip(NO_MAT)
        for row in range(min(rows), max(rows) + 1)
    )
    return NEW_ROW.join(lines)


def _word(mat: LaidMat | None) -> str:
    if mat is None:
        return NO_MAT
    kind = box().kinds[mat.kind]
    if kind.face.front is None:
        return kind.letter + (_SIDES[mat.turn // 90] if mat.turn else "")
    return kind.letter + _SIDES[(SIDES.index(kind.face.front) + mat.turn // 90) % 4]


def code_of(code: str) -> str:
    """Return a code in its shortest form. Raises ValueError as `read_code` does."""
    return write_code(read_code(code))
