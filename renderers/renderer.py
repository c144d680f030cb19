"""What a game registers so that it can be drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PIL import Image

from renderers import theme
from renderers.scene import Scene
from renderers.theme import Colour, ColourSet, Palette

Draw = Callable[[Any, Scene], Image.Image]
"""Draws a view of one game: the finished picture as `renderers.canvas.card` gives it, RGBA. Pure, and fit for any thread."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """How one game is drawn.

    Attributes:
        draw: draws a view of the game.
        colours: the game's own colours that go with a palette, or None if it has none.
    """

    draw: Draw
    colours: Callable[[Palette], ColourSet] | None = None

    def anchors(self, palette: Palette) -> tuple[Colour, ...]:
        """The colours that pictures of the game keep exactly: those that all games share, and its own."""
        return theme.anchors(palette, None if self.colours is None else self.colours(palette))
