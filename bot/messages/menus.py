"""Menus of panels. Their items are buttons, buttons in regions of the board, or a select menu with pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import discord
from discord import ui

from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, button, clip, lines_on_phone
from bot.messages.click import Click
from bot.messages.picking import BUTTONS_AT_MOST, MenuItem, Pick, Region
from engines.game import Action, Choice
from engines.text import say
from engines.values import replace

FOLDED_FROM: Final = 2
"""If at least this many other pieces can be picked, one button replaces them, below a row that continues the last action."""

ANEW: Final = 1
"""The page with all pieces, in a menu that offers to continue the last action."""


@dataclass(frozen=True, slots=True)
class Verbs:
    """The verbs of a panel's clicks.

    Attributes:
        pick: the verb on an item's button.
        choose: the verb of a select menu of items.
        leaf: the verb that leads to another region or page.
        play: the verb on the button that plays the action.
        back: the verb that goes back by one decision, given the tokens picked so far. If it is empty, `pick` goes back, given
            the tokens before that decision.
    """

    pick: str = "pick"
    choose: str = "choose"
    leaf: str = "page"
    play: str = "act"
    back: str = "back"

    @classmethod
    def of(cls, pick: str, play: str = "") -> "Verbs":
        """Return the verbs of a panel that picks, chooses, turns pages and goes back with one and the same verb."""
        return cls(pick, pick, pick, play, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """A menu in a panel, from which a person picks items.

    Attributes:
        picked: the picks so far, and the items that can be picked next.
        regions: the regions that divide the items; empty if all items fit at once.
        page: a select menu's page, from 0; the region picked in a menu of regions, from 1, or 0 for none; or `ANEW` in a menu
            that offers to continue the last action, if it shows all pieces.
        click: a click in the panel, to which the tokens of the picked item are added. Its verb does not matter.
        label: translates the label of a button or an option, which is shown without Markdown.
    """

    picked: Pick
    regions: tuple[Region, ...]
    page: int
    click: Click
    label: Callable[[str], str]
    verbs: Verbs = Verbs()

    @property
    def region(self) -> Region | None:
        """The picked region, or None."""
        return self.regions[self.page - 1] if 0 < self.page <= len(self.regions) else None

    @property
    def goes_on(self) -> bool:
        """Whether the items that continue the last action come first."""
        return bool(self.picked.going_on) and self.page != ANEW

    @property
    def items(self) -> tuple[MenuItem, ...]:
        """The items to pick now, within the picked region if there is one."""
        if self.picked.going_on and not self.goes_on:
            return self.picked.anew
        return self.picked.items if self.region is None else self.region.items

    @property
    def marking(self) -> tuple[Action, tuple[Choice, ...]]:
        """The tokens after which the picture is drawn, and the choices that it marks.

        If only one verb can be continued, or the last action can, the picture is drawn as if that verb or piece were already
        picked, since the items that follow it are offered.
        """
        picked = self.picked
        if self.goes_on:
            return picked.going_on[0].tokens[:-1], tuple(item.choice for item in picked.going_on)
        if self.region is not None:
            return picked.prefix, tuple(item.choice for item in self.region.items)
        verbs = {item.tokens[0] for item in picked.items if len(item.tokens) > 1}
        if len(verbs) == 1 and verbs == {choice.token for choice in picked.choices if not choice.final}:
            return tuple(verbs), tuple(item.choice for item in picked.items)
        return picked.prefix, picked.choices

    @property
    def elsewhere(self) -> bool:
        """Whether pieces can be picked besides the one that the picture is drawn for, so that it must show the whole board."""
        return self.goes_on and any(not item.choice.final for item in self.picked.items)

    def add_to(self, builder: MessageBuilder, controls: Sequence[Button] = (), *, between: str = "") -> None:
        """Add the items to a message and below them, after the text `between`, the panel's controls. Raises TooLong.

        Items that are short, or of another kind than the pieces, stand beside the controls, so that more of the board is in
        sight on a phone.
        """
        beside: list[Button] = []
        if self.regions and self.region is None:
            builder.buttons(
                [
                    button(self.label(region.title), self._to_page(number).custom_id, discord.ButtonStyle.primary)
                    for number, region in enumerate(self.regions, 1)
                ]
            )
        elif len(self.items) > BUTTONS_AT_MOST:
            self._add_menu(builder)
        else:
            pieces, others = self._divided()
            builder.buttons(pieces)
            beside = others
        if between:
            builder.buttons(beside).text(between)
            beside = []
        builder.buttons([*beside, *controls])

    def _divided(self) -> tuple[list[Button], list[Button]]:
        """Return the item buttons that get rows of their own, and those that stand beside the controls."""
        if not self.picked.untouched and all(item.choice.brief for item in self.items):
            return [], self._in_a_row(self.items, [self._item_button(item) for item in self.items])
        apart = [item for item in self.items if self._is_apart(item)]
        pieces = [self._item_button(item) for item in self.items if item not in apart]
        others = [self._item_button(item) for item in apart]
        if not self.goes_on:
            return pieces, others
        if len(pieces) >= FOLDED_FROM:
            pieces = [button(self.label(say("Another piece")), self._to_page(ANEW).custom_id)]
        return [], [*pieces, *others]

    def _is_apart(self, item: MenuItem) -> bool:
        """Whether an item is of another kind than the rest: a card among pieces, or an item that ends the turn."""
        if self.picked.prefix:
            return False
        verbs = self.picked.verbs
        pieces = any(one.tokens[0] not in verbs and not one.choice.final for one in self.items)
        if item.tokens[0] in verbs:
            return pieces
        return item.choice.final and (pieces or self.items[0].tokens[0] in verbs)

    def _in_a_row(self, items: Sequence[MenuItem], buttons: list[Button]) -> list[Button]:
        """Return the buttons of items, without their emojis if these only repeat the words and do not fit on a phone."""
        if lines_on_phone(buttons) > 1 and all(self._repeats(item.choice) for item in items if item.choice.symbol):
            for one in buttons:
                one.emoji = None
        return buttons

    def _repeats(self, choice: Choice) -> bool:
        """Whether a choice's brief label begins with the word that its emoji stands for, as in "Up" or "Up: goal!"."""
        word, _, _ = self.label(choice.brief).partition(":")
        return bool(word) and self.label(choice.label).startswith(word)

    def going_on(self) -> list[Button]:
        """Return the buttons of the items that continue the last action."""
        buttons = [
            button(
                self._words(item.choice),
                self._then(item).custom_id,
                discord.ButtonStyle.primary,
                emoji=item.choice.symbol or None,
            )
            for item in self.picked.going_on
        ]
        return self._in_a_row(self.picked.going_on, buttons)

    @property
    def is_left(self) -> bool:
        """Whether *Back* leads to the first page, out of a region or back to the items that continue the last action."""
        return self.region is not None or (bool(self.picked.going_on) and not self.goes_on)

    def leave(self) -> Button:
        """Return the button that goes back to the first page."""
        return button(self.label(say("Back")), self._to_page(0).custom_id)

    def _to_page(self, page: int) -> Click:
        return replace(self.click, verb=self.verbs.leaf, page=page)

    def _then(self, item: MenuItem) -> Click:
        return replace(self.click, verb=self.verbs.pick).then(*item.tokens)

    def _item_button(self, item: MenuItem) -> Button:
        """Return an item's button: green if it wins, grey if of another kind than the first or below the row that goes on."""
        choice, alike = item.choice, len(item.tokens) == len(self.items[0].tokens)
        first = alike and not self.goes_on
        style = discord.ButtonStyle.primary if first else discord.ButtonStyle.secondary
        style = discord.ButtonStyle.success if choice.wins else style
        return button(self._words(choice), self._then(item).custom_id, style, emoji=choice.symbol or None)

    def _words(self, choice: Choice) -> str:
        """Return the words on a button, which are brief once the picture shows what is picked and where the item leads."""
        return self.label(choice.brief if choice.brief and (self.picked.prefix or self.goes_on) else choice.label)

    def _add_menu(self, builder: MessageBuilder) -> None:
        pages = -(-len(self.items) // OPTIONS_AT_MOST)
        page = min(self.page, pages - 1)
        items = self.items[page * OPTIONS_AT_MOST : (page + 1) * OPTIONS_AT_MOST]
        for item in items:  # raises TooLong now rather than after the choice is made
            _ = self._then(item).custom_id
        options = [
            discord.SelectOption(
                label=clip(self.label(item.choice.label), OPTION_LIMIT), value=item.tokens[-1], emoji=item.choice.symbol or None
            )
            for item in items
        ]
        placeholder = say("Choose, page {page} of {pages}", page=page + 1, pages=pages) if pages > 1 else say("Choose")
        choose = replace(self.click, verb=self.verbs.choose, page=page).custom_id
        builder.select(ui.Select(custom_id=choose, placeholder=self.label(placeholder), options=options))
        if pages > 1:
            builder.buttons([
                button(self.label(say("Previous")), self._to_page(page - 1).custom_id, disabled=page == 0),
                button(self.label(say("Next")), self._to_page(page + 1).custom_id, disabled=page == pages - 1),
            ])  # fmt: skip


def play_style(picked: Pick) -> discord.ButtonStyle:
    """Return the colour of the button that plays what is picked: green, unless a button that continues wins and is green."""
    going_on_wins = any(item.choice.wins for item in picked.items)
    return discord.ButtonStyle.primary if going_on_wins else discord.ButtonStyle.success
