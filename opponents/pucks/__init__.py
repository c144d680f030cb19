"""The computer player of Puck Bumpers.

`rink` has the board as bits, and each puck's distance from a goal; `outlook` each seat's chance to win; `ways` and `mats` a
seat's likely actions; `planning` the best way through a turn; `imagining` worlds with hands dealt anew; `beginner`
the choices without a plan; `saying` the reasons; `computer` is the opponent.
"""

from opponents.pucks.computer import PucksComputer

__all__ = ["PucksComputer"]
