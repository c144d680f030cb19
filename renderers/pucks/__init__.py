"""Draws Puck Bumpers. The picture is made in `picture` from these parts:

- the rink: `board`, `mats` and `pieces`;
- the cards: `cards` and `icons`;
- everything around the rink: `panel` and `seats`;
- what has just happened: `story`;
- what can be chosen: `picks` interprets the tokens picked so far, and `choices` draws the options with the sprites in `marks`.
"""

from typing import Final

from renderers.pucks.colours import colours_of
from renderers.pucks.picture import draw
from renderers.renderer import Renderer

RENDERER: Final = Renderer(draw, colours_of)
