"""The private panel in which a player picks an action step by step. It serves all games, since it follows `Game.choices`."""

from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ui

from bot.messages.board import COLOURS, heading, names
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, button, clipped
from bot.messages.click import Click, TooLong
from bot.messages.marks import MARKS
from bot.messages.perspective import Perspective
from bot.messages.picking import BUTTONS_AT_MOST, Offer, Pick, Region, pick, regions
from bot.messages.pictures import picture
from bot.messages.story import LETTERS, since_asked, whole, words
from bot.sessions import Snapshot
from engines.game import Action, Choice, Event, Step
from engines.text import Text, join, plain, say, seat_name

OPTIONS_AT_MOST: Final = 25

WORDS_AT_MOST: Final = 4
"""How many events a preview tells in words. The picture shows all of them."""

_PLAY_THIS: Final = say("Play this?")


@dataclass(frozen=True, slots=True)
class _Panel:
    """What a panel is made from.

    Attributes:
        snapshot: the table.
        picked: what has been picked so far.
        perspective: the player's perspective.
        page: the page of a menu, from 0; where there are regions, the region from 1, or 0 while none is picked.
        regions: the regions of the board in which to look for what is offered; empty if it can be shown at once.
    """

    snapshot: Snapshot
    picked: Pick
    perspective: Perspective
    page: int
    regions: tuple[Region, ...]

    @property
    def click(self) -> Click:
        """A click in the panel, to be made one of a certain verb."""
        return Click("pick", self.snapshot.table.id, self.snapshot.playing.version, self.page, self.picked.prefix)

    @property
    def region(self) -> Region | None:
        """The region that is picked, if there are any."""
        return self.regions[self.page - 1] if 0 < self.page <= len(self.regions) else None

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What can be picked now, in the region that is picked."""
        return self.picked.offers if self.region is None else self.region.offers

    def in_words(self, text: str) -> str:
        """A text in the player's language, with the players' names, in Markdown."""
        return self.perspective.language(text, names(self.snapshot))

    def on_button(self, label: str) -> str:
        """The same for a button or a menu, where there is no Markdown."""
        return self.perspective.language(label, self.snapshot.names)


async def panel_message(
    snapshot: Snapshot,
    picked: Pick,
    perspective: Perspective,
    *,
    page: int = 0,
    note: str = "",
    preview: Step[Any] | None = None,
) -> MessageBuilder:
    """The panel of a seat: the game's question, its view with the options marked, a button or menu entry for each.

    While nothing is picked, the picture shows what has happened since the seat was last asked.

    Args:
        snapshot: the table.
        picked: what has been picked so far.
        perspective: the player's perspective.
        page: the page of a menu, from 0; where there are too many squares, the row from 1, or 0 while none is picked.
        note: a line at the top, for example what was just played, or what was wrong.
        preview: what the picked action leads to, if that is to be shown before it is played.
    """
    panel = _Panel(snapshot, picked, perspective, page, regions(snapshot.playing.game, picked.offers))
    builder = MessageBuilder(colour=COLOURS[picked.seat])
    builder.text(heading(snapshot, perspective.language)).text(note)
    if preview is None:
        await _add_question(builder, panel)
    else:
        await _add_preview(builder, panel, preview)
    try:
        _add_offers(builder, panel)
        builder.buttons(_controls(panel))
    except TooLong:
        return _too_long(panel)
    return builder


async def _add_question(builder: MessageBuilder, panel: _Panel) -> None:
    snapshot, picked = panel.snapshot, panel.picked
    events = since_asked(snapshot, picked.seat) if picked.untouched else ()
    prefix, options = _drawn(panel)
    builder.picture(await picture(snapshot, panel.perspective, events=events, prefix=prefix, options=options))
    hand = snapshot.playing.game.hand(snapshot.playing.view(picked.seat))
    if hand is not None and not picked.prefix and "\n" not in hand:  # more than a line is in the picture, and in its words
        builder.text(panel.in_words(hand))
    builder.text(_question(panel))


def _drawn(panel: _Panel) -> tuple[Action, tuple[Choice, ...]]:
    """The tokens after which the picture is drawn, and the choices that it marks.

    If a verb is all that can go on, it is drawn as if it were picked, since what may follow it is offered.
    """
    picked = panel.picked
    if panel.region is not None:
        return picked.prefix, tuple(offer.choice for offer in panel.region.offers)
    verbs = {offer.tokens[0] for offer in picked.offers if len(offer.tokens) > 1}
    if len(verbs) == 1 and verbs == {choice.token for choice in picked.choices if not choice.final}:
        return tuple(verbs), tuple(offer.choice for offer in picked.offers)
    return picked.prefix, picked.choices


def _question(panel: _Panel) -> str:
    """What is asked for, and what is picked so far."""
    picked, history = panel.picked, panel.snapshot.playing
    if not picked.prefix and not picked.choices:
        who = join([seat_name(seat) for seat in history.to_act], ", ")
        return panel.in_words(say("Nothing to do for now. Waiting for {who}.", who=who))
    asked = _PLAY_THIS if picked.whole else history.game.prompt(history.state, picked.seat, picked.prefix)
    if picked.untouched:
        return _bold(panel, asked)
    return f"{_bold(panel, asked)} `{history.game.notate(history.state, picked.seat, picked.prefix)}`"


def _bold(panel: _Panel, asked: Text) -> str:
    return f"**{panel.in_words(asked)}**"


async def _add_preview(builder: MessageBuilder, panel: _Panel, step: Step[Any]) -> None:
    """The board as it will be, with the trail of the action."""
    known = tuple(event for event in step.events if event.known_to(panel.picked.seat))
    builder.picture(await picture(panel.snapshot, panel.perspective, events=known, after=step.state))
    told = words(_foretold(known), panel.perspective.language, names(panel.snapshot), MARKS, whole(LETTERS))
    builder.text(f"{_bold(panel, _PLAY_THIS)}\n{told}" if told else _question(panel))


def _foretold(events: tuple[Event, ...]) -> list[Event]:
    """What an action will do, as it will be told; if that is much, what matters most of it."""
    chosen = sorted((event for event in events if event.phrased), key=lambda event: not event.major)[:WORDS_AT_MOST]
    return [event for event in events if event in chosen]


# --- what can be pressed --------------------------------------------------------------------------------------------------


def _add_offers(builder: MessageBuilder, panel: _Panel) -> None:
    if panel.regions and panel.region is None:
        builder.buttons([_place(panel, region, number) for number, region in enumerate(panel.regions, 1)])
    elif len(panel.offers) > BUTTONS_AT_MOST:
        _add_menu(builder, panel)
    else:
        builder.buttons([_offered(panel, offer) for offer in panel.offers])


def _offered(panel: _Panel, offer: Offer) -> Button:
    """The button for something to pick. What is of another kind than the first, cards beside pieces, is grey."""
    click, choice = panel.click.then(*offer.tokens), offer.choice
    alike = len(offer.tokens) == len(panel.offers[0].tokens)
    style = discord.ButtonStyle.primary if alike else discord.ButtonStyle.secondary
    return button(panel.on_button(choice.label), click.custom_id, style, emoji=choice.symbol or None)


def _place(panel: _Panel, region: Region, number: int) -> Button:
    click = replace(panel.click, verb="page", page=number)
    return button(panel.on_button(region.title), click.custom_id, discord.ButtonStyle.primary)


def _add_menu(builder: MessageBuilder, panel: _Panel) -> None:
    offers, language = panel.offers, panel.perspective.language
    pages = -(-len(offers) // OPTIONS_AT_MOST)
    page = min(panel.page, pages - 1)
    shown = offers[page * OPTIONS_AT_MOST : (page + 1) * OPTIONS_AT_MOST]
    for offer in shown:  # raises TooLong now rather than after the choice is made
        _ = panel.click.then(*offer.tokens).custom_id
    options = [_option(panel, offer) for offer in shown]
    placeholder = say("Choose, page {page} of {pages}", page=page + 1, pages=pages) if pages > 1 else say("Choose")
    choose = replace(panel.click, verb="choose", page=page)
    builder.select(ui.Select(custom_id=choose.custom_id, placeholder=language(placeholder), options=options))
    if pages > 1:
        turn = replace(choose, verb="page")
        builder.buttons([
            button(language(say("Previous")), replace(turn, page=page - 1).custom_id, disabled=page == 0),
            button(language(say("Next")), replace(turn, page=page + 1).custom_id, disabled=page == pages - 1),
        ])  # fmt: skip


def _option(panel: _Panel, offer: Offer) -> discord.SelectOption:
    label = clipped(panel.on_button(offer.choice.label), OPTION_LIMIT)
    return discord.SelectOption(label=label, value=offer.tokens[-1], emoji=offer.choice.symbol or None)


def _controls(panel: _Panel) -> list[Button]:
    picked, history, click = panel.picked, panel.snapshot.playing, panel.click
    controls = []
    if picked.final:
        play = replace(click, verb="act", page=0).custom_id
        controls.append(button(panel.on_button(say("Play")), play, discord.ButtonStyle.success, emoji="✅"))
        closing = history.game.closing(history.state, picked.seat, picked.prefix)
        if closing is not None:
            both = replace(click, verb="close", page=0).custom_id
            controls.append(button(panel.on_button(closing.label), both, discord.ButtonStyle.primary))
    if panel.region is not None:
        controls.append(button(panel.on_button(say("Back")), replace(click, verb="page", page=0).custom_id))
    elif not picked.untouched and picked.prefix != pick(panel.snapshot, picked.seat, ()).prefix:
        controls.append(button(panel.on_button(say("Back")), replace(click, verb="back", page=0).custom_id))
    return controls


def _too_long(panel: _Panel) -> MessageBuilder:
    tokens = plain(" ".join(panel.picked.prefix))
    typed = say("That’s too long for buttons. Type on: `/move action:{action} …`", action=tokens)
    again = Click("move", panel.snapshot.table.id, panel.snapshot.playing.version)
    return MessageBuilder(colour=COLOURS[panel.picked.seat]).text(panel.in_words(typed)).buttons(
        [button(panel.on_button(say("Start over")), again.custom_id)]
    )  # fmt: skip


# --- when there is nothing to pick any more -------------------------------------------------------------------------------


async def over_message(snapshot: Snapshot, perspective: Perspective) -> MessageBuilder:
    """What becomes of a panel when its game is over: the last board, and how it ended."""
    language = perspective.language
    result = snapshot.result() or say("This game is over.")
    builder = MessageBuilder().text(heading(snapshot, language)).picture(await picture(snapshot, perspective))
    return builder.text("### " + language(result, names(snapshot)))
