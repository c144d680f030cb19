"""Clicks that show something: the board, in a picture or in words, the hand, the rules, and what else there is to do."""

from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.interactions.context import Counter, Handler
from bot.interactions.playing import at_table, panel
from bot.messages import pages
from bot.messages.board import MARKS, heading, names
from bot.messages.builder import TEXT_LIMIT, Sheet, button
from bot.messages.click import Click
from bot.messages.panel import pick
from bot.messages.pictures import Look, picture
from bot.sessions import Glance
from bot.sessions.errors import Refused
from engines.text import Text, join, plain, say
from storage.records import Status


async def _words(counter: Counter, click: Click) -> None:
    glance = await counter.glance(click.table)
    await counter.tell(board_in_words(counter, glance))


def board_in_words(counter: Counter, glance: Glance) -> str:
    """The present board in words, as the person may know it."""
    record = glance.playing
    view = record.view(glance.viewpoint(counter.user.id))
    hand = record.game.hand(view)
    told = [record.game.describe(view)] if hand is None else [record.game.describe(view), hand]
    title = heading(glance, counter.language)
    return "\n".join([title, *_fitting(counter, glance, told, TEXT_LIMIT - len(title) - len(told))])


def _fitting(counter: Counter, glance: Glance, told: Sequence[Text], room: int) -> list[str]:
    """Texts of a message. Where long names would make them too long, the players' marks, as in the heading, stand for them."""
    for who in (names(glance), MARKS[: len(glance.players)]):
        words = [counter.language(text, who) for text in told]
        if sum(map(len, words)) <= room:
            break
    return words


async def show_board(counter: Counter, table_id: int) -> None:
    """The present board as a picture with words, to the person alone."""
    glance = await counter.glance(table_id)
    record = glance.playing
    seat = glance.viewpoint(counter.user.id)
    shown = await picture(
        glance, Look(seat=seat, language=counter.language, turned=True, high_contrast=counter.settings.high_contrast)
    )
    title = heading(glance, counter.language)
    over = glance.result()
    if over is not None:
        now = counter.language(over, names(glance))
    else:
        awaited = join([plain(f"{MARKS[i]} {names(glance)[i]}") for i in record.to_act], ", ")
        now = counter.language(say("To act: {who}.", who=awaited))
    words = _fitting(counter, glance, [record.game.describe(record.view(seat))], TEXT_LIMIT - len(title) - len(now))
    await counter.reply.show(Sheet().text(title).picture(shown).text(now).text(*words))


async def _board(counter: Counter, click: Click) -> None:
    await show_board(counter, click.table)


async def show_hand(counter: Counter, table_id: int) -> None:
    """What only the person may know, with what they can do now."""
    glance, seat = await at_table(counter, table_id)
    if glance.playing.game.hand(glance.playing.view(seat)) is None:
        raise Refused(say("There is nothing that only you may know just now."))
    await counter.reply.show(await panel(counter, glance, pick(glance, seat, (), onward=False)))


async def _hand(counter: Counter, click: Click) -> None:
    await show_hand(counter, click.table)


async def _more(counter: Counter, click: Click) -> None:
    """The less frequent things, in a private message."""
    glance = await counter.glance(click.table)
    sheet = Sheet().text(heading(glance, counter.language))
    buttons = [button(counter.language(say("Board")), Click("board", click.table).custom_id)]
    if glance.table.status is Status.PLAYING and glance.viewpoint(counter.user.id) is not None:
        offered = "draw" in glance.table.offers
        buttons.append(
            button(counter.language(say("Accept the draw") if offered else say("Offer a draw")),
                   Click("draw", click.table).custom_id)
        )  # fmt: skip
        buttons.append(button(counter.language(say("Undo")), Click("undo", click.table).custom_id))
        buttons.append(
            button(counter.language(say("Resign")), Click("resign", click.table).custom_id, discord.ButtonStyle.danger)
        )
    buttons.append(button(counter.language(say("Rules")), Click("rules", tokens=(glance.table.game,)).custom_id))
    await counter.reply.show(sheet.buttons(buttons))


async def _rules(counter: Counter, click: Click) -> None:
    await counter.reply.show(await pages.rules_sheet(" ".join(click.tokens), click.page, counter.language))


HANDLERS: Final[Mapping[str, Handler]] = {
    "board": _board,
    "words": _words,
    "hand": _hand,
    "more": _more,
    "rules": _rules,
}
