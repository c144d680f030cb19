"""Draws a person's stats on a server, from ratings and form to moments and badges. Sections without content are left out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, Literal

from PIL import Image

from renderers import png, theme
from renderers.canvas import Layer, card, place, star
from renderers.lettering import can_write, text_width, write
from renderers.pieces import computer_mark
from renderers.summaries.chips import CellKind, ground_of, tones
from renderers.summaries.heading import HEADER, draw_header
from renderers.summaries.lines import name_or_words, tint
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

Result = Literal["won", "drawn", "lost"]

_LEFT: Final = 44
_RIGHT: Final = WIDTH - 44
_TOP: Final = HEADER + 6
_HEAD: Final = 46
_GAME: Final = 46
_NOTE: Final = 34
_FORM: Final = 72
_PACE: Final = 42
_CURVE: Final = 96
_ITEM: Final = 42
_BADGE: Final = 50
_END: Final = 14
"""Heights in pixels: of the top, a heading, a game, the note, the form, the pace, the curve, an item, badges, and the end."""
_CHIP: Final = 50  # the width of the sign of a result
_SCALE: Final = 96  # the room to the left of the curve, for its scale


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game for which the person has a rating.

    Attributes:
        title: the name of the game.
        rating: the number as shown.
        provisional: whether it is based on few games. It is then fainter, and has a question mark.
        results: how many games were won, drawn and lost.
        place: the place on the leaderboard, in words.
    """

    title: str
    rating: str
    provisional: bool
    results: str
    place: str


@dataclass(frozen=True, slots=True)
class Section:
    """A list with a heading. Each line has words, and something short on the right."""

    title: str
    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Everything in the picture, with texts in any language.

    Attributes:
        name, nameless: the person's name as they write it, and the words for a name that cannot be drawn.
        subtitle: the line below the name.
        games: the games with a rating, best first.
        note: the meaning of the question mark.
        form_title, form: the heading, and the latest results, oldest first, each with its letter.
        pace: how they take their turns, as headings side by side, each with a few words.
        curve_title, points: the heading, and the ratings in order of time.
        lists: lists of rivals and moments, side by side. People's names are among the words.
        badges_title, badges: the heading, and each badge in words.
    """

    name: str
    nameless: str
    subtitle: str
    games: tuple[GameRecord, ...]
    note: str
    form_title: str
    form: tuple[tuple[Result, str], ...]
    curve_title: str
    points: tuple[int, ...]
    lists: tuple[Section, ...]
    badges_title: str
    badges: tuple[str, ...]
    pace: tuple[tuple[str, str], ...] = ()
    high_contrast: bool = False


def draw(stats: Stats) -> bytes:
    """Draw stats as a PNG file. Equal stats give the same bytes."""
    palette = theme.palette(stats.high_contrast)
    picture = paint(stats, palette)
    anchors = (*theme.anchors(palette), tint(palette), palette.gold, *tones(palette))
    return png.encode(picture, palette.edge, png.choose_colours(picture, anchors))


def paint(stats: Stats, palette: Palette) -> Image.Image:
    """Draw stats as a card."""
    name = stats.name if can_write(stats.name, Face.LABEL) or can_write(stats.name, Face.NAME) else stats.nameless
    sections = list(_sections(stats, palette))
    image = Image.new("RGB", (WIDTH, _TOP + sum(height for height, _ in sections) + _END + EDGE), palette.paper)
    draw_header(image, name, stats.subtitle, palette)
    y = _TOP
    for height, draw_section in sections:
        draw_section(image, y)
        y += height
    return card(image, palette)


def _sections(stats: Stats, palette: Palette) -> Iterator[tuple[int, Callable[[Image.Image, int], None]]]:
    """Yield the height of each section that has content, and a function that draws it below a given height."""
    for game in stats.games:
        yield _GAME, partial(_draw_game, game, palette)
    if stats.note:
        yield _NOTE, partial(_write_note, stats.note, palette)
    if stats.form:
        yield _FORM, partial(_draw_form, stats.form_title, stats.form, palette)
    if stats.pace:
        yield _PACE, partial(_draw_pace, stats.pace, palette)
    if len(stats.points) > 1:
        yield _HEAD + _CURVE, partial(_draw_curve, stats.curve_title, stats.points, palette)
    if stats.lists:
        yield _HEAD + _ITEM * max(len(section.items) for section in stats.lists), partial(_draw_lists, stats, palette)
    if stats.badges:
        rows = _badge_rows(stats.badges)
        yield _HEAD + _BADGE * len(rows), partial(_draw_badges, stats.badges_title, rows, palette)


def _write_head(image: Image.Image, title: str, at: tuple[float, float], palette: Palette, width: float | None = None) -> None:
    room = _RIGHT - at[0] if width is None else width
    write(image, (at[0], at[1] + 27), title, Face.NAME_STRONG, Size.BODY, palette.muted, width=room)


# --- the sections ---------------------------------------------------------------------------------------------------------


def _draw_game(game: GameRecord, palette: Palette, image: Image.Image, top: int) -> None:
    y = top + _GAME / 2
    write(image, (_LEFT, y), game.title, Face.LABEL, Size.NAME, palette.ink, width=390)
    write(image, (560, y), game.results, Face.LABEL, Size.BODY, palette.muted, align="right", width=150)
    write(image, (600, y), game.place, Face.NAME, Size.BODY, palette.muted, width=230)
    colour = palette.muted if game.provisional else palette.ink
    shown = game.rating + ("?" if game.provisional else "")
    write(image, (_RIGHT, y), shown, Face.LABEL, Size.HEADING, colour, align="right", width=140)
    image.paste(palette.line, (_LEFT, top + _GAME - 2, _RIGHT, top + _GAME))


def _write_note(note: str, palette: Palette, image: Image.Image, top: int) -> None:
    at, room = (_RIGHT, top + _NOTE / 2), _RIGHT - _LEFT
    write(image, at, note, Face.NAME, Size.SMALL, palette.muted, align="right", width=room)


def _draw_form(title: str, form: Sequence[tuple[Result, str]], palette: Palette, image: Image.Image, top: int) -> None:
    """Draw the results from left to right beside their heading, with the latest one underlined."""
    y = top + _FORM / 2
    x = _LEFT + write(image, (_LEFT, y), title, Face.NAME_STRONG, Size.BODY, palette.muted, width=190) + 20 + _CHIP / 2
    for number, (result, letter) in enumerate(form, 1):
        place(image, _chip(result, palette), (x, y))
        ink = palette.paper if result == "lost" else palette.ink
        write(image, (x, y), letter, Face.LABEL, Size.BODY, ink, align="middle", width=_CHIP - 14)
        if number == len(form):
            image.paste(palette.ink, (round(x - 16), round(y + 32), round(x + 16), round(y + 36)))
        x += 72


def _draw_pace(pace: Sequence[tuple[str, str]], palette: Palette, image: Image.Image, top: int) -> None:
    gap, y = 32, top + _PACE / 2
    width = (_RIGHT - _LEFT - gap * (len(pace) - 1)) / len(pace)
    for column, (title, words) in enumerate(pace):
        left = _LEFT + column * (width + gap)
        taken = write(image, (left, y), title, Face.NAME_STRONG, Size.BODY, palette.muted, width=width * 0.6) + 16
        write(image, (left + taken, y), words, Face.LABEL, Size.BODY, palette.ink, width=width - taken)


@lru_cache(maxsize=12)
def _chip(result: Result, palette: Palette) -> Image.Image:
    """Return the sign of a result: a disc, a square, or a diamond, so that it is told by its shape as well as by its colour."""
    side = _CHIP + 8
    layer, middle = Layer(side, side), side / 2
    colour = ground_of(CellKind(result), palette)
    if result == "won":
        layer.discs((middle, middle), (25, palette.ink), (22.5, colour))
    elif result == "drawn":
        layer.rectangle((middle - 22, middle - 22, middle + 22, middle + 22), 8, palette.ink)
        layer.rectangle((middle - 19.5, middle - 19.5, middle + 19.5, middle + 19.5), 6, colour)
    else:
        layer.polygon(star((middle, middle), 28, 4), palette.ink)
        layer.polygon(star((middle, middle), 24.5, 4), colour)
    return layer.image()


def _draw_curve(title: str, points: Sequence[int], palette: Palette, image: Image.Image, top: int) -> None:
    """Draw the course of a rating, with the scale on the left and the last value where the line ends."""
    _write_head(image, title, (_LEFT, top), palette)
    top += _HEAD
    left, width, height = _LEFT + _SCALE, _RIGHT - _LEFT - _SCALE - 96, _CURVE - 14
    low, step, count = _scale(min(points), max(points))
    layer = Layer(width, height)

    def y_of(value: float) -> float:
        return 8 + (height - 16) * (1 - (value - low) / (step * count))

    for number in range(count + 1):
        layer.rectangle((0, y_of(low + number * step) - 1, width, y_of(low + number * step) + 1), 0, palette.line)
    line = [(8 + (width - 16) * number / (len(points) - 1), y_of(value)) for number, value in enumerate(points)]
    layer.polygon([*line, (line[-1][0], height), (line[0][0], height)], (*palette.seats[1].colour, 40))
    layer.line(line, 6, palette.seats[1].colour)
    layer.discs(line[-1], (8, palette.ink), (5, palette.gold))
    drawn = layer.image()
    image.paste(drawn, (left, top), drawn)
    for number in range(count + 1):
        value = low + number * step
        write(image, (left - 14, top + y_of(value)), str(value), Face.LABEL, Size.SMALL, palette.muted, align="right")
    write(image, (left + width + 6, top + line[-1][1]), str(points[-1]), Face.LABEL, Size.BODY, palette.ink, width=92)


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Return the first label of the scale, the step, and the number of labels after the first, which is at most three."""
    for step in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000):
        low = least // step * step
        count = max(1, -(-(most - low) // step))
        if count <= 3:
            return low, step, count
    raise ValueError(f"no rating is as high as {most}")


def _draw_lists(stats: Stats, palette: Palette, image: Image.Image, top: int) -> None:
    lists, gap = stats.lists, 48
    width = (_RIGHT - _LEFT - gap * (len(lists) - 1)) / len(lists)
    for column, section in enumerate(lists):
        left = _LEFT + column * (width + gap)
        _write_head(image, section.title, (left, top), palette, width)
        for number, (words, short) in enumerate(section.items):
            y = top + _HEAD + _ITEM * (number + 0.5)
            if number % 2 == 0:
                box = (round(left) - 12, round(y - _ITEM / 2), round(left + width) + 12, round(y + _ITEM / 2))
                image.paste(tint(palette), box)
            taken = write(image, (left + width, y), short, Face.LABEL, Size.BODY, palette.ink, align="right", width=width / 2)
            shown = name_or_words(words, stats.nameless)
            write(image, (left, y), shown, Face.NAME, Size.BODY, palette.ink, width=width - taken - 16)


def _badge_rows(badges: Sequence[str]) -> list[list[tuple[str, float]]]:
    rows: list[list[tuple[str, float]]] = []
    room = 0.0
    for badge in badges:
        width = min(_RIGHT - _LEFT, text_width(badge, Face.NAME_STRONG, Size.SMALL) + 84)
        if width > room:
            rows.append([])
            room = _RIGHT - _LEFT
        rows[-1].append((badge, width))
        room -= width + 14
    return rows


def _draw_badges(
    title: str, rows: Sequence[Sequence[tuple[str, float]]], palette: Palette, image: Image.Image, top: int
) -> None:
    _write_head(image, title, (_LEFT, top), palette)
    mark = computer_mark(palette, 36)
    for number, row in enumerate(rows):
        x, y = float(_LEFT), top + _HEAD + _BADGE * (number + 0.5) - 4
        for badge, width in row:
            pill = _pill(round(width), 46, palette)
            place(image, pill, (x + width / 2, y))
            place(image, mark, (x + 32, y - 1))
            write(image, (x + 58, y), badge, Face.NAME_STRONG, Size.SMALL, palette.ink, width=width - 76)
            x += width + 14


@lru_cache(maxsize=32)
def _pill(width: int, height: int, palette: Palette) -> Image.Image:
    layer = Layer(width, height)
    pale = theme.mix(palette.gold, palette.paper, 0.6)
    layer.plates((0, 0, width, height), height / 2, (0, palette.gold_dark), (2.5, pale))
    return layer.image()
