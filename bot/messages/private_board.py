"""The parts of a panel with a private board: a position that one person looks at, and the parts of a move below it.

No table goes on on such a board. Analyses are played on it, puzzles, and second tries at the slips of a game that is over.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.line_board import LineBoard
from bot.messages.menus import Menu, Verbs, keep_going, play_style, with_picks
from bot.messages.picking import Pick, pick, pick_back, prompt_of, regions
from engines.game import Action, Words, action_words, hand_of, part_of
from engines.text import Text, plain, say


@dataclass(frozen=True, slots=True)
class PrivateBoard(LineBoard, ABC):
    """A panel with a private board for its person.

    Attributes:
        verbs: the verbs of the clicks in its menu.
        play: the verb of the click that plays an action.
    """

    verbs: ClassVar[Verbs]
    play: ClassVar[str]

    @abstractmethod
    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """A click in the panel."""

    def pick(self, tokens: Action = ()) -> Pick | None:
        """Pick an action of the seat that acts as far as the tokens go; None at the end of the game."""
        return None if self.at.seat is None else pick(self.position, self.at.seat, tokens)

    def begun(self, picked: Pick) -> bool:
        """Whether the person has picked anything."""
        start = self.pick()
        return not picked.untouched and start is not None and picked.prefix != start.prefix

    def question(self, picked: Pick, menu: Menu) -> str:
        """The question that the menu answers, and the picks so far."""
        history = self.at.history
        picks = self.in_words(self._picks(picked)) if self.begun(picked) else ""
        if picked.whole and not picked.untouched:
            return f"**{self.language(say('{action}?', action=plain(picks)))}**"
        asked = prompt_of(self.position, picked, self.in_words)
        hand = hand_of(history.game, history.view(picked.seat)) if picked.untouched else None
        held = [self.in_words(hand)] if hand is not None and "\n" not in hand else []
        return "\n".join([*held, with_picks(menu.questions(asked, history.game, history.state, self.in_words), picks)])

    def _picks(self, picked: Pick) -> Text:
        return action_words(self.at.history.game, self.at.history.state, picked.seat, picked.prefix)

    # --- the parts of a move --------------------------------------------------------------------------------------------------

    def menu(self, picked: Pick, page: int) -> Menu:
        """The menu of the items to pick."""
        return Menu(
            picked=picked,
            regions=regions(self.at.history.game, picked.items),
            page=page,
            click=self.click(self.verbs.pick, picked.prefix, page),
            language=self.language,
            label=self.on_button,
            verbs=self.verbs,
        )

    def add_items(self, builder: MessageBuilder, picked: Pick, menu: Menu, otherwise: list[Button]) -> None:
        """Add the items to pick, and below them the `controls`; what goes on from the last action comes first.

        Raises TooLong.
        """
        if menu.goes_on:
            begun = action_words(self.at.history.game, self.at.history.state, picked.seat, picked.going_on[0].tokens[:-1])
            builder.text(self.in_words(keep_going(begun, others=bool(picked.items)))).buttons(menu.going_on())
        menu.add_to(builder, self._controls(picked, menu, otherwise))

    def _controls(self, picked: Pick, menu: Menu, otherwise: list[Button]) -> list[Button]:
        """*Play* and *Back* as in every panel or, while nothing is picked, other buttons. Raises TooLong."""
        controls = []
        if picked.final:
            play = self.click(self.play, picked.prefix).custom_id
            confirm = part_of(self.at.history.game, Words).confirm(picked.prefix)
            controls.append(button(self.on_button(confirm), play, play_style(picked), emoji="✅"))
        if menu.is_left:
            return [*controls, menu.leave()]
        if self.begun(picked):
            back = self.click(self.verbs.pick, pick_back(self.position, picked.seat, picked.prefix).prefix)
            return [*controls, button(self.on_button(say("Back")), back.custom_id)]
        return [*controls, *otherwise]
