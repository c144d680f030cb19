"""Draws BOUNCE. Start reading at `picture`."""

from typing import Final

from renderers.renderer import Renderer
from renderers.trampoline.colours import colours_of, shades_of
from renderers.trampoline.picture import draw, numbers_of

RENDERER: Final = Renderer(draw, colours_of, shades_of, numbers=numbers_of)
