"""The contract of a renderer, which each game registers in order to be drawn."""

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
"""Draws a view of one game and returns the finished card, an RGB image (see `renderers.canvas.card`). Pure and thread-safe."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """The renderer of one game.

    Attributes:
        draw: draws a view of the game.
        colours: returns the game's own colours for a palette; None if the game uses the shared ones only.
        shades: returns the other colours of pictures with a palette: those of shadows, smooth edges and translucent parts.
            `tests.renderers.shades` chooses them. None: they are looked for in each picture, which takes as long as drawing it.
        hand: draws the hand of the view's seat in place of the board, or None if there is no such picture.
        strip: returns the height of the strip with the seats, at the foot of the picture of a view.
        foot: returns the height of everything below the board in the picture of a view, or None if only the strip is there.
        numbers: returns for each of some events the numbers that a picture of them all gives its steps; empty for an event that
            is no step of its own.
    """

    draw: Draw
    colours: Callable[[Palette], ColourSet] | None = None
    shades: Callable[[Palette], Sequence[Colour]] | None = None
    hand: Draw | None = None
    strip: Callable[[Any, Scene], int] = lambda _view, _scene: theme.STRIP
    foot: Callable[[Any, Scene], int] | None = None
    numbers: Callable[[Sequence[Event]], Sequence[range]] = lambda events: [range(0)] * len(events)

    def anchors(self, palette: Palette) -> tuple[Colour, ...]:
        """The colours that pictures of the game keep exactly: the shared ones and the game's own."""
        return theme.anchors(palette, None if self.colours is None else self.colours(palette))

    def encode(self, picture: Image.Image, palette: Palette, *, fast: bool = False) -> bytes:
        """Encode a card, with the colours of the game, as a PNG file; see `png.encode`."""
        anchors = self.anchors(palette)
        colours = png.choose_colours(picture, anchors) if self.shades is None else (*anchors, *self.shades(palette))
        return png.encode(picture, palette.edge, colours, fast=fast)


def numbered(counts: Iterable[int]) -> list[range]:
    """Number steps from 1 on through all events, of which each has so many."""
    return [range(start, end) for start, end in pairwise(accumulate(counts, initial=1))]
