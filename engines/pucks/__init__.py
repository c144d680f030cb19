"""Puck Bumpers: two to six players push pucks into goals over a board of mats that move. The rules are in rules.md.

The modules from the ground up: `box` and `deck` (what is in the box, as data); `codes` and `house` (what a table can have in
a way of its own); `board`, `pieces`, `layouts` and `motion` (mats, spaces, slides); `views`, `state`, `piles`, `moves`,
`changers`, `quick` and `cards` (what can be done); `placing` and `turns` (when it can be done); `orders` and `order_words`
(what players have played for them); `foresight` (what a player can know of an action beforehand); `seeing` (what a seat may
know); `positions` and `resampling` (a state as JSON, and dealt again); `words`, `telling`, `prompts`, `whynot` and
`whynot_cards` (names, the board in words, questions, reasons); `index` and `illustrations` (for the rules pages); `game`,
which implements the contract; and `first`, the same by the first version of the rules.
"""

from engines.pucks.first import FirstPucks
from engines.pucks.game import Pucks
from engines.pucks.views import PucksView

__all__ = ["FirstPucks", "Pucks", "PucksView"]
