"""Clicks that end a game before its rules do: resigning, and drawing by consent."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.interactions.context import Counter, Handler
from bot.interactions.playing import at_table
from bot.messages.board import heading
from bot.messages.builder import Sheet, button
from bot.messages.click import Click
from engines.text import say


async def ask_resign(counter: Counter, table_id: int) -> None:
    """Ask whether the person means to give the game up."""
    glance, _ = await at_table(counter, table_id)
    sheet = Sheet().text(heading(glance, counter.language))
    sheet.text(counter.language(say("Do you want to give this game up? That cannot be taken back.")))
    yes = button(counter.language(say("Resign")), Click("resign-yes", table_id).custom_id, discord.ButtonStyle.danger)
    no = button(counter.language(say("Play on")), Click("never-mind", table_id).custom_id)
    await counter.reply.show(sheet.buttons([yes, no]))


async def _resign(counter: Counter, click: Click) -> None:
    await ask_resign(counter, click.table)


async def _resign_yes(counter: Counter, click: Click) -> None:
    played = await counter.sessions.play.resign(click.table, counter.user, counter.interaction.id)
    await counter.reply.show(Sheet().text(counter.language(say("You have resigned."))))
    await counter.deliver(played.glance.table.id)


async def _never_mind(counter: Counter, _: Click) -> None:
    await counter.reply.show(Sheet().text(counter.language(say("Nothing has changed."))))


async def offer_draw(counter: Counter, table_id: int) -> None:
    """Offer a draw or agree to one."""
    await counter.glance(table_id)
    glance, drawn = await counter.sessions.play.draw(table_id, counter.user)
    if drawn:
        text = say("The game is drawn.")
    else:
        text = say("You have offered a draw. It stands until somebody else acts or turns it down.")
    await counter.reply.show(Sheet().text(counter.language(text)))
    await counter.deliver(glance.table.id)


async def _draw(counter: Counter, click: Click) -> None:
    await offer_draw(counter, click.table)


HANDLERS: Final[Mapping[str, Handler]] = {
    "resign": _resign,
    "resign-yes": _resign_yes,
    "never-mind": _never_mind,
    "draw": _draw,
}
