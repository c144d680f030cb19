"""Draws the leaderboard of a game: the ten best players of a server."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import card, place
from renderers.lettering import write
from renderers.summaries.heading import HEADER, draw_header, encode
from renderers.summaries.lines import BEST, medal, name_or_words, tint, write_note
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

ROWS_AT_MOST: Final = 10
_HEADS: Final = 42
_TALL: Final = 86
_LOW: Final = 66
_FOOTER: Final = 54
"""Heights in pixels: of the column headings, of each of the first `BEST` rows, of each other row, and of the note."""
_MEDAL_AT: Final = 78
_NAME_AT: Final = 138
_RATING_AT: Final = 826
_GAMES_AT: Final = 984
"""The places of the columns: the middle of the medals, the left end of the names, and the right ends of the numbers."""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A player on the leaderboard.

    Attributes:
        place: from 1. Several players may share a place.
        name: as the player writes it.
        rating, games: the numbers as shown.
        provisional: whether the rating is based on few games. It is then fainter, and has a question mark.
    """

    place: int
    name: str
    rating: str
    games: str
    provisional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """Everything in the picture, with texts in any language.

    Attributes:
        title, subtitle: the name of the game, and the heading below it.
        rating, games: the headings of the two columns of numbers.
        rows: the players, best first. At most `ROWS_AT_MOST` are drawn.
        note: the meaning of the question mark.
        nameless: the words for a player whose name cannot be drawn.
    """

    title: str
    subtitle: str
    rating: str
    games: str
    rows: tuple[LeaderboardRow, ...]
    note: str
    nameless: str


def draw(board: Leaderboard, *, high_contrast: bool = False) -> bytes:
    """Draw a leaderboard as a PNG file. Equal leaderboards give the same bytes."""
    palette = theme.palette(high_contrast)
    return encode(paint(board, palette), palette)


def paint(board: Leaderboard, palette: Palette) -> Image.Image:
    """Draw a leaderboard as a card."""
    rows = board.rows[:ROWS_AT_MOST]
    heights = [_TALL if number < BEST else _LOW for number in range(len(rows))]
    footer = _FOOTER if board.note else 20
    image = Image.new("RGB", (WIDTH, HEADER + _HEADS + sum(heights) + footer + EDGE), palette.paper)
    draw_header(image, board.title, board.subtitle, palette)
    for x, word in ((_RATING_AT, board.rating), (_GAMES_AT, board.games)):
        write(image, (x, HEADER + 23), word, Face.NAME_STRONG, Size.SMALL, palette.muted, align="right", width=150)
    tops = list(accumulate(heights, initial=HEADER + _HEADS))
    for top, height in list(zip(tops, heights, strict=False))[::2]:
        image.paste(tint(palette), (0, top, WIDTH, top + height))
    for row, top, height in zip(rows, tops, heights, strict=False):
        _draw_row(image, row, board.nameless, top + height / 2, palette, tall=height == _TALL)
    if board.note:
        write_note(image, board.note, tops[-1], palette)
    return card(image, palette)


def _draw_row(image: Image.Image, row: LeaderboardRow, nameless: str, y: float, palette: Palette, *, tall: bool) -> None:
    if row.place <= BEST:
        place(image, medal(row.place, palette, 34 if tall else 27), (_MEDAL_AT, y))
    write(image, (_MEDAL_AT, y), str(row.place), Face.LABEL, Size.HEADING if tall else Size.NAME, palette.ink, align="middle")
    face, size = (Face.NAME_STRONG, Size.HEADING) if tall else (Face.NAME, Size.NAME)
    write(image, (_NAME_AT, y), name_or_words(row.name, nameless), face, size, palette.ink, width=_RATING_AT - 170 - _NAME_AT)
    colour = palette.muted if row.provisional else palette.ink
    size = Size.NAME if not tall else Size.HUGE if row.place == 1 else Size.HEADING
    if row.provisional:
        write(image, (_RATING_AT + 6, y), "?", Face.LABEL, Size.NAME, palette.muted)
    write(image, (_RATING_AT, y), row.rating, Face.LABEL, size, colour, align="right", width=160)
    write(image, (_GAMES_AT, y), row.games, Face.LABEL, Size.NAME, palette.muted, align="right", width=120)
