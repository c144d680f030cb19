"""Puck Bumpers: two to six players push pucks into goals over a board of mats that move. The rules are in engines/pucks.md."""

from engines.pucks.game import Pucks
from engines.pucks.views import PucksView

__all__ = ["Pucks", "PucksView"]
