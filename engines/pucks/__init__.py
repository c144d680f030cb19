"""Puck Bumpers: two to six players push pucks into goals over a board of mats that move. The rules are in rules.md.

There are four packages, here from the ground up. Above them is `game`, which implements the contract, and version 1 of the
rules.

`board` has the box as data (`box`, `deck`), the boards and house rules of a table (`codes`, `house`, `terms`), mats, spaces and
slides (`board`, `pieces`, `layouts`, `motion`), states and views (`state`, `views`), and `names`. `cards` has the piles and
each kind of card, which `cards.cards` puts together. `play` has a turn from placing to its end (`placing`, `moves`, `acts`,
`turns`, `rest`), standing orders (`orders`, `order_words`), the knowledge of a seat (`knowledge`) and states as JSON
(`positions`). `words` has the board in words, questions, reasons, and the rules pages.
"""

from engines.pucks.board.views import PucksView
from engines.pucks.game import FirstPucks, Pucks

__all__ = ["FirstPucks", "Pucks", "PucksView"]
