"""Draws the bracket of a knockout: who plays whom, the scores, and who goes through.

A bracket begins with the first round that has at most `_MATCHES` matches. While an earlier round is being played, its matches
are shown in columns instead, so that nobody who is playing is missing.
"""

import math
from dataclasses import dataclass
from typing import Final

from PIL import Image

from renderers import theme
from renderers.banner import cup
from renderers.canvas import Layer, card, lay, place
from renderers.lettering import text_width, write
from renderers.sprite_cache import cache_sprite
from renderers.summaries.heading import HEADER, draw_header, encode
from renderers.summaries.lines import fitting_size, name_or_words, tint, write_note
from renderers.theme import EDGE, MAX_HEIGHT, WIDTH, Face, Palette, Size

MATCHES_AT_MOST: Final = 33
"""The largest number of matches that are shown of one round."""
_MATCHES: Final = 8  # the most matches of the first round of a bracket

_HEADS: Final = 46
_FOOT: Final = 52
_END: Final = 14
_SLOT: Final = 176
_HALF: Final = 58
"""Heights in pixels: of the headings, the foot with and without words and, at most, a match with its gap and half a match."""
_SIDE: Final = 28
_BETWEEN: Final = 40
_FIRST: Final = 1.25
"""The room on both sides, and between rounds. The first round is `_FIRST` times as wide as any other, so that names can be
looked up there."""
_TIP: Final = 12  # how far the half of a winner points out of its match
_WAY: Final = 4  # the width of the ways from one match to the next


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match.

    Attributes:
        names: the upper and the lower player, as they write their names, or None for a place that is open or belongs to a bye.
        scores: what they have scored, in a few characters.
        winner: who goes through: 0 for the upper player, 1 for the lower one, None while the match goes on.
    """

    names: tuple[str | None, str | None] = (None, None)
    scores: tuple[str, str] = ("", "")
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A round, with its heading and its matches from the top. The winners of each pair of matches meet in the next round."""

    title: str
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Everything in the picture, with texts in any language.

    Attributes:
        title, subtitle: the name of the event, and the heading below it.
        stages: all rounds up to the final, each with half as many matches as the one before.
        bye: the word in place of a missing opponent.
        note: words at the foot, such as how many players are left.
        nameless: the words for a player whose name cannot be drawn.
    """

    title: str
    subtitle: str
    stages: tuple[Stage, ...]
    bye: str
    note: str = ""
    nameless: str


def draw(bracket: Bracket, *, high_contrast: bool = False) -> bytes:
    """Draw a bracket as a PNG file. Equal brackets give the same bytes."""
    palette = theme.palette(high_contrast)
    return encode(paint(bracket, palette), palette)


def paint(bracket: Bracket, palette: Palette) -> Image.Image:
    """Draw a bracket as a card."""
    shown = shown_stages(bracket)
    if len(shown[0].matches) > _MATCHES:
        return _paint_sheet(bracket, shown[0], palette)
    return _paint_tree(bracket, shown, palette)


def shown_stages(bracket: Bracket) -> tuple[Stage, ...]:
    """Return the rounds that are shown: those of a bracket up to the final, or only the current round while it is too large."""
    stages = bracket.stages
    current = next((stage for stage in stages if any(match.winner is None for match in stage.matches)), stages[-1])
    if len(current.matches) > _MATCHES:
        return (current,)
    return tuple(stage for stage in stages if len(stage.matches) <= _MATCHES)


def _ground(bracket: Bracket, height: int, palette: Palette) -> Image.Image:
    """Return the picture with room for matches that take `height` pixels, but without the matches."""
    foot = _FOOT if bracket.note else _END
    image = Image.new("RGB", (WIDTH, HEADER + _HEADS + height + foot + EDGE), palette.paper)
    draw_header(image, bracket.title, bracket.subtitle, palette)
    if bracket.note:
        write_note(image, bracket.note, HEADER + _HEADS + height, palette)
    return image


def _room(bracket: Bracket) -> int:
    return MAX_HEIGHT - EDGE - HEADER - _HEADS - (_FOOT if bracket.note else _END)


def _paint_sheet(bracket: Bracket, stage: Stage, palette: Palette) -> Image.Image:
    """Draw the matches of one round in two or three columns."""
    matches = stage.matches[:MATCHES_AT_MOST]
    columns = 2 if len(matches) <= 2 * _MATCHES else 3
    deep = math.ceil(len(matches) / columns)
    slot = min(_SLOT, _room(bracket) // deep)
    half = min(_HALF, (slot - 8) // 2)
    image = _ground(bracket, slot * deep, palette)
    write(image, (WIDTH / 2, HEADER + 25), stage.title, Face.NAME_STRONG, Size.BODY, palette.muted, align="middle",
          width=WIDTH - 2 * _SIDE)  # fmt: skip
    width = (WIDTH - 2 * _SIDE - _BETWEEN // 2 * (columns - 1)) // columns
    for number, match in enumerate(matches):
        column, row = divmod(number, deep)
        at = (_SIDE + column * (width + _BETWEEN // 2), HEADER + _HEADS + slot * row + (slot - 2 * half) // 2)
        _draw_match(image, match, bracket, at, (width - _TIP, half), palette)
    return card(image, palette)


def _paint_tree(bracket: Bracket, stages: tuple[Stage, ...], palette: Palette) -> Image.Image:
    """Draw the rounds from left to right, with each match halfway between the two that lead to it."""
    first = len(stages[0].matches)
    slot = min(_SLOT, _room(bracket) // first)
    half = min(_HALF, (slot - 8) // 2)
    image = _ground(bracket, slot * first, palette)
    ends = _columns(len(stages))
    for number, (stage, (left, right)) in enumerate(zip(stages, ends, strict=True)):
        write(image, ((left + right) / 2, HEADER + 25), stage.title, Face.NAME_STRONG,
              fitting_size(stage.title, Face.NAME_STRONG, (Size.BODY, Size.SMALL), right - left), palette.muted,
              align="middle", width=right - left + _BETWEEN - 8)  # fmt: skip
        tall = slot * first // len(stage.matches)
        for row, match in enumerate(stage.matches):
            top = HEADER + _HEADS + tall * row + tall // 2 - half
            if number + 1 < len(stages):
                onward = HEADER + _HEADS + 2 * tall * (row // 2) + tall + (half // 2 if row % 2 else -half // 2)
                _draw_way(image, match, (right, top), half, (ends[number + 1][0], onward), palette)
            _draw_match(image, match, bracket, (left, top), (right - left, half), palette)
    final, (left, right) = stages[-1].matches[0], ends[-1]
    if final.winner is not None and len(stages) > 1:
        sprite = cup(palette, 96)
        place(image, sprite, ((left + right) / 2 + 2, HEADER + _HEADS + slot * first / 2 - half - sprite.height / 2 - 2))
    return card(image, palette)


def _columns(count: int) -> list[tuple[int, int]]:
    unit = (WIDTH - 2 * _SIDE - _TIP - _BETWEEN * (count - 1)) / (count - 1 + _FIRST)
    ends, x = [], float(_SIDE)
    for number in range(count):
        width = unit * (1 if number else _FIRST)
        ends.append((round(x), round(x + width)))
        x += width + _BETWEEN
    return ends


def _draw_way(
    image: Image.Image, match: BracketMatch, corner: tuple[int, int], half: int, end: tuple[int, int], palette: Palette
) -> None:
    """Draw the way from the winner of a match to `end`, in the next match, or a pale one from the middle without a winner."""
    (x, top), (end_x, end_y) = corner, end
    y = top + (half if match.winner is None else half // 2 + half * match.winner)
    middle, thick = (x + _TIP + end_x) // 2, _WAY // 2
    colour = palette.line if match.winner is None else palette.ink
    low, high = sorted((y, end_y))
    image.paste(colour, (x, y - thick, middle + thick, y + thick))
    image.paste(colour, (middle - thick, low - thick, middle + thick, high + thick))
    image.paste(colour, (middle - thick, end_y - thick, end_x + thick, end_y + thick))


def _draw_match(
    image: Image.Image, match: BracketMatch, bracket: Bracket, at: tuple[int, int], size: tuple[int, int], palette: Palette
) -> None:
    """Draw a match with its upper left corner at `at`. `size` gives its width and half its height."""
    (left, top), (width, half) = at, size
    box = _box(width, half, match.winner, palette, is_open=match.names == (None, None))
    lay(image, box, at)
    sizes = (Size.NAME, Size.BODY, Size.SMALL) if half >= 48 else (Size.BODY, Size.SMALL)
    for number, name in enumerate(match.names):
        y = top + half * (number + 0.5)
        won, lost = match.winner == number, match.winner not in {None, number}
        ink = palette.muted if lost else palette.ink
        taken = text_width(match.scores[number], Face.LABEL, Size.BODY)
        write(image, (left + width - 14, y), match.scores[number], Face.LABEL, Size.BODY, ink, align="right", width=80)
        room = width - 28 - (min(80, taken) + 10 if taken else 0)
        if name is not None:
            shown, face = name_or_words(name, bracket.nameless), Face.NAME_STRONG if won else Face.NAME
        else:
            shown, face, ink = bracket.bye if lost else "", Face.NAME, palette.muted
        write(image, (left + 14, y), shown, face, fitting_size(shown, face, sizes, room), ink, width=room)


@cache_sprite
def _box(width: int, half: int, winner: int | None, palette: Palette, *, is_open: bool) -> Image.Image:
    """Return the background of a match. The winner's half is golden and points onward. Without players, the box is pale."""
    layer, rim, radius = Layer(width + _TIP, 2 * half), 2.5, 10
    layer.rectangle((0, 0, width, 2 * half), radius, palette.line if is_open else palette.ink)
    layer.rectangle((rim, rim, width - rim, 2 * half - rim), radius - rim, palette.paper)
    if winner is not None:
        top = half * winner
        lost = half * (1 - winner)
        layer.rectangle((rim, lost + rim, width - rim, lost + half - rim), radius - rim, tint(palette))
        layer.polygon([(width - 4, top + 2), (width + _TIP, top + half / 2), (width - 4, top + half - 2)], palette.ink)
        layer.rectangle((rim, top + rim, width - rim, top + half - rim), radius - rim, palette.gold)
        layer.polygon([(width - 8, top + 4), (width + _TIP - 5, top + half / 2), (width - 8, top + half - 4)], palette.gold)
    layer.rectangle((rim, half - 1, width - rim, half + 1), 0, palette.line if is_open else palette.ink)
    return layer.image()
