"""What can be picked in a panel, as buttons, regions of the board, or a menu with pages."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import discord
from discord import ui

from bot.i18n.language import Language
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, button, clipped
from bot.messages.click import Click
from bot.messages.picking import BUTTONS_AT_MOST, Offer, Pick, Region
from engines.game import Action, Choice
from engines.text import say

OPTIONS_AT_MOST: Final = 25


@dataclass(frozen=True, slots=True)
class Verbs:
    """The verbs of the clicks by which something is picked: with a button, in a menu, and to see another region or page."""

    pick: str = "pick"
    choose: str = "choose"
    leaf: str = "page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What is offered in a panel.

    Attributes:
        picked: what has been picked so far.
        regions: the regions of the board in which to look for what is offered; empty if it can be shown at once.
        page: the page of a menu, from 0; where there are regions, the region from 1, or 0 while none is picked.
        click: a click in the panel, of any verb. What is picked is added to its tokens.
        language: the language of the player.
        label: puts what stands on a button or in a menu, where there is no Markdown, into the player's language.
        verbs: the verbs of the clicks.
    """

    picked: Pick
    regions: tuple[Region, ...]
    page: int
    click: Click
    language: Language
    label: Callable[[str], str]
    verbs: Verbs = Verbs()

    @property
    def region(self) -> Region | None:
        """The region that is picked, if there are any."""
        return self.regions[self.page - 1] if 0 < self.page <= len(self.regions) else None

    @property
    def shown(self) -> tuple[Offer, ...]:
        """What can be picked now, in the region that is picked."""
        return self.picked.offers if self.region is None else self.region.offers

    @property
    def drawn(self) -> tuple[Action, tuple[Choice, ...]]:
        """The tokens after which the picture is drawn, and the choices that it marks.

        If a verb is all that can go on, it is drawn as if it were picked, since what may follow it is offered.
        """
        picked = self.picked
        if self.region is not None:
            return picked.prefix, tuple(offer.choice for offer in self.region.offers)
        verbs = {offer.tokens[0] for offer in picked.offers if len(offer.tokens) > 1}
        if len(verbs) == 1 and verbs == {choice.token for choice in picked.choices if not choice.final}:
            return tuple(verbs), tuple(offer.choice for offer in picked.offers)
        return picked.prefix, picked.choices

    def add_to(self, builder: MessageBuilder) -> None:
        """Add what can be picked to a message. Raises TooLong."""
        if self.regions and self.region is None:
            builder.buttons([self._place(region, number) for number, region in enumerate(self.regions, 1)])
        elif len(self.shown) > BUTTONS_AT_MOST:
            self._add_menu(builder)
        else:
            builder.buttons([self._offered(offer) for offer in self.shown])

    def leave_region(self) -> Button:
        """The button that goes back from a region to all of them."""
        return button(self.label(say("Back")), self._leaf(0).custom_id)

    def _leaf(self, page: int) -> Click:
        return replace(self.click, verb=self.verbs.leaf, page=page)

    def _then(self, offer: Offer) -> Click:
        return replace(self.click, verb=self.verbs.pick).then(*offer.tokens)

    def _offered(self, offer: Offer) -> Button:
        """The button for something to pick. What is of another kind than the first, cards beside pieces, is grey."""
        choice, alike = offer.choice, len(offer.tokens) == len(self.shown[0].tokens)
        style = discord.ButtonStyle.primary if alike else discord.ButtonStyle.secondary
        return button(self.label(choice.label), self._then(offer).custom_id, style, emoji=choice.symbol or None)

    def _place(self, region: Region, number: int) -> Button:
        return button(self.label(region.title), self._leaf(number).custom_id, discord.ButtonStyle.primary)

    def _add_menu(self, builder: MessageBuilder) -> None:
        pages = -(-len(self.shown) // OPTIONS_AT_MOST)
        page = min(self.page, pages - 1)
        offers = self.shown[page * OPTIONS_AT_MOST : (page + 1) * OPTIONS_AT_MOST]
        for offer in offers:  # raises TooLong now rather than after the choice is made
            _ = self._then(offer).custom_id
        options = [self._option(offer) for offer in offers]
        placeholder = say("Choose, page {page} of {pages}", page=page + 1, pages=pages) if pages > 1 else say("Choose")
        choose = replace(self.click, verb=self.verbs.choose, page=page).custom_id
        builder.select(ui.Select(custom_id=choose, placeholder=self.language(placeholder), options=options))
        if pages > 1:
            builder.buttons([
                button(self.language(say("Previous")), self._leaf(page - 1).custom_id, disabled=page == 0),
                button(self.language(say("Next")), self._leaf(page + 1).custom_id, disabled=page == pages - 1),
            ])  # fmt: skip

    def _option(self, offer: Offer) -> discord.SelectOption:
        label = clipped(self.label(offer.choice.label), OPTION_LIMIT)
        return discord.SelectOption(label=label, value=offer.tokens[-1], emoji=offer.choice.symbol or None)
