"""What a game registers in order to be drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PIL import Image

from renderers import theme
from renderers.scene import Scene
from renderers.theme import Colour, ColourSet, Palette

Draw = Callable[[Any, Scene], Image.Image]
"""Draws a view of one game and returns the finished RGBA card (see `renderers.canvas.card`). Pure and thread-safe."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """The renderer of one game.

    Attributes:
        draw: draws a view of the game.
        colours: returns the game's own colours for a palette; None if the game uses the shared ones only.
    """

    draw: Draw
    colours: Callable[[Palette], ColourSet] | None = None

    def anchors(self, palette: Palette) -> tuple[Colour, ...]:
        """The colours that pictures of the game keep exactly: the shared ones and the game's own."""
        return theme.anchors(palette, None if self.colours is None else self.colours(palette))
