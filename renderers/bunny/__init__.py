"""Draws Bounce Bunny Bounce. Start reading at `picture`."""

from typing import Final

from renderers.bunny.colours import colours_of, shades_of
from renderers.bunny.picture import draw
from renderers.bunny.trail import numbers_of
from renderers.renderer import Renderer

RENDERER: Final = Renderer(draw, colours_of, shades_of, numbers=numbers_of)
