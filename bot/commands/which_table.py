"""Finding the table that a command means: the one that was named, or the only one in this channel that the user plays at."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands, ui

from bot.i18n.language import Language
from bot.interactions.context import Answered, Context, responder_of
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.builder import OPTION_LIMIT, MessageBuilder, button, clipped
from bot.messages.click import Click, naming
from bot.messages.computers import known_as
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines import GAMES
from engines.text import echoed, say
from storage.records import Status

BUTTONS_AT_MOST: Final = 5
"""How many tables are offered as buttons. More of them stand in a menu."""

OFFERED_AT_MOST: Final = 25
"""Discord's limit on the options of a menu."""

SUGGESTED_AT_MOST = 25
"""Discord's limit on suggestions."""

LOOKED_AT_AT_MOST = 2000
"""How many tables are looked through for what somebody has typed, since suggestions have to come soon."""


async def which_table(
    context: Context,
    named: str | None,
    ask: Click,
    *,
    statuses: Collection[Status] = (Status.PLAYING,),
    own: bool = True,
) -> Snapshot:
    """The table that a command means. Whether its game comes with it is left open.

    Args:
        context: the interaction.
        named: the value of the option `game`, or None.
        ask: the click that carries out the command once the user has chosen a table.
        statuses: the possible statuses of the table.
        own: whether the user must be a player there.

    Raises:
        Refused: there is no such table, or none in this channel.
        Answered: there are several; the user has been asked which one, and their click will carry out the command.
    """
    if named is not None:
        return await context.snapshot(table_number(named))
    found = await context.sessions.outlines(
        guild_id=context.guild_id, channel_id=context.interaction.channel_id, statuses=statuses,
        user_id=context.user.id if own else None, seen_by=context.user.id, limit=OFFERED_AT_MOST + 1,
    )  # fmt: skip
    if own and not found:
        raise Refused(say("You’re not in a game in this channel. Find yours with `/games`, or start one with `/play`."))
    if not found:
        raise Refused(say("There’s no game in this channel. Find some with `/games`, or start one with `/play`."))
    if len(found) > 1:
        await _ask(context, found, ask)
        raise Answered
    return found[0]


async def _ask(context: Context, found: tuple[Snapshot, ...], ask: Click) -> None:
    """Ask the user which of several tables is meant, with buttons or a menu that carry the command out there."""
    tables = {outline.table.id: summary(outline, context.language) for outline in found[:OFFERED_AT_MOST]}
    builder = MessageBuilder().text(context.language(say("There’s more than one game here. Which one?")))
    if len(found) <= BUTTONS_AT_MOST:
        builder.buttons([button(label, replace(ask, table=number).custom_id) for number, label in tables.items()])
    else:
        placeholder = context.language(say("Pick a game"))
        options = [
            discord.SelectOption(label=clipped(label, OPTION_LIMIT), value=naming(number)) for number, label in tables.items()
        ]
        builder.select(ui.Select(custom_id=ask.custom_id, placeholder=placeholder, options=options))
    if len(found) > OFFERED_AT_MOST:
        newest = say("-# These are the newest {n}. Name an older one with the option `game`.", n=OFFERED_AT_MOST)
        builder.text(context.language(newest))
    await context.reply.show(builder)


def summary(outline: Snapshot, language: Language) -> str:
    """A table in a few words, such as "#12 Bouncers: Ann, Ben"."""
    who = ", ".join(map(language, known_as(outline, outline.names)))
    return f"#{outline.table.id} {language(GAMES[outline.table.game].listed)}: {who}"


_NUMBER: Final = re.compile(r"#{0,3}\s*([0-9]{1,18})")


def table_number(named: str) -> int:
    """The number that names a table, given as "12" or "#12". Raises Refused if it is not a number."""
    found = _NUMBER.fullmatch(named.strip())
    if found is None:
        raise Refused(say("“{named}” isn’t the number of a game. `/games` lists them.", named=echoed(named)))
    return int(found[1])


# --- autocomplete ---------------------------------------------------------------------------------------------------------


@suggestions
async def own_games(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The running games that the user plays in."""
    return await _choices(interaction, current, (Status.PLAYING,), own=True)


@suggestions
async def own_finished_games(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The finished games that the user played in."""
    return await _choices(interaction, current, (Status.FINISHED,), own=True)


@suggestions
async def running_games(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The running games that the user may look at."""
    return await _choices(interaction, current, (Status.PLAYING,), own=False)


@suggestions
async def finished_games(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The finished games that the user may look at."""
    return await _choices(interaction, current, (Status.FINISHED,), own=False)


@suggestions
async def started_games(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The running and finished games that the user may look at."""
    return await _choices(interaction, current, (Status.PLAYING, Status.FINISHED), own=False)


@suggestions
async def live_tables(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The tables that have not started, and the running games."""
    return await _choices(interaction, current, (Status.OPEN, Status.PLAYING), own=False)


async def _choices(
    interaction: Interaction, current: str, statuses: Collection[Status], *, own: bool
) -> list[app_commands.Choice[str]]:
    """The tables of this server that could be meant, those of this channel first."""
    if interaction.guild_id is None:
        return []
    responder = responder_of(interaction)
    lang, here = await responder.private_language(interaction), interaction.channel_id
    found: dict[int, str] = {}
    for channel in (here, None):
        looked_at = 0
        async for outline in responder.sessions.lists.outlines(
            guild_id=interaction.guild_id, user_id=interaction.user.id if own else None, seen_by=interaction.user.id,
            statuses=statuses, channel_id=channel,
        ):  # fmt: skip
            label = summary(outline, lang)
            if current.lower() in label.lower():
                found.setdefault(outline.table.id, label)
            looked_at += 1
            if len(found) == SUGGESTED_AT_MOST or looked_at == LOOKED_AT_AT_MOST:
                break
    return [app_commands.Choice(name=clipped(label, 100), value=str(number)) for number, label in found.items()]
