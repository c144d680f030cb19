"""Clicks that play: the panel is opened, an action is picked in it token by token, and played."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.interactions.context import Counter, Handler
from bot.interactions.reply import in_panel
from bot.messages.board import COLOURS, names, story
from bot.messages.builder import Sheet
from bot.messages.click import Click
from bot.messages.panel import Pick, panel_sheet, pick, stepped_back
from bot.sessions import Glance, Played
from bot.sessions.errors import Refused, SessionError, Stale
from bot.sessions.play import not_your_turn
from engines.text import say
from storage.records import SeatStatus, Status


async def panel(counter: Counter, glance: Glance, picked: Pick, *, page: int = 0, note: str = "") -> Sheet:
    """The panel as this person likes it."""
    contrast = counter.settings.high_contrast
    return await panel_sheet(glance, picked, counter.language, page=page, note=note, high_contrast=contrast)


async def open_panel(counter: Counter, table_id: int, note: str = "") -> None:
    """Open the panel of somebody who plays, for the present board."""
    glance, seat = await at_table(counter, table_id)
    record = glance.playing
    if seat not in record.game.may_act(record.state) and not record.game.secret:
        raise not_your_turn(glance)
    await counter.reply.show(await panel(counter, glance, pick(glance, seat, ()), note=note))


async def _move(counter: Counter, click: Click) -> None:
    await open_panel(counter, click.table)


async def at_table(counter: Counter, table_id: int) -> tuple[Glance, int]:
    """A table that is being played, and the person's seat at it."""
    glance = await counter.glance(table_id)
    glance.require(Status.PLAYING)
    seat = glance.own_seat(counter.user.id)
    if glance.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You have left this game."))
    return glance, seat


async def _pick(counter: Counter, click: Click) -> None:
    """A token was picked: play if that ends the action, else show how it may go on.

    Where the rest goes by itself the player sees it first: the button that was pressed did not say it.
    """
    glance, seat = await at_table(counter, click.table)
    note = ""
    picked = pick(glance, seat, click.tokens)
    if click.version != glance.playing.version:
        note = counter.language(say("The board has moved on since; this is the present one."))
        picked = pick(glance, seat, ())
    elif picked.final and not picked.choices and picked.prefix == click.tokens:
        return await _play(counter, click, picked.prefix)
    await counter.reply.show(await panel(counter, glance, picked, page=click.page, note=note))
    return None


async def _back(counter: Counter, click: Click) -> None:
    glance, seat = await at_table(counter, click.table)
    await counter.reply.show(await panel(counter, glance, stepped_back(glance, seat, click.tokens)))


async def _act(counter: Counter, click: Click) -> None:
    await _play(counter, click, click.tokens)


async def _typed(counter: Counter, click: Click) -> None:
    """What was typed before it was known at which table: played on its present board."""
    await counter.glance(click.table)
    typed = " ".join(click.tokens)
    await show_played(
        counter, await counter.sessions.play.act(click.table, counter.user, typed, interaction_id=counter.interaction.id)
    )


async def _play(counter: Counter, click: Click, tokens: tuple[str, ...]) -> None:
    """Play, answer, and then have the board brought up to date."""
    play = counter.sessions.play
    try:
        played = await play.act(click.table, counter.user, tokens, version=click.version, interaction_id=counter.interaction.id)
    except Stale as stale:
        return await _moved_on(counter, click, stale)
    await show_played(counter, played)
    return None


async def _moved_on(counter: Counter, click: Click, stale: SessionError) -> None:
    """A click on an old board: show the present one, with what can be done there."""
    glance, seat = await at_table(counter, click.table)
    note = counter.language(stale.text)
    sheet = await panel(counter, glance, pick(glance, seat, ()), note=note)
    await counter.reply.show(sheet)


async def show_played(counter: Counter, played: Played) -> None:
    """Answer an action: in a panel with what can be done next, beside a board with nothing, unless it told a secret."""
    glance = played.glance
    table_id = glance.table.id
    who = names(glance)
    told = story(played.events, counter.language, who)
    secret = [event for event in played.events if event.private_to is not None]
    seat = glance.seat_of(counter.user.id)
    assert seat is not None
    record = glance.playing
    if counter.interaction.type is discord.InteractionType.component and not in_panel(counter.interaction):
        if secret:
            await counter.tell(story(tuple(secret), counter.language, who))
        else:
            await counter.reply.quietly()
    elif glance.table.status is Status.PLAYING and seat in record.to_act:
        await counter.reply.show(await panel(counter, glance, pick(glance, seat, ()), note=told))
    else:
        await counter.reply.show(Sheet(colour=COLOURS[seat]).text(told or counter.language(say("Done."))))
    await counter.deliver(table_id)


HANDLERS: Final[Mapping[str, Handler]] = {
    "move": _move,
    "pick": _pick,
    "choose": _pick,
    "page": _pick,
    "back": _back,
    "act": _act,
    "typed": _typed,
}
