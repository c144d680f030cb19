"""Draws Bouncers. Start reading at `picture`."""

from typing import Final

from renderers.bouncers.colours import colours_of, shades_of
from renderers.bouncers.picture import draw
from renderers.bouncers.story import numbers_of
from renderers.renderer import Renderer

RENDERER: Final = Renderer(draw, colours_of, shades_of, numbers=numbers_of)
