"""Pictures of Puck Bumpers: `picture` puts them together.

The rink: `board`, `mats`, `pieces`. The cards: `cards`, `icons`. Round the rink: `panel`, `seats`. What just happened: `story`.
What can be chosen: `picks` reads it from the tokens picked so far, and `choices` draws it, with the signs in `marks`.
"""

from typing import Final

from renderers.pucks.colours import colours_of
from renderers.pucks.picture import draw
from renderers.renderer import Renderer

RENDERER: Final = Renderer(draw, colours_of)
