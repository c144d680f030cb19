"""A server's tables for its managers, who pick one, close it, or remove somebody from it."""

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.core.listing import LIVE, Lists
from bot.core.table.errors import Quarantined
from bot.core.table.snapshot import Snapshot, User
from bot.features.settings.moderation import Moderation
from bot.features.settings.panel import BACK
from bot.interactions.checks import check_manager
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles
from bot.interactions.tables import label_of
from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, button, clip, escape_name, shown_name
from bot.messages.click import Click, is_number
from engines.text import Text, join, plain, say
from storage.schema.records import Seat, SeatStatus, Status

_ONE: Final = Tokens((is_number,))
_TWO: Final = Tokens((is_number, is_number))


async def show_tables(context: Context, back: Button, page: int = 0) -> None:
    """List all tables that have not ended, including private and unreadable ones, for the user to pick one."""
    lists, language = context.core.service(Lists), context.language
    broken = await lists.quarantined(context.guild_id, context.user.id, manages=True)
    labels = {number: language(say("#{n}: I can’t read it", n=number)) for number in broken}
    first, last = page * OPTIONS_AT_MOST, (page + 1) * OPTIONS_AT_MOST
    live = lists.summaries(guild_id=context.guild_id, seen_by=None, statuses=LIVE, limit=last + 1)
    labels |= {summary.table.id: label_of(summary, language) async for summary in live}
    numbers = list(labels)
    if page and first >= len(numbers):
        await show_tables(context, back)
        return
    builder = MessageBuilder()
    if not numbers:
        builder.text(language(say("No table is open here right now.")))
    else:
        options = [
            discord.SelectOption(label=clip(labels[number], OPTION_LIMIT), value=str(number)) for number in numbers[first:last]
        ]
        builder.text(language(say("Which table?")))
        builder.select(_menu(Click("server-table"), say("Pick a table"), options, context))
    leaf = [(say("Previous"), page - 1, page > 0), (say("Next"), page + 1, len(numbers) > last)]
    leaves = [button(language(label), Click("server-tables", page=to).custom_id) for label, to, offered in leaf if offered]
    await context.reply.show(builder.buttons([*leaves, back]))


def _menu(click: Click, placeholder: Text, options: Sequence[discord.SelectOption], context: Context) -> "ui.Select[Any]":
    return ui.Select(custom_id=click.custom_id, placeholder=context.language(placeholder), options=list(options))


def _back(context: Context, click: Click) -> Button:
    return button(context.language(say("Back")), click.custom_id)


@handles("server-tables")
async def _tables(context: Context, click: Click) -> None:
    check_manager(context.interaction)
    await show_tables(context, button(context.language(BACK), Click("server").custom_id), click.page)


@handles("server-table", tokens=_ONE)
async def _table(context: Context, click: Click) -> None:
    """Show what can be done with the table that the click's token names. This way, even an unreadable one can be closed."""
    check_manager(context.interaction)
    number, language = int(click.tokens[0]), context.language
    close = button(
        language(say("Close this table")), Click("server-close", tokens=click.tokens).custom_id, discord.ButtonStyle.danger
    )
    builder, people = MessageBuilder(), list[Seat]()
    try:
        snapshot = await context.core.snapshot(number, context.guild_id)
    except Quarantined as error:
        builder.text(language(error.text))
    else:
        builder.text(f"**{label_of(snapshot, language)}**")
        people = removable(snapshot)
    if people:
        options = [
            discord.SelectOption(label=clip(language(plain(shown_name(one.name))), OPTION_LIMIT), value=str(one.user_id))
            for one in people[:OPTIONS_AT_MOST]
        ]
        builder.select(_menu(Click("server-remove", tokens=click.tokens), say("Remove somebody"), options, context))
    await context.reply.show(builder.buttons([close, _back(context, Click("server-tables"))]))


def removable(snapshot: Snapshot) -> list[Seat]:
    """Return the people who can be removed from a table, either as players or as invited people."""
    here = {SeatStatus.JOINED, SeatStatus.INVITED}
    return [one for one in snapshot.people if one.status in here and one.computer is None]


async def _ask(context: Context, question: Text, yes: Text, click: Click) -> None:
    builder = MessageBuilder().text(context.language(question))
    sure = button(context.language(yes), click.custom_id, discord.ButtonStyle.danger)
    await context.reply.show(builder.buttons([sure, _back(context, Click("server-table", tokens=click.tokens[:1]))]))


@handles("server-close", tokens=_ONE)
async def _close(context: Context, click: Click) -> None:
    check_manager(context.interaction)
    number = int(click.tokens[0])
    question = say("Close table #{n}?", n=number)
    try:
        if (await context.core.snapshot(number, context.guild_id)).table.status is Status.PLAYING:
            question = say("Close table #{n}? The running game ends without a result; ratings stay as they are.", n=number)
    except Quarantined:
        question = say("Close table #{n}? I can’t read it. If its game is running, it ends without a result.", n=number)
    await _ask(context, question, say("Close it"), Click("server-close-yes", tokens=click.tokens))


@handles("server-close-yes", tokens=_ONE)
async def _close_now(context: Context, click: Click) -> None:
    check_manager(context.interaction)
    number = int(click.tokens[0])
    await context.core.service(Moderation).close_whatever_is_wrong(number, context.guild_id, context.user)
    await _done(context, number, say("Table #{n} is closed.", n=number))


@handles("server-remove", tokens=_TWO)
async def _remove(context: Context, click: Click) -> None:
    check_manager(context.interaction)
    number, who = click.tokens
    snapshot = await context.core.snapshot(int(number), context.guild_id)
    question = say("Remove {who} from table #{n}?", who=plain(f"<@{who}>"), n=number)
    if (follows := what_follows(snapshot, int(who))) is not None:
        question = join([question, follows], " ")
    await _ask(context, question, say("Remove"), Click("server-remove-yes", tokens=click.tokens))


def what_follows(snapshot: Snapshot, user_id: int) -> Text | None:
    """Say what removing a person means for a table. Return None if the person is not there."""
    person = next((one for one in removable(snapshot) if one.user_id == user_id), None)
    if person is None:
        return None
    if snapshot.table.status is Status.PLAYING:
        return _follows_in_game(snapshot, snapshot.own_seat(user_id))
    if snapshot.table.matched:
        return say("The table is then closed, since everybody who was matched has to play.")
    if person.status is SeatStatus.INVITED:
        lost = say("The challenge then counts as declined, and the table is closed.")
        return lost if snapshot.table.ladder else say("Their invitation is withdrawn, and the seat becomes free.")
    if len(snapshot.persons) == 1:
        return say("Nobody else has joined, so the table is then closed.")
    return say("Their seat becomes free.")


def _follows_in_game(snapshot: Snapshot, seat: int) -> Text:
    rest = [other for other in snapshot.present if other != seat]
    if not rest:
        said = say("The game then ends.")
    elif len(rest) == 1:
        said = say("The game then ends, and {who} wins.", who=plain(escape_name(snapshot.names[rest[0]])))
    elif not set(rest) & set(snapshot.persons):
        said = say("The game then ends: only computers would be left.")
    else:
        said = say("The others play on without them.")
    return join([said, say("The game is rated, so it counts as a loss.")], " ") if snapshot.table.rated else said


@handles("server-remove-yes", tokens=_TWO)
async def _remove_now(context: Context, click: Click) -> None:
    check_manager(context.interaction)
    number, who = map(int, click.tokens)
    snapshot = await context.core.snapshot(number, context.guild_id)
    known = snapshot.person(who)
    person = User(who, "" if known is None else known.name)
    after = await context.core.service(Moderation).remove(number, context.guild_id, person, context.user)
    told = {"who": plain(f"<@{who}>"), "n": number}
    text = say("{who} has been removed from table #{n}.", **told)
    if after.table.status is Status.CLOSED:
        text = say("{who} has been removed, and table #{n} is closed.", **told)
    elif after.table.status is Status.FINISHED:
        text = say("{who} has been removed, and the game at table #{n} is over.", **told)
    await _done(context, number, text)


async def _done(context: Context, number: int, text: Text) -> None:
    builder = MessageBuilder().text(context.language(text)).buttons([_back(context, Click("server-tables"))])
    async with context.delivering(number):
        await context.reply.show(builder)


HANDLERS: Final = (_tables, _table, _close, _close_now, _remove, _remove_now)
