"""The private panel in which a player picks an action token by token. It serves all games, since it follows `Game.choices`."""

from dataclasses import dataclass, replace
from typing import Final

import discord
from discord import ui

from bot.i18n.language import Language
from bot.messages.board import COLOURS, heading, names
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, button, clipped
from bot.messages.click import Click, TooLong
from bot.messages.perspective import Perspective
from bot.messages.pictures import picture
from bot.sessions import Snapshot
from engines.game import Action, Choice, Event
from engines.text import Text, plain, say

BUTTONS_AT_MOST: Final = 20
OPTIONS_AT_MOST: Final = 25


@dataclass(frozen=True, slots=True)
class Pick:
    """A partly picked action.

    Attributes:
        seat: the seat that acts.
        prefix: the tokens picked so far, including those picked automatically because there was no alternative.
        final: whether the prefix is a whole action.
        choices: the tokens that may come next.
    """

    seat: int
    prefix: Action
    final: bool
    choices: tuple[Choice, ...]


def pick(snapshot: Snapshot, seat: int, tokens: Action, *, onward: bool = True) -> Pick:
    """Follow the choices along the given tokens as far as they are legal, and, if `onward`, on while there is no alternative.

    The first token is not picked automatically if it could be the whole action.
    """
    history = snapshot.playing
    prefix: Action = ()
    final = False
    choices = tuple(history.game.choices(history.state, seat))
    for token in tokens:
        chosen = next((choice for choice in choices if choice.token == token), None)
        if chosen is None:
            break
        prefix, final = (*prefix, token), chosen.final
        choices = tuple(history.game.choices(history.state, seat, prefix))
    while onward and not final and len(choices) == 1 and (prefix or not choices[0].final):
        (only,) = choices
        prefix, final = (*prefix, only.token), only.final
        choices = tuple(history.game.choices(history.state, seat, prefix))
    return Pick(seat, prefix, final, choices)


async def panel_message(
    snapshot: Snapshot, picked: Pick, perspective: Perspective, *, page: int = 0, note: str = ""
) -> MessageBuilder:
    """The panel of a seat: its view with the options marked, a button or menu entry for each, Back, and Play where it may end.

    Args:
        snapshot: the table.
        picked: what has been picked so far.
        perspective: the player's perspective.
        page: the page of options, from 0, if there are too many for one.
        note: a line at the top, for example what was just played, or what was wrong.
    """
    history, seat, language = snapshot.playing, picked.seat, perspective.language
    events = _last_events(snapshot, seat) if not picked.prefix else ()
    builder = MessageBuilder(colour=COLOURS[seat])
    builder.text(heading(snapshot, language)).text(note)
    builder.picture(await picture(snapshot, perspective, events=events, prefix=picked.prefix, options=picked.choices))
    hand = history.game.hand(history.view(seat))
    if hand is not None and not picked.prefix:
        builder.text(language(hand, names(snapshot)))
    builder.text(language(_prompt(snapshot, picked)))
    click = Click("pick", snapshot.table.id, history.version, page, picked.prefix)
    try:
        if len(picked.choices) > BUTTONS_AT_MOST:
            _select(builder, click, picked, language, names(snapshot))
        elif picked.choices:
            builder.buttons(_options(click, picked, language, names(snapshot)))
        builder.buttons(_controls(click, picked, language))
    except TooLong:
        return _too_long(snapshot, picked, language)
    return builder


def _last_events(snapshot: Snapshot, seat: int) -> tuple[Event, ...]:
    history = snapshot.playing
    return history.events_since(max(0, history.version - 1), seat)


def _prompt(snapshot: Snapshot, picked: Pick) -> Text:
    history = snapshot.playing
    if not picked.choices and not picked.prefix:
        return say("There is nothing you can do just now.")
    if not picked.prefix:
        return say("What do you do?")
    so_far = plain(" ".join(picked.prefix))
    if not picked.choices:
        return say("You have picked `{action}`.", action=so_far)
    if picked.final:
        done = history.game.notate(history.state, picked.seat, picked.prefix)
        return say("You have picked `{action}`. Go on, or play it as it is.", action=plain(done))
    return say("You have picked `{action}`. How does it go on?", action=so_far)


def _options(click: Click, picked: Pick, language: Language, who: tuple[str, ...]) -> list[Button]:
    return [
        button(language(choice.label, who), click.then(choice.token).custom_id, discord.ButtonStyle.primary)
        for choice in picked.choices
    ]


def _select(builder: MessageBuilder, click: Click, picked: Pick, language: Language, who: tuple[str, ...]) -> None:
    pages = -(-len(picked.choices) // OPTIONS_AT_MOST)
    page = min(click.page, pages - 1)
    shown = picked.choices[page * OPTIONS_AT_MOST : (page + 1) * OPTIONS_AT_MOST]
    for choice in shown:  # raises TooLong now rather than after the choice is made
        _ = click.then(choice.token).custom_id
    options = [
        discord.SelectOption(label=clipped(language(choice.label, who), OPTION_LIMIT), value=choice.token) for choice in shown
    ]
    placeholder = language(say("Choose, page {page} of {pages}", page=page + 1, pages=pages) if pages > 1 else say("Choose"))
    builder.select(ui.Select(custom_id=replace(click, verb="choose").custom_id, placeholder=placeholder, options=options))
    if pages > 1:
        turn = replace(click, verb="page")
        builder.buttons([
            button(language(say("Previous")), replace(turn, page=page - 1).custom_id, disabled=page == 0),
            button(language(say("Next")), replace(turn, page=page + 1).custom_id, disabled=page == pages - 1),
        ])  # fmt: skip


def _controls(click: Click, picked: Pick, language: Language) -> list[Button]:
    controls = []
    if picked.final:
        controls.append(
            button(language(say("Play this")), replace(click, verb="act").custom_id, discord.ButtonStyle.success, emoji="✅")
        )
    if picked.prefix:
        back = replace(click, verb="back", page=0)
        controls.append(button(language(say("Back")), back.custom_id))
    return controls


def _too_long(snapshot: Snapshot, picked: Pick, language: Language) -> MessageBuilder:
    typed = say(
        "This action has grown too long for buttons. Go on by typing: `/move action:{action} …`",
        action=plain(" ".join(picked.prefix)),
    )
    start_again = Click("move", snapshot.table.id, snapshot.playing.version)
    return MessageBuilder(colour=COLOURS[picked.seat]).text(language(typed)).buttons(
        [button(language(say("Start again")), start_again.custom_id)]
    )  # fmt: skip


def stepped_back(snapshot: Snapshot, seat: int, tokens: Action) -> Pick:
    """The pick one decision earlier, past all tokens that were picked automatically."""
    here = pick(snapshot, seat, tokens)
    for length in range(len(here.prefix) - 1, -1, -1):
        earlier = pick(snapshot, seat, here.prefix[:length])
        if len(earlier.prefix) < len(here.prefix):
            return earlier
    return pick(snapshot, seat, (), onward=False)
