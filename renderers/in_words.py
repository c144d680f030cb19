"""Draws games that have no renderer of their own, by writing the board in words above the strip with the seats."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from PIL import Image

from engines.game import Game, View
from renderers import theme
from renderers.canvas import card
from renderers.lettering import break_lines, write
from renderers.renderer import Renderer
from renderers.scene import Scene
from renderers.strip import draw_strip
from renderers.theme import EDGE, MAX_HEIGHT, STRIP, WIDTH, Face, Size

_MARGIN: Final = EDGE + 40
_LEADING: Final = 48
_LEAST_LINES: Final = 4


def renderer_of(game: Game[Any, Any]) -> Renderer:
    """Return a renderer that writes out what `Game.describe` says."""
    return Renderer(partial(_draw, game.describe))


def _draw(describe: Callable[[Any], str], view: View, scene: Scene) -> Image.Image:
    """Write as much of the description as fits, followed by the last event and the options."""
    palette = theme.palette(scene.high_contrast)
    said = [*scene.translate(describe(view)).splitlines(), *(scene.translate(event.text) for event in scene.events[-1:])]
    if scene.options:
        said.append(" · ".join(option.token for option in scene.options))
    room = WIDTH - 2 * _MARGIN
    lines = [line for text in said for line in break_lines(text, Face.NAME, Size.NAME, room)]
    lines = lines[: (MAX_HEIGHT - STRIP - 2 * _MARGIN) // _LEADING]
    height = 2 * _MARGIN + _LEADING * max(_LEAST_LINES, len(lines)) + STRIP
    image = Image.new("RGB", (WIDTH, height), palette.paper)
    for number, line in enumerate(lines):
        write(image, (_MARGIN, _MARGIN + _LEADING * (number + 0.5)), line, Face.NAME, Size.NAME, palette.ink, width=room)
    draw_strip(image, view, scene, palette)
    return card(image, palette)
