"""Bounce Bunny Bounce: hidden cards, memory and three carrots, for two players. The rules are in rules.md.

The modules from the ground up: `field` (cards, bounces, the deal), `position` (states and their JSON), `story` (what happened,
in words), `turn` (the parts of a turn) and `game`, which implements the contract.
"""

from engines.bunny.field import Bounce, Card, Direction, Landing, Space
from engines.bunny.game import Bunny, BunnyView
from engines.bunny.position import BunnyState, Phase
from engines.bunny.story import Spied, Swapped

__all__ = ["Bounce", "Bunny", "BunnyState", "BunnyView", "Card", "Direction", "Landing", "Phase", "Space", "Spied", "Swapped"]
