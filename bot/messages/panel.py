"""The panel in which an action is picked step by step, for tables, plans, standing orders, lessons and private boards."""

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
        perspective: the perspective of whoever picks.
        click: makes a click from its verb, picked tokens, and page.
        page: the page of the menu; see `Menu.page`.
        wording: puts the beginning of an action into words, if the game does not.
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
        """The game's question after the picks."""
        return prompt_of(self.position, self.picked, self.in_words)

    @cached_property
    def menu(self) -> Menu:
        """The menu of the items."""
        return Menu(
            picked=self.picked,
            regions=regions(self.position.game, self.picked.items),
            page=self.page,
            click=self.click(self.verbs.pick, self.picked.prefix, self.page),
            label=self.on_button,
            verbs=self.verbs,
        )

    def question(self, asked: str | None = None, *, bold: bool = True) -> str:
        """The question that the buttons answer (`asked` replaces it), and below it the picks so far, unless it says them."""
        if self.picked.whole:
            said = self.perspective.language(say("{action}?", action=plain(self.picks)))
            return f"**{said}**" if bold else said
        before, last = "", self.prompt if asked is None else asked
        if self.menu.regions:  # which part of the board is asked, too
            region, words = self.menu.region, part_of(self.position.game, Words)
            title, shown = None if region is None else region.title, self.menu.marking[0]
            part = words.region_prompt(self.position.state, self.picked.seat, shown, title)
            before, last = f"{last} ", self.in_words(part)
        said = before + (f"**{last}**" if bold else last)
        untold = self.picked.begun and self.picks.casefold() not in said.casefold()
        return f"{said}\n-# {self.picks}" if untold else said

    def preview(self, *, wanted: bool) -> Step[Any] | None:
        """The result of a whole action, if it is certain, and `wanted` before it is played; else None."""
        return certain_step(self.position, self.picked) if wanted and self.picked.whole else None

    async def picture(
        self, events: Sequence[Event] = (), *, preview: Step[Any] | None = None, after: Any = None, marked: bool = True
    ) -> Picture:
        """The board after the preview or, without one, with these events and the items if `marked`, or in another state."""
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
        """The button that plays what is picked, if that is a whole action."""
        if not self.picked.final:
            return []
        said = part_of(self.position.game, Words).confirm(self.picked.prefix) if label is None else label
        click = self.click(self.verbs.play, self.picked.prefix)
        return [button(self.on_button(said), click.custom_id, play_style(self.picked) if style is None else style, emoji=emoji)]

    def back(self) -> list[Button]:
        """*Back* to the menu's first page, or by one decision, if there is any."""
        if self.menu.is_left:
            return [self.menu.leave()]
        return [self.take_back()] if self.picked.begun else []

    def take_back(self) -> Button:
        """*Back* by one decision."""
        verb, tokens = self.verbs.back, self.picked.prefix
        if not verb:
            verb, tokens = self.verbs.pick, self.picker.back(tokens).prefix
        return button(self.on_button(say("Back")), self.click(verb, tokens).custom_id)

    def add_to(
        self, builder: MessageBuilder, controls: Sequence[Button] = (), *, between: str = "", again: Sequence[Button] = ()
    ) -> None:
        """Add the items, with `again` behind those that go on from the last action; below them, after a text, the controls."""
        if self.menu.goes_on:
            piece = plain(self._told(self.picked.going_on[0].tokens[:-1]))
            said = say("Keep going with **{piece}**:", piece=piece)
            if self.picked.items:  # which are grey below it
                said = say("Keep going with **{piece}**, or do something else:", piece=piece)
            builder.text(self.perspective.language(said)).buttons([*self.menu.going_on(), *again])
        self.menu.add_to(builder, controls, between=between)
