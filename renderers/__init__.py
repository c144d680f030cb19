"""Pictures: a view of a game in, an image out. Knows the engines and Pillow, nothing else."""

from collections.abc import Callable
from typing import Any, Final

from PIL import Image

from engines.game import View
from renderers import bouncers, bunny, png, pucks, theme, trampoline
from renderers.scene import Scene

Renderer = Callable[[Any, Scene], Image.Image]
"""Draws one game's views: the finished picture as `renderers.canvas.card` gives it, RGBA. Pure, and fit for any thread."""

RENDERERS: Final[dict[str, Renderer]] = {
    "bouncers": bouncers.draw,
    "bunny": bunny.draw,
    "trampoline": trampoline.draw,
    "pucks": pucks.draw,
}
"""The renderer of each game, by the game's id."""


def draw(game_id: str, view: View, scene: Scene) -> bytes:
    """The picture of a view as a PNG file. The same view and scene always give the same bytes.

    Raises:
        KeyError: the game has no renderer.
    """
    palette = theme.palette(scene.high_contrast)
    picture = RENDERERS[game_id](view, scene)
    return png.encode(picture, palette.edge, theme.anchors(palette, game_id))
