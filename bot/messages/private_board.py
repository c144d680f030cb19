"""Panels with a private board and the parts of a move, for analyses, puzzles, and second tries at slips in finished games."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bot.messages.builder import Button, MessageBuilder
from bot.messages.click import Click
from bot.messages.line_board import LineBoard
from bot.messages.menus import Verbs
from bot.messages.panel import Picking
from bot.messages.picking import Pick, Picker, action_picker
from engines.game import Action, hand_of


@dataclass(frozen=True)
class PrivateBoard(LineBoard, ABC):
    """A panel with a private board, whose clicks have the verbs `verbs`."""

    verbs: ClassVar[Verbs]

    @abstractmethod
    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """Return a click in the panel."""

    @cached_property
    def picker(self) -> Picker:
        """The picker for the seat whose turn it is. At the end of the game, it picks nothing."""
        return action_picker(self.position, 0 if self.at.seat is None else self.at.seat)

    def pick(self, tokens: Action = ()) -> Pick | None:
        """Pick an action of the seat whose turn it is as far as the tokens go. Returns None at the end of the game."""
        return None if self.at.seat is None else self.picker.pick(tokens)

    def picking(self, picked: Pick, page: int) -> Picking:
        """Return the panel after these picks."""
        return Picking(
            position=self.position, picker=self.picker, picked=picked, perspective=self.perspective, click=self.click,
            verbs=self.verbs, page=page,
        )  # fmt: skip

    def question(self, picking: Picking) -> str:
        """Return the question, and the picks so far. Before any picks, the seat's hand comes first if it fits on one line."""
        untouched = picking.picked.untouched
        hand = hand_of(self.position.game, self.position.view(picking.picked.seat)) if untouched else None
        held = [self.in_words(hand)] if hand is not None and "\n" not in hand else []
        return "\n".join([*held, picking.question()])


def add_items(builder: MessageBuilder, picking: Picking, otherwise: Sequence[Button]) -> None:
    """Add the items and, below them, *Play* and *Back*, or the buttons `otherwise` if there is no *Back*. Raises TooLong."""
    picking.add_to(builder, [*picking.play(), *(picking.back() or otherwise)])
