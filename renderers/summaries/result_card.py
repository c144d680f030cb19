"""Draws the card of a finished game: its winners, last board and seats and, if reviewed, its chances and turning point."""

from dataclasses import dataclass
from typing import Final

from PIL import Image

from engines.game import View
from renderers import RENDERERS, png, theme
from renderers.banner import draw_head
from renderers.canvas import card, place
from renderers.lettering import break_lines, strike, write
from renderers.pieces import badges, computer_mark, plate
from renderers.poster import corner_mask, small_board
from renderers.scene import Scene
from renderers.signs import burst
from renderers.strip import shown_name
from renderers.summaries.curve import Curve, bands, mark_places, tones
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

_HEAD: Final = 158
_BOARD: Final = 476
_GAP: Final = 22
_SIDE: Final = EDGE + 24
"""Pixels: the height of the head, the greatest side of the board, and the distances inside the card and at its sides."""
_WORDS: Final = 46
_BANDS: Final = 196
"""Heights below the board: of a line of words, and of the curve."""
_TALLEST_ROW: Final = 112
_BADGE: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCard:
    """The words and figures of a card, in any language.

    Attributes:
        title: the name of the game, and its number.
        accuracy: the label of the figures in `accuracies`.
        accuracies: how accurately each seat was played, or "" where that is not known. Without a review, this is empty.
        curve: the chances to win, with the moment at which the game turned as the only turning point. None without a review.
        turned: the words about that moment, or else about the curve.
    """

    title: str
    accuracy: str = ""
    accuracies: tuple[str, ...] = ()
    curve: Curve | None = None
    turned: str = ""


def draw_result_card(game_id: str, view: View, scene: Scene, result: ResultCard) -> bytes:
    """Draw the card of a game as a PNG file. Equal values give the same bytes.

    `view` is the end of the game, as a spectator sees it. `scene` has the players' names and how the game ended
    (`Scene.finale`).

    Raises:
        KeyError: there is no such game.
    """
    palette = theme.palette(scene.high_contrast)
    picture = paint(game_id, view, scene, result, palette)
    anchors = RENDERERS[game_id].anchors(palette)
    own = () if result.curve is None else tones(palette)
    return png.encode(picture, palette.edge, png.choose_colours(picture, (*anchors, *own)))


def paint(game_id: str, view: View, scene: Scene, result: ResultCard, palette: Palette) -> Image.Image:
    """Draw the card as an image that has not been encoded yet."""
    assert scene.finale is not None, "the game is over"
    board = small_board(RENDERERS[game_id], view, scene, _BOARD, _BOARD)
    turned = "" if result.curve is None else result.turned
    lines = break_lines(turned, Face.NAME_STRONG, Size.BODY, WIDTH - 2 * _SIDE - 56)
    lines[1:] = [" ".join(lines[1:])] if len(lines) > 1 else []  # `write` cuts what is too long
    below = 0 if result.curve is None else _GAP + _WORDS * len(lines) + _BANDS + 8
    top = _HEAD + _GAP
    image = Image.new("RGB", (WIDTH, top + board.height + below + _GAP + EDGE), palette.paper)
    image.paste(palette.ink, (0, 0, WIDTH, _HEAD))
    image.paste(palette.gold, (0, _HEAD - 5, WIDTH, _HEAD))
    write(image, (WIDTH / 2, EDGE + 36), result.title, Face.LABEL, Size.HEADING, palette.paper, align="middle",
          width=WIDTH - 2 * _SIDE)  # fmt: skip
    draw_head(image, view, scene, scene.finale, palette, EDGE + 98)
    image.paste(board, (_SIDE, top), corner_mask(board.size))
    _draw_seats(image, view, scene, result, palette, (_SIDE + board.width + _GAP, top, WIDTH - _SIDE, top + board.height))
    if result.curve is not None:
        _draw_course(image, result.curve, lines, top + board.height + _GAP, palette)
    return card(image, palette)


def _draw_seats(
    image: Image.Image, view: View, scene: Scene, result: ResultCard, palette: Palette, box: tuple[int, int, int, int]
) -> None:
    """Draw a row for each seat, centred vertically, with the winners first and those who have left last."""
    left, top, right, bottom = box
    winners = () if scene.finale is None else scene.finale.winners
    order = sorted(range(view.seats), key=lambda seat: (seat not in winners, seat in view.out, seat))
    height = min(_TALLEST_ROW, (bottom - top) // view.seats)
    first = top + (bottom - top - height * view.seats) // 2
    for number, seat in enumerate(order):
        y = first + number * height
        _draw_seat(image, view, scene, result, palette, seat, (left, y + 4, right, y + height - 4))


def _draw_seat(
    image: Image.Image,
    view: View,
    scene: Scene,
    result: ResultCard,
    palette: Palette,
    seat: int,
    box: tuple[int, int, int, int],
) -> None:
    """Draw one seat: its mark and name, its score below, and its accuracy on the right. A winner is on gold."""
    (left, top, right, bottom), middle = box, (box[1] + box[3]) / 2
    won = scene.finale is not None and seat in scene.finale.winners
    colour = palette.gold if won else theme.mix(palette.paper, palette.line, 0.45)
    ground = plate(right - left, bottom - top, min(theme.CORNER, (bottom - top) / 2), colour)
    image.paste(ground, (left, top), ground)
    out = seat in view.out and not won
    ink = palette.muted if out else palette.ink
    mark = badges(view.colours_of(seat), palette, 52, out=out)
    place(image, mark, (left + 14 + mark.width / 2, middle))
    x, end = left + 26.0 + mark.width, right - 20.0
    if seat < len(result.accuracies) and result.accuracies[seat]:
        figure = result.accuracies[seat]
        wide = max(
            write(image, (end, middle - 13), figure, Face.LABEL, Size.HEADING, ink, align="right"),
            write(image, (end, middle + 18), result.accuracy, Face.NAME, Size.SMALL, ink, align="right", width=140),
        )
        end -= wide + 14
    score = scene.translate(view.scores[seat]) if seat < len(view.scores) else ""
    computer = seat in scene.computers
    name_at = middle - 15 if score or computer else middle
    name = shown_name(scene, seat)
    written = write(image, (x, name_at), name, Face.NAME_STRONG, Size.NAME, ink, width=end - x)
    if out:
        strike(image, (x, name_at), written, ink)
    if computer:
        sign = computer_mark(palette, 30)
        place(image, sign, (x + sign.width / 2, middle + 18))
        x += sign.width + 8
    write(image, (x, middle + 18), score, Face.LABEL, Size.BODY, ink, width=end - x)


def _draw_course(image: Image.Image, curve: Curve, lines: list[str], top: int, palette: Palette) -> None:
    """Draw the words, and below them the curve, with a line and a burst where the game turned."""
    sign = burst(palette, 40)
    for number, line in enumerate(lines):
        indent = 56 if curve.turns else 0
        y = top + _WORDS * (number + 0.5) - 4
        write(image, (_SIDE + indent, y), line, Face.NAME_STRONG, Size.BODY, palette.ink, width=WIDTH - 2 * _SIDE - indent)
    if curve.turns:
        place(image, sign, (_SIDE + 24, top + _WORDS / 2 - 4))
    top += _WORDS * len(lines)
    width = WIDTH - 2 * _SIDE
    image.paste(bands(curve, palette, width, _BANDS), (_SIDE, top))
    for turn in curve.turns:
        x = round(_SIDE + width * turn.place / curve.length)
        image.paste(palette.ink, (x - 2, top, x + 2, top + _BANDS))
        place(image, sign, (min(max(x, _SIDE + 14), WIDTH - _SIDE - 14), top + 12))
    for seat, (across, down) in mark_places(curve, width, _BANDS):
        place(image, badges(curve.colours[seat], palette, _BADGE), (_SIDE + across, top + down))
    for x in (_SIDE, WIDTH - _SIDE):
        image.paste(palette.ink, (x - 1, top, x + 2, top + _BANDS))
    for y in (top, top + _BANDS):
        image.paste(palette.ink, (_SIDE - 1, y - 1, WIDTH - _SIDE + 2, y + 2))
