"""The panel in which somebody picks an action step by step, for tables, plans, standing orders, lessons or private boards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import discord

from bot.core.table.position import Position
from bot.messages.builder import Button, MessageBuilder, Picture, button
from bot.messages.click import Click
from bot.messages.menus import Menu, Verbs, play_style
from bot.messages.picking import Pick, Picker, certain_step, prompt_of, regions
from bot.messages.pictures import InWords, Perspective, picture
from engines.game import Action, Event, Step, Words, action_words, part_of
from engines.text import Text, plain, say


@dataclass(frozen=True, kw_only=True)
class Picking(InWords):
    """An action that is being picked.

    Attributes:
        picked: the picks so far, and the items to pick next.
        perspective: the perspective of the person who picks.
        click: makes a click from its verb, the picked tokens, and its page.
        page: the page of the menu; see `Menu.page`.
        wording: puts the beginning of an action into words, or None if the game does.
    """

    position: Position
    picker: Picker
    picked: Pick
    perspective: Perspective
    click: Callable[..., Click]
    verbs: Verbs
    page: int = 0
    wording: Callable[[Action], Text] | None = None

    def _told(self, action: Action) -> str:
        game, state = self.position.game, self.position.state
        words = action_words(game, state, self.picked.seat, action) if self.wording is None else self.wording(action)
        return self.in_words(words)

    @cached_property
    def picks(self) -> str:
        """The picks so far, in words."""
        return self._told(self.picked.prefix)

    @cached_property
    def prompt(self) -> str:
        """The game's question to follow the picks so far."""
        return prompt_of(self.position, self.picked, self.in_words)

    @cached_property
    def menu(self) -> Menu:
        """The menu of the items to pick."""
        return Menu(
            picked=self.picked,
            regions=regions(self.position.game, self.picked.items),
            page=self.page,
            click=self.click(self.verbs.pick, self.picked.prefix, self.page),
            label=self.on_button,
            verbs=self.verbs,
        )

    def question(self, asked: str | None = None, *, bold: bool = True) -> str:
        """Return the question (`asked` replaces the game's), and below it the picks so far, unless the question tells them."""
        if self.picked.whole:
            said = self.perspective.language(say("{action}?", action=plain(self.picks)))
            return f"**{said}**" if bold else said
        before, last = "", self.prompt if asked is None else asked
        if self.menu.regions:  # the player is also asked for a part of the board
            region, words = self.menu.region, part_of(self.position.game, Words)
            title, shown = None if region is None else region.title, self.menu.marking[0]
            part = words.region_prompt(self.position.state, self.picked.seat, shown, title)
            before, last = f"{last} ", self.in_words(part)
        said = before + (f"**{last}**" if bold else last)
        untold = self.picked.begun and self.picks.casefold() not in said.casefold()
        return f"{said}\n-# {self.picks}" if untold else said

    def preview(self, *, wanted: bool) -> Step[Any] | None:
        """Return the result of a whole action, if it is certain and `wanted` before the action is played, or else None."""
        return certain_step(self.position, self.picked) if wanted and self.picked.whole else None

    async def picture(
        self, events: Sequence[Event] = (), *, preview: Step[Any] | None = None, after: Any = None, marked: bool = True
    ) -> Picture:
        """Draw the board after `preview` or, without a preview, the current board or the state `after`, with these events.

        The items are marked if `marked`.
        """
        if preview is not None:
            return await picture(self.position, self.perspective, events=preview.events, after=preview.state)
        prefix, options = self.menu.marking
        return await picture(
            self.position, self.perspective, events=events, prefix=prefix, options=options if marked else (), after=after,
            whole=self.menu.elsewhere,
        )  # fmt: skip

    # They raise TooLong.

    def play(
        self, label: Text | None = None, style: discord.ButtonStyle | None = None, emoji: str | None = "✅"
    ) -> list[Button]:
        """Return the button that plays what is picked, if that is a whole action."""
        if not self.picked.final:
            return []
        said = part_of(self.position.game, Words).confirm(self.picked.prefix) if label is None else label
        click = self.click(self.verbs.play, self.picked.prefix)
        return [button(self.on_button(said), click.custom_id, play_style(self.picked) if style is None else style, emoji=emoji)]

    def back(self) -> list[Button]:
        """Return the *Back* button, if any, which leads to the menu's first page or back by one decision."""
        if self.menu.is_left:
            return [self.menu.leave()]
        return [self.take_back()] if self.picked.begun else []

    def take_back(self) -> Button:
        """Return the *Back* button that goes back by one decision."""
        verb, tokens = self.verbs.back, self.picked.prefix
        if not verb:
            verb, tokens = self.verbs.pick, self.picker.back(tokens).prefix
        return button(self.on_button(say("Back")), self.click(verb, tokens).custom_id)

    def add_to(
        self, builder: MessageBuilder, controls: Sequence[Button] = (), *, between: str = "", again: Sequence[Button] = ()
    ) -> None:
        """Add the items and below them, after the text `between`, the controls. `again` follows the items that go on."""
        if self.menu.goes_on:
            piece = plain(self._told(self.picked.going_on[0].tokens[:-1]))
            said = say("Keep going with **{piece}**:", piece=piece)
            if self.picked.items:  # these are grey, below the row
                said = say("Keep going with **{piece}**, or do something else:", piece=piece)
            builder.text(self.perspective.language(said)).buttons([*self.menu.going_on(), *again])
        self.menu.add_to(builder, controls, between=between)
