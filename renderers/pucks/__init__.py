"""Draws Puck Bumpers. `picture` puts these parts together:

- the rink: `board`, `mats` and `pieces`;
- the cards: `cards` and `icons`, and `hand` for a picture of a hand alone;
- everything around the rink: the blocks of `panel`, arranged by `blocks`, and the `seats`, arranged by `seating`; `layout`
  decides where the rink itself goes;
- the latest events: `steps` divides them into actions, `story` draws these, and `room` finds room for their signs;
- the choices: `picks` interprets the tokens picked so far, `choices` draws the options with the sprites in `highlights`, and
  `window` decides which part of the board is shown.
"""

from typing import Final

from renderers.pucks import hand
from renderers.pucks.colours import colours_of, shades_of
from renderers.pucks.picture import draw, foot_height, strip_height
from renderers.pucks.steps import numbers_of
from renderers.renderer import Renderer

RENDERER: Final = Renderer(draw, colours_of, shades_of, hand.draw, strip_height, foot_height, numbers_of)
