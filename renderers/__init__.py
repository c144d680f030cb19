"""Pictures: a view of a game in, an image out. Knows the engines and Pillow, nothing else."""

from typing import Final

from engines.game import View
from renderers import bouncers, bunny, png, pucks, theme, trampoline
from renderers.renderer import Renderer
from renderers.scene import Scene

RENDERERS: Final[dict[str, Renderer]] = {
    "bouncers": bouncers.RENDERER,
    "bunny": bunny.RENDERER,
    "trampoline": trampoline.RENDERER,
    "pucks": pucks.RENDERER,
}
"""How each game is drawn, by the game's id."""


def draw(game_id: str, view: View, scene: Scene) -> bytes:
    """The picture of a view as a PNG file. The same view and scene always give the same bytes.

    Raises:
        KeyError: the game has no renderer.
    """
    renderer = RENDERERS[game_id]
    palette = theme.palette(scene.high_contrast)
    return png.encode(renderer.draw(view, scene), palette.edge, renderer.anchors(palette))
