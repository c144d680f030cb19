"""Finding the table that a command means: the one that was named, or the only one in this channel that the user plays at."""

import re
from collections.abc import Collection
from typing import Final

from discord import app_commands

from bot.i18n.language import Language
from bot.interactions.context import Answered, Context, responder_of
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.builder import MessageBuilder, button, clipped
from bot.messages.click import Click
from bot.sessions import Snapshot
from bot.sessions.errors import Refused, echoed
from engines import GAMES
from engines.text import say
from storage.records import Status

BUTTONS_AT_MOST = 20

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
    """The table that a command means.

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
        user_id=context.user.id if own else None, seen_by=context.user.id,
    )  # fmt: skip
    if own and not found:
        raise Refused(say("You play no game in this channel. `/games` shows where you do; `/play` opens a table."))
    if not found:
        raise Refused(say("No game is played in this channel. `/games` shows where there are some; `/play` opens a table."))
    if len(found) > 1:
        await _ask(context, found, ask)
        raise Answered
    return await context.snapshot(found[0].table.id)


async def _ask(context: Context, found: tuple[Snapshot, ...], ask: Click) -> None:
    buttons = [
        button(summary(outline, context.language), Click(ask.verb, outline.table.id, tokens=ask.tokens).custom_id)
        for outline in found[:BUTTONS_AT_MOST]
    ]
    text = context.language(say("There are several games here. Which one do you mean?"))
    await context.reply.show(MessageBuilder().text(text).buttons(buttons))


def summary(outline: Snapshot, language: Language) -> str:
    """A table in a few words, such as "#12 Bouncers: Ann, Ben"."""
    return f"#{outline.table.id} {language(GAMES[outline.table.game].title)}: {', '.join(map(language, outline.names))}"


_NUMBER: Final = re.compile(r"#{0,3}\s*([0-9]{1,18})")


def table_number(named: str) -> int:
    """The number that names a table, given as "12" or "#12". Raises Refused if it is not a number."""
    found = _NUMBER.fullmatch(named.strip())
    if found is None:
        raise Refused(say("“{named}” is no table's number; `/games` shows them.", named=echoed(named)))
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
