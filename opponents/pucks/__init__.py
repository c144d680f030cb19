"""The computer player of Puck Bumpers.

`rink` has the board as bits, and how far every puck is from a goal; `outlook` how likely each seat is to win; `ways` and `mats`
what a seat might do; `imagining` the turns to come, for `opponents.sampling`; `beginner` and `placing` what needs no looking
ahead; `saying` the reasons; `computer` is the opponent.
"""

from opponents.pucks.computer import PucksComputer

__all__ = ["PucksComputer"]
