"""Which table a command means: the one that was named, or the only one of this channel that the person plays at."""

from collections.abc import Collection

from discord import app_commands

from bot.i18n.language import Language
from bot.interactions.context import Counter, Front
from bot.interactions.reply import Interaction
from bot.messages.builder import Sheet, button, clipped
from bot.messages.click import Click
from bot.sessions import Glance
from bot.sessions.errors import Refused
from engines import GAMES
from engines.text import plain, say
from storage.records import Status

BUTTONS_AT_MOST = 20


class AskedWhich(Exception):
    """The person has been asked which table they mean; the answer will come as a click."""


async def which_table(
    counter: Counter,
    named: str | None,
    ask: Click,
    *,
    statuses: Collection[Status] = (Status.PLAYING,),
    own: bool = True,
) -> Glance:
    """The table that a command means.

    Args:
        counter: the person's visit.
        named: what was given as `game`, or None.
        ask: the click that carries the command out once the person has chosen a table.
        statuses: which tables come into question.
        own: whether only tables at which the person plays do.

    Raises:
        Refused: there is no such table, or none in this channel.
        AskedWhich: there are several; the person has been asked.
    """
    if named is not None:
        return await counter.glance(table_number(named))
    found = await counter.sessions.outlines(
        guild_id=counter.guild_id, channel_id=counter.interaction.channel_id, statuses=statuses,
        user_id=counter.user.id if own else None, seen_by=counter.user.id,
    )  # fmt: skip
    if own and not found:
        raise Refused(say("You play no game in this channel. `/games` shows where you do; `/play` opens a table."))
    if not found:
        raise Refused(say("No game is played in this channel. `/games` shows where there are some; `/play` opens a table."))
    if len(found) > 1:
        await _ask(counter, found, ask)
        raise AskedWhich
    return await counter.glance(found[0].table.id)


async def _ask(counter: Counter, found: tuple[Glance, ...], ask: Click) -> None:
    buttons = [
        button(summary(outline, counter.language), Click(ask.verb, outline.table.id, tokens=ask.tokens).custom_id)
        for outline in found[:BUTTONS_AT_MOST]
    ]
    text = counter.language(say("There are several games here. Which one do you mean?"))
    await counter.reply.show(Sheet().text(text).buttons(buttons))


def summary(outline: Glance, language: Language) -> str:
    """A table in a few words: "#12 Bouncers: Ann, Ben"."""
    return f"#{outline.table.id} {language(GAMES[outline.table.game].title)}: {', '.join(map(language, outline.names))}"


def table_number(named: str) -> int:
    """The number in a table's name, "12" or "#12". Raises Refused."""
    try:
        return int(named.strip().lstrip("#"))
    except ValueError as error:
        raise Refused(say("“{named}” is no table's number; `/games` shows them.", named=plain(named))) from error


async def table_choices(
    front: Front, interaction: Interaction, current: str, statuses: Collection[Status], *, own: bool
) -> list[app_commands.Choice[str]]:
    """The tables of this server that could be meant, for autocomplete: those of this channel first."""
    if interaction.guild_id is None:
        return []
    outlines = await front.sessions.outlines(
        guild_id=interaction.guild_id, user_id=interaction.user.id if own else None, seen_by=interaction.user.id,
        statuses=statuses, limit=100,
    )  # fmt: skip
    lang, here = await front.private_language(interaction), interaction.channel_id
    choices = []
    for glance in sorted(outlines, key=lambda glance: here not in {glance.table.channel_id, glance.table.thread_id}):
        label = summary(glance, lang)
        if current.lower() in label.lower():
            choices.append(app_commands.Choice(name=clipped(label, 100), value=str(glance.table.id)))
    return choices[:25]
