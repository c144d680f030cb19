"""Bounce Bunny Bounce: hidden cards, memory and three carrots, for two players. The rules are in rules.md.

The modules from the ground up: `field` (cards, bounces, the deal), `position` (states and their JSON), `story` (events in
words), `turn` (the parts of a turn), `views` (what each seat knows, also in words), `choosing` and `refusing` (the possible
tokens, and the reasons why others are impossible), `illustrations` (of the rules) and `game`, which implements the contract.
"""

from engines.bunny.field import Bounce, Card, Direction, Landing, Space
from engines.bunny.game import Bunny
from engines.bunny.position import BunnyState, Phase
from engines.bunny.story import Spied, Swapped
from engines.bunny.views import BunnyView

__all__ = ["Bounce", "Bunny", "BunnyState", "BunnyView", "Card", "Direction", "Landing", "Phase", "Space", "Spied", "Swapped"]
