"""Sharing: whether something may be posted in a place, and telling the user where it was posted."""

import asyncio
from typing import Final

import discord

from bot.core.jobs import Outbox
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot
from bot.interactions.context import Context
from bot.outbox.access import SHARED_ONCE_IN, find_sent, shared_nonce
from bot.outbox.permissions import missing_permissions
from engines.text import Text, join, say
from storage.schema.records import Job

LOOK_EVERY: Final = 0.5
"""Seconds between two looks whether what a user shares has been posted."""


WAITS_FOR: Final = 60.0
"""The most seconds for which a user who shares something waits to be told where it was posted."""


def may_share(context: Context, snapshot: Snapshot) -> bool:
    """Whether *Share* is offered. A game with a result has a card, which may be copied even where the user may not post."""
    if snapshot.worth_sharing:
        return snapshot.may_be_shared_in(context.interaction.channel_id or 0)
    return hindrance(context, snapshot) is None


def hindrance(context: Context, snapshot: Snapshot | None) -> Text | None:
    """Return why the user may not post about a game (None for no particular one) in this channel, or None if they may."""
    interaction = context.interaction
    if snapshot is not None and not snapshot.may_be_shared_in(interaction.channel_id or 0):
        return say("This game is private. You can share it only in its own thread.")
    threaded = isinstance(interaction.channel, discord.Thread)
    theirs, ours = interaction.permissions, interaction.app_permissions
    if not (theirs.send_messages_in_threads if threaded else theirs.send_messages):
        return say("You can’t post in this channel.")
    lacking = missing_permissions(ours, in_thread=threaded)
    return say("I can’t post here. I need: {missing}.", missing=join(lacking, ", ")) if lacking else None


def check_postable(context: Context, snapshot: Snapshot | None) -> None:
    """Raise Refused if the user may not post about a game in this channel."""
    if (refused := hindrance(context, snapshot)) is not None:
        raise Refused(refused)


async def post(context: Context, snapshot: Snapshot, page: int | None = None, *, card: bool = False) -> None:
    """Post about a game in this channel (see `Outbox.share`), unless done lately, and tell the user where. Raises Refused."""
    check_postable(context, snapshot)
    channel, version, outbox = context.interaction.channel_id or 0, snapshot.playing.version, context.core.service(Outbox)
    job = await outbox.share(snapshot.table.id, channel=channel, version=version, user=context.user.id, page=page, card=card)
    await tell_where(context, job, shared_nonce(snapshot.table.id, version, channel, page, card=card))


async def tell_where(context: Context, job: Job, nonce: str) -> None:
    """Tell the user where a job's post is in this channel, as soon as it is there."""
    client, channel, outbox = context.responder.client, context.interaction.channel_id or 0, context.core.service(Outbox)
    context.responder.outbox.wake()
    for _ in range(round(WAITS_FOR / LOOK_EVERY)):
        if not await outbox.waits(job):
            break
        await asyncio.sleep(LOOK_EVERY)
    place = client.get_partial_messageable(channel, guild_id=context.guild_id)
    sent = await find_sent(client, place, nonce, context.core.now() - SHARED_ONCE_IN)
    if sent is None:  # Discord has refused it for now, or hides it from the bot
        text = say("I’ll post it as soon as Discord lets me.")
    elif sent.id < context.interaction.id:
        text = say("It’s here already: {link}", link=sent.jump_url)
    else:
        text = say("Posted here: {link}", link=sent.jump_url)
    await context.tell(context.language(text))
