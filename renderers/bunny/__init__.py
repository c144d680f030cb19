"""Pictures of Bounce Bunny Bounce: `picture` puts them together, `cards` draws what lies in the field."""

from typing import Final

from renderers.bunny.colours import colours_of
from renderers.bunny.picture import draw
from renderers.renderer import Renderer

RENDERER: Final = Renderer(draw, colours_of)
