"""The computer player of Puck Bumpers.

`rink` has the board as bits, and each puck's distance from a goal. `outlook` works out each seat's chance to win. `ways` and
`mats` find a seat's likely actions, and `planning` the best way through a turn. `imagining` makes worlds with hands dealt anew.
`beginner` has the choices that are made without a plan, and `saying` the reasons. `computer` is the opponent.
"""

from opponents.pucks.computer import PucksComputer

__all__ = ["PucksComputer"]
