"""Private messages about a board: the picture, the description, and further actions."""

import discord

from bot.i18n.language import Language
from bot.messages.builder import TEXT_LIMIT, Button, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.game.board import ending, heading, marks, names
from bot.messages.game.computers import waiting_text
from bot.messages.game.perspective import Perspective
from bot.messages.game.pictures import picture, words_of
from bot.sessions import Snapshot
from bot.sessions.table.trees import size
from engines.game import Orders, part_of
from engines.text import join, say, say_n
from storage.schema.records import Status


async def private_board_message(snapshot: Snapshot, perspective: Perspective) -> MessageBuilder:
    """The current board as a picture, the turn, and the setup of the game; the board in words behind a button."""
    language, table = perspective.language, snapshot.table
    begun_with = snapshot.playing.view(perspective.seat).begun_with
    words = button(language(say("Board in words")), Click("words", table.id, table.version).custom_id)
    builder = MessageBuilder().text(heading(snapshot, language)).picture(await picture(snapshot, perspective))
    builder.text(_now(snapshot, perspective))
    return builder.text("" if begun_with is None else f"-# {language(begun_with)}").buttons([words])


def _now(snapshot: Snapshot, perspective: Perspective) -> str:
    """The turn, or the result of a finished game."""
    language, to_act = perspective.language, snapshot.playing.to_act
    if snapshot.table.status is not Status.PLAYING:
        return ending(snapshot, language)
    if perspective.seat in to_act:
        return language(say("It’s your turn."))
    marked = [join([mark, name], " ") for mark, name in zip(marks(snapshot), names(snapshot), strict=True)]
    return language(waiting_text(snapshot), marked)


def board_in_words(snapshot: Snapshot, seat: int | None, language: Language) -> str:
    """The current board in words, as a seat (None: a spectator) may know it."""
    title, perspective = heading(snapshot, language), Perspective(seat=seat, language=language)
    return f"{title}\n{words_of(snapshot, perspective, snapshot.playing.view(seat), TEXT_LIMIT - len(title) - 1)}"


def more_message(snapshot: Snapshot, user_id: int, language: Language) -> MessageBuilder:
    """The less frequent actions at a table, as buttons."""
    table_id = snapshot.table.id
    buttons = [button(language(say("Board")), Click("board", table_id).custom_id)]
    buttons += ahead_buttons(snapshot, user_id, language)
    if snapshot.table.status is Status.PLAYING and snapshot.viewpoint(user_id) is not None:
        draw = say("Accept the draw") if snapshot.table.offers.draw is not None else say("Offer a draw")
        buttons.append(button(language(draw), Click("draw", table_id).custom_id))
        buttons.append(button(language(say("Undo")), Click("undo", table_id).custom_id))
        buttons.append(button(language(say("Resign")), Click("resign", table_id).custom_id, discord.ButtonStyle.danger))
    buttons.append(button(language(say("Rules")), Click("rules", tokens=(snapshot.table.game,)).custom_id))
    return MessageBuilder().text(heading(snapshot, language)).buttons(buttons)


def ahead_buttons(snapshot: Snapshot, user_id: int, language: Language) -> list[Button]:
    """The button *Plan ahead* or *Orders*, for players of games that have one of them.

    All of them have it, whatever their plans and hands: the button must reveal nothing.
    """
    seat = snapshot.viewpoint(user_id)
    if snapshot.table.status is not Status.PLAYING or seat is None:
        return []
    history, here = snapshot.playing, (snapshot.table.id, snapshot.playing.version)
    if history.game.conditional:
        return [button(language(say("Plan ahead")), Click("plan", *here).custom_id)]
    if part_of(history.game, Orders).order_choices(history.state, seat):
        return [button(language(say("Orders")), Click("orders", *here).custom_id)]
    return []


def replies_line(snapshot: Snapshot, seat: int, language: Language) -> str:
    """The number of replies that a seat has planned, for its player alone; empty if there are none."""
    count = size(snapshot.plan_of(seat).replies)
    return "-# " + language(say_n("You’ve planned {n} reply.", "You’ve planned {n} replies.", count)) if count else ""
