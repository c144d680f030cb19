"""The contract of a renderer. Each game registers one in order to be drawn."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from PIL import Image

from engines.game import Event
from renderers import png, theme
from renderers.scene import Scene
from renderers.theme import Colour, ColourSet, Palette

Draw = Callable[[Any, Scene], Image.Image]
"""A function that draws a view of one game as a card, an RGB image (see `canvas.card`). It is pure and thread-safe."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """The renderer of one game.

    Attributes:
        draw: draws a view of the game.
        colours: returns the game's own colours for a palette, or None if it has none.
        shades: returns the other colours of its pictures for a palette: shadows, smooth edges and translucent parts, chosen by
            `tests.renderers.shades`. If it is None, each picture is searched for them, which takes as long as drawing it.
        hand: draws the hand of the view's seat in place of the board, or is None if there is no such picture.
        strip: returns the height of the strip with the seats at the foot of the picture.
        foot: returns the height of everything below the board, or is None if that is only the strip.
        numbers: returns, for each event, the numbers that its steps have in a picture of all the events.
    """

    draw: Draw
    colours: Callable[[Palette], ColourSet] | None = None
    shades: Callable[[Palette], Sequence[Colour]] | None = None
    hand: Draw | None = None
    strip: Callable[[Any, Scene], int] = lambda _view, _scene: theme.STRIP
    foot: Callable[[Any, Scene], int] | None = None
    numbers: Callable[[Sequence[Event]], Sequence[range]] = lambda events: [range(0)] * len(events)

    def anchors(self, palette: Palette) -> tuple[Colour, ...]:
        """Return the colours that the game's pictures keep exactly: those that all pictures share, and the game's own."""
        return theme.anchors(palette, None if self.colours is None else self.colours(palette))

    def encode(self, picture: Image.Image, palette: Palette) -> bytes:
        """Encode a card with the colours of the game. See `png.encode`."""
        anchors = self.anchors(palette)
        colours = png.choose_colours(picture, anchors) if self.shades is None else (*anchors, *self.shades(palette))
        return png.encode(picture, palette.edge, colours)


def numbered(counts: Iterable[int]) -> list[range]:
    """Number the steps of the events from 1 on, given how many steps each event has."""
    return [range(start, end) for start, end in pairwise(accumulate(counts, initial=1))]
