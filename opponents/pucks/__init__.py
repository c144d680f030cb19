"""The computer player of Puck Bumpers.

`rink` has the board as bits, and how far every puck is from a goal; `outlook` how likely each seat is to win; `ways` and `mats`
what a seat might do; `planning` the best way through a turn; `imagining` worlds with hands dealt anew; `beginner` and `placing`
what needs no plan; `saying` the reasons; `computer` is the opponent.
"""

from opponents.pucks.computer import PucksComputer

__all__ = ["PucksComputer"]
