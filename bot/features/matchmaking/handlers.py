"""Handles the panel of `/match` with its menus, and *Me too* on the public message."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.core.people import Users
from bot.core.table.errors import Refused
from bot.features.matchmaking.messages import ANY, FIRST, RATED, seek_panel
from bot.features.matchmaking.post import CONTENTS
from bot.features.matchmaking.service import OwnSeek, Seeks
from bot.features.matchmaking.wishes import NO_CHOICE
from bot.features.posts.handlers import refresh_post
from bot.interactions.checks import Place, check_channel, check_permissions, place_for_everybody
from bot.interactions.context import Context
from bot.interactions.handlers import Answer, Tokens, handles, is_word
from bot.messages.click import Click, is_number
from bot.outbox.members import knows_roles
from engines.text import Text, say
from storage.schema.records import PostKind
from storage.schema.structures import Wishes


async def open_seeks(context: Context) -> None:
    """Show the user what they seek."""
    await _show(context, await context.core.service(Seeks).get(context.guild_id, context.user))


async def seek(context: Context, change: Callable[[Wishes], Wishes]) -> None:
    """Have the user wait for what their command asks for, and show them the panel."""
    await context.core.service(Seeks).choose(context.guild_id, context.user, change, possible=True)
    await _show(context, await _wait(context), note=_WAITING)


async def _show(context: Context, own: OwnSeek, *, page: int = 0, note: Text | None = None) -> None:
    await context.reply.show(seek_panel(own, context.language, page=min(page, 1), note=note))


async def _wait(context: Context) -> OwnSeek:
    """Have the user wait. Raises Refused if games cannot be played here, or if the user could not see them."""
    own = await context.core.service(Seeks).get(context.guild_id, context.user)
    place = place_for_everybody(context.interaction)
    if own.channel_id is None:
        check_channel(await context.core.service(Users).server(context.guild_id), context.interaction)
        check_permissions(context.interaction, place, thread=False)
        _check_all_see(context, place)
    elif await context.core.audience.who_cannot_see(context.guild_id, own.channel_id, [context.user.id]):
        raise Refused(say("The games that I find for people here are played in a channel that you can’t see. Whoever manages "
                          "this server can choose another one with `/server-settings`."))  # fmt: skip
    return await context.core.service(Seeks).wait(context.guild_id, context.user, place.id)


def _check_all_see(context: Context, place: Place) -> None:
    """Raise Refused if some members cannot see a place, since whoever waits first decides where all games are played."""
    guild, here = context.interaction.guild, context.interaction.channel
    seen_as = here.parent_id if isinstance(here, discord.Thread) else place.id
    channel = None if guild is None else guild.get_channel(seen_as)
    if guild is None or channel is None or not knows_roles(guild):
        return  # this is not known for a moment; people who cannot see it are told so when they wait
    if not channel.permissions_for(guild.default_role).view_channel:
        raise Refused(say("Whoever waits first decides where my games are played, and not everybody can see {where}. Try a "
                          "channel that everybody can see, or ask whoever manages this server to pick one with "
                          "`/server-settings`.", where=f"<#{place.id}>"))  # fmt: skip


@handles("seek")
async def _open(context: Context, click: Click) -> None:
    await _show(context, await context.core.service(Seeks).get(context.guild_id, context.user), page=click.page)


@handles("seek-set", tokens=Tokens((is_word,), more=is_word))
async def _set(context: Context, click: Click) -> None:
    """Store a choice in one of the menus. The tokens are the name of the wish, and the chosen options."""
    name, *values = click.tokens
    wish = _WISHES.get(name)
    if wish is None:
        raise Refused(NO_CHOICE)
    try:
        changes = wish(values)
    except (KeyError, ValueError) as error:
        raise Refused(NO_CHOICE) from error

    def change(wishes: Wishes) -> Wishes:
        return replace(wishes, **changes)

    own = await context.core.service(Seeks).choose(context.guild_id, context.user, change)
    await _show(context, own, page=0 if name in FIRST else 1)


@handles("seek-avoid", tokens=Tokens(more=is_word))
async def _avoid(context: Context, click: Click) -> None:
    """Store whom the user wants to avoid. The tokens are those people's ids, and Discord sends their names along."""
    data: Mapping[str, Any] = context.interaction.data or {}
    known = data.get("resolved", {}).get("users", {})
    if not known.keys() >= set(click.tokens):
        raise Refused(NO_CHOICE)
    if str(context.user.id) in click.tokens:
        raise Refused(say("You can’t avoid yourself. Pick other people."))
    own = await context.core.service(Seeks).avoid(context.guild_id, context.user, [int(token) for token in click.tokens])
    await _show(context, own, page=1)


@handles("seek-wait")
async def _begin(context: Context, click: Click) -> None:
    await _show(context, await _wait(context), page=click.page)


@handles("seek-stop")
async def _stop(context: Context, click: Click) -> None:
    stopped = say("You’re no longer waiting. I’ve kept your choices for next time.")
    own = await context.core.service(Seeks).stop(context.guild_id, context.user)
    await _show(context, own, page=click.page, note=stopped)


@handles("seek-too", tokens=Tokens((is_number,)), answer=Answer.SILENT)
async def _too(context: Context, click: Click) -> None:
    """Have the user wait for what others wait for, and update the message in the same answer."""
    await context.core.service(Seeks).join_in(context.guild_id, context.user)
    own = await _wait(context)
    await refresh_post(context, PostKind.SEEKS, int(click.tokens[0]), CONTENTS)
    await _show(context, own, note=_WAITING)


_WAITING: Final = say("Got it!")


_WISHES: Final[Mapping[str, Callable[[Sequence[str]], dict[str, Any]]]] = {
    "plays": lambda values: {"plays": tuple(values)},
    "clocks": lambda values: {"clocks": tuple(map(int, values))},
    "seats": lambda values: {"seats": tuple(map(int, values))},
    "rated": lambda values: {"rated": RATED["".join(values)][0]},
    "days": lambda values: {"days": int("".join(values))},
    "games": lambda values: {"games": int("".join(values))},
    "late": lambda values: {"most_late": None if values == [ANY] else int("".join(values))},
}
"""For each menu, a function that turns its options into wishes. Raises KeyError or ValueError for unknown options."""

HANDLERS: Final = (_open, _set, _avoid, _begin, _stop, _too)
