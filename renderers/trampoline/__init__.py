"""Pictures of BOUNCE: `picture` puts them together, `party` draws the garden and its guests."""

from typing import Final

from renderers.renderer import Renderer
from renderers.trampoline.colours import colours_of
from renderers.trampoline.picture import draw

RENDERER: Final = Renderer(draw, colours_of)
