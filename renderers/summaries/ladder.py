"""Draws a ladder: the order of a server's players at a game, with everybody's wins and losses in this season."""

from dataclasses import dataclass
from typing import Final

from PIL import Image

from renderers.summaries import tournament_table
from renderers.summaries.chips import Cell, CellKind
from renderers.summaries.lines import BEST
from renderers.summaries.tournament_table import TALL, TableRow, TournamentTable
from renderers.theme import Palette

RUNGS_AT_MOST: Final = TALL


@dataclass(frozen=True, slots=True)
class Rung:
    """A ladder player: the place from 1 (some may be left out), the name as written, and this season's wins and losses."""

    place: int
    name: str
    won: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Everything in the picture, with texts in any language.

    Attributes:
        title, subtitle: the name of the game, and the heading below it, such as "Ladder · until 31 December".
        rungs: the players, from the top. At most `RUNGS_AT_MOST` are drawn.
        won, lost: the headings of the two columns of numbers.
        note: words at the foot.
        nameless: the words for a player whose name cannot be drawn.
    """

    title: str
    subtitle: str
    rungs: tuple[Rung, ...]
    won: str
    lost: str
    note: str = ""
    nameless: str


def draw(ladder: Ladder, *, high_contrast: bool = False) -> bytes:
    """Draw a ladder as a PNG file. Equal ladders give the same bytes."""
    return tournament_table.draw(_table(ladder), high_contrast=high_contrast)


def paint(ladder: Ladder, palette: Palette) -> Image.Image:
    """Draw a ladder as a card."""
    return tournament_table.paint(_table(ladder), palette)


def _table(ladder: Ladder) -> TournamentTable:
    """Return the ladder as a table with medals, and with chips for the games won and lost unless there were none."""
    rows = []
    for rung in ladder.rungs[:RUNGS_AT_MOST]:
        counts = ((rung.won, CellKind.WON), (rung.lost, CellKind.LOST))
        cells = tuple(Cell(str(count), kind) if count else Cell("", CellKind.ABSENT) for count, kind in counts)
        rows.append(TableRow(rung.place, rung.name, cells=cells, has_medal=rung.place <= BEST))
    return TournamentTable(
        title=ladder.title, subtitle=ladder.subtitle, rows=tuple(rows), heads=(ladder.won, ladder.lost), note=ladder.note,
        nameless=ladder.nameless,
    )  # fmt: skip
