"""Private messages about a board: the picture, the description, and further actions."""

from collections.abc import Sequence

import discord

from bot.i18n.language import Language
from bot.messages.ahead import ahead_buttons
from bot.messages.board import ending, heading, marks, names
from bot.messages.builder import TEXT_LIMIT, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.computers import waited_for
from bot.messages.marks import TEXT_MARKS
from bot.messages.perspective import Perspective
from bot.messages.pictures import picture
from bot.sessions import Snapshot
from engines.text import Text, join, say
from storage.records import Status


async def private_board_message(snapshot: Snapshot, perspective: Perspective) -> MessageBuilder:
    """The current board as a picture, whose turn it is, and what it began with; the board in words behind a button."""
    language, table = perspective.language, snapshot.table
    begun_with = snapshot.playing.view(perspective.seat).begun_with
    words = button(language(say("Board in words")), Click("words", table.id, table.version).custom_id)
    builder = MessageBuilder().text(heading(snapshot, language)).picture(await picture(snapshot, perspective))
    builder.text(_now(snapshot, perspective))
    return builder.text("" if begun_with is None else f"-# {language(begun_with)}").buttons([words])


def _now(snapshot: Snapshot, perspective: Perspective) -> str:
    """Whose turn it is, or how the game ended."""
    language, to_act = perspective.language, snapshot.playing.to_act
    if snapshot.table.status is not Status.PLAYING:
        return ending(snapshot, language)
    if perspective.seat in to_act:
        return language(say("It’s your turn."))
    marked = [join([mark, name], " ") for mark, name in zip(marks(snapshot), names(snapshot), strict=True)]
    return language(waited_for(snapshot), marked)


def board_in_words(snapshot: Snapshot, seat: int | None, language: Language) -> str:
    """The current board in words, as a seat (None: a spectator) may know it."""
    game, view = snapshot.playing.game, snapshot.playing.view(seat)
    hand = game.hand(view)
    told = [game.describe(view)] if hand is None else [game.describe(view), hand]
    title = heading(snapshot, language)
    return "\n".join([title, *_fitting(snapshot, language, told, TEXT_LIMIT - len(title) - len(told))])


def _fitting(snapshot: Snapshot, language: Language, told: Sequence[Text], room: int) -> list[str]:
    """The texts with the players' names, or, if that is too long, with marks instead, as short as can be."""
    for who in (names(snapshot), TEXT_MARKS[: len(snapshot.players)]):
        words = [language(text, who) for text in told]
        if sum(map(len, words)) <= room:
            break
    return words


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
