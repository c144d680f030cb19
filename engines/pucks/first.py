"""Puck Bumpers by the first version of its rules, for games that began under it.

They differ as `State.looks_into_hands` says, and have no house rules.
"""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from engines.chance import Chance
from engines.game import Option
from engines.pucks.board.state import FIRST_EDITION, State
from engines.pucks.board.views import PucksView
from engines.pucks.game import Pucks
from engines.text import Text
from engines.values import replace


class FirstPucks(Pucks):
    """The rules of Puck Bumpers as they were at first."""

    rules: ClassVar[int] = FIRST_EDITION
    options: ClassVar[Mapping[str, Option]] = {"setup": Pucks.options["setup"]}

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> State:
        usual = {name: option.values[0] for name, option in Pucks.options.items()}
        return super()._start(seats, variant, chance, {**usual, **options})

    @override
    def describe(self, view: PucksView) -> Text:
        """As in later versions, without the code of the start layout: there was only the one that the box shows."""
        return super().describe(replace(view, board=""))
