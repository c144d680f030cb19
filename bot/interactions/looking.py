"""Clicks that show something: the board, in a picture or in words, the hand, the rules, and what else there is to do."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.interactions.playing import at_table, panel
from bot.messages import pages
from bot.messages.board import MARKS, heading, names
from bot.messages.builder import TEXT_LIMIT, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.panel import pick
from bot.messages.pictures import Look, picture
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines.text import Text, join, plain, say
from storage.records import Status


@handles("words")
async def _words(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    await context.tell(board_in_words(context, snapshot))


def board_in_words(context: Context, snapshot: Snapshot) -> str:
    """The present board in words, as the person may know it."""
    history = snapshot.playing
    view = history.view(snapshot.viewpoint(context.user.id))
    hand = history.game.hand(view)
    told = [history.game.describe(view)] if hand is None else [history.game.describe(view), hand]
    title = heading(snapshot, context.language)
    return "\n".join([title, *_fitting(context, snapshot, told, TEXT_LIMIT - len(title) - len(told))])


def _fitting(context: Context, snapshot: Snapshot, told: Sequence[Text], room: int) -> list[str]:
    """Texts of a message. Where long names would make them too long, the players' marks, as in the heading, stand for them."""
    for who in (names(snapshot), MARKS[: len(snapshot.players)]):
        words = [context.language(text, who) for text in told]
        if sum(map(len, words)) <= room:
            break
    return words


async def show_board(context: Context, table_id: int) -> None:
    """The present board as a picture with words, to the person alone."""
    snapshot = await context.snapshot(table_id)
    history = snapshot.playing
    seat = snapshot.viewpoint(context.user.id)
    shown = await picture(
        snapshot, Look(seat=seat, language=context.language, turned=True, high_contrast=context.settings.high_contrast)
    )
    title = heading(snapshot, context.language)
    over = snapshot.result()
    if over is not None:
        now = context.language(over, names(snapshot))
    else:
        awaited = join([plain(f"{MARKS[i]} {names(snapshot)[i]}") for i in history.to_act], ", ")
        now = context.language(say("To act: {who}.", who=awaited))
    words = _fitting(context, snapshot, [history.game.describe(history.view(seat))], TEXT_LIMIT - len(title) - len(now))
    await context.reply.show(MessageBuilder().text(title).picture(shown).text(now).text(*words))


@handles("board")
async def _board(context: Context, click: Click) -> None:
    await show_board(context, click.table)


async def show_hand(context: Context, table_id: int) -> None:
    """What only the person may know, with what they can do now."""
    snapshot, seat = await at_table(context, table_id)
    if snapshot.playing.game.hand(snapshot.playing.view(seat)) is None:
        raise Refused(say("There is nothing that only you may know just now."))
    await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, (), onward=False)))


@handles("hand")
async def _hand(context: Context, click: Click) -> None:
    await show_hand(context, click.table)


@handles("more")
async def _more(context: Context, click: Click) -> None:
    """The less frequent things, in a private message."""
    snapshot = await context.snapshot(click.table)
    builder = MessageBuilder().text(heading(snapshot, context.language))
    buttons = [button(context.language(say("Board")), Click("board", click.table).custom_id)]
    if snapshot.table.status is Status.PLAYING and snapshot.viewpoint(context.user.id) is not None:
        offered = snapshot.table.offers.draw is not None
        buttons.append(
            button(context.language(say("Accept the draw") if offered else say("Offer a draw")),
                   Click("draw", click.table).custom_id)
        )  # fmt: skip
        buttons.append(button(context.language(say("Undo")), Click("undo", click.table).custom_id))
        buttons.append(
            button(context.language(say("Resign")), Click("resign", click.table).custom_id, discord.ButtonStyle.danger)
        )
    buttons.append(button(context.language(say("Rules")), Click("rules", tokens=(snapshot.table.game,)).custom_id))
    await context.reply.show(builder.buttons(buttons))


@handles("rules")
async def _rules(context: Context, click: Click) -> None:
    await context.reply.show(await pages.rules_message(" ".join(click.tokens), click.page, context.language))


HANDLERS: Final = (_board, _words, _hand, _more, _rules)
