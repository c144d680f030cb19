"""Clicks and commands for advice: a hint while the game is on, and a review when it is over."""

import asyncio
from dataclasses import replace
from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.interactions.playing import at_table
from bot.interactions.records import hindrance
from bot.messages.click import Click
from bot.messages.hint import hint_message
from bot.messages.perspective import looking_back
from bot.messages.review import BEFORE, progress_message, review_message
from bot.sessions.errors import Refused
from bot.sessions.hints import hint_question
from bot.sessions.reviews import Reviewed
from bot.thinking import Priority, ThinkingFailed, thinking
from engines.text import say
from opponents.reviewing import advised

LOOK_EVERY: Final = 2.0
"""Seconds after which it is looked again how far a review has come that somebody waits for."""

TELL_EVERY: Final = 3
"""After how many such looks the person is told."""

WAITS_FOR: Final = 14 * 60.0
"""Seconds after which nobody waits for a review any more: Discord takes an answer for fifteen minutes."""

_asking: Final[set[tuple[int, int]]] = set()
"""Who is about to be given a hint at which table."""

_waiting: Final[set[tuple[int, int]]] = set()
"""Who waits for the review of which table."""


# --- hints ----------------------------------------------------------------------------------------------------------------


async def show_hint(context: Context, table_id: int) -> None:
    """Show the user, privately, what is good to play, and count it. Raises Refused where there are no hints."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    question = await asyncio.to_thread(hint_question, snapshot, seat)
    who = (context.user.id, table_id)
    if who in _asking:
        raise Refused(say("One at a time, please: I’m still thinking about your last hint."))
    _asking.add(who)
    try:
        advice = await thinking(
            advised, *question.values, server=context.guild_id, person=context.user.id, priority=Priority.HINT
        )
    except ThinkingFailed as error:
        raise Refused(say("I’m thinking about too many games right now. Ask again in a minute.")) from error
    finally:
        _asking.discard(who)
    version = snapshot.playing.version
    snapshot = replace(snapshot, people=(await context.sessions.hints.count(table_id, context.user.id, version)).people)
    await context.reply.show(await hint_message(snapshot, context.perspective(seat), seat, advice))


@handles("hint")
async def _hint(context: Context, click: Click) -> None:
    await show_hint(context, click.table)


# --- reviews --------------------------------------------------------------------------------------------------------------


async def show_review(context: Context, table_id: int, page: int = 0, *, before: bool = False) -> None:
    """Show the user a page of the review of a finished game, as soon as there is one."""
    snapshot = await context.snapshot(table_id)
    reviewed = await context.sessions.reviews.ask(snapshot)
    if not reviewed.done:
        reviewed = await _waited(context, reviewed)
    if not reviewed.done:
        await context.reply.show(progress_message(reviewed, context.language))
        return
    wanted = context.settings
    perspective = looking_back(
        snapshot, context.user.id, context.language, high_contrast=wanted.high_contrast, turned=wanted.turn_board
    )
    shareable = hindrance(context, snapshot) is None
    await context.reply.show(await review_message(reviewed, perspective, page, before=before, shareable=shareable))


async def _waited(context: Context, reviewed: Reviewed) -> Reviewed:
    """The review when it is done, or as it is when nobody can wait any longer. Meanwhile the user is told how it stands."""
    who = (context.user.id, reviewed.snapshot.table.id)
    if who in _waiting:  # and sees how it stands where they asked first
        return reviewed
    _waiting.add(who)
    try:
        await context.reply.progress(progress_message(reviewed, context.language))
        for look in range(round(WAITS_FOR / LOOK_EVERY)):
            await asyncio.sleep(LOOK_EVERY)
            earlier, reviewed = reviewed, await context.sessions.reviews.progress(reviewed)
            if reviewed.done:
                break
            if look % TELL_EVERY == 0 and reviewed.progress != earlier.progress:
                await context.reply.progress(progress_message(reviewed, context.language))
    finally:
        _waiting.discard(who)
    return reviewed


@handles("review")
async def _review(context: Context, click: Click) -> None:
    await show_review(context, click.table, click.page, before=BEFORE in click.tokens)


@handles("review-page")
async def _review_page(context: Context, click: Click) -> None:
    """A turning point was chosen from the list: its number is the last token."""
    number = click.tokens[-1] if click.tokens else ""
    await show_review(context, click.table, int(number) if number.isdecimal() else 0)


@handles("share-review")
async def _share_review(context: Context, click: Click) -> None:
    """Have a page of the review posted for everybody in this channel."""
    snapshot = await context.snapshot(click.table)
    refused = hindrance(context, snapshot)
    if refused is not None:
        raise Refused(refused)
    reviewed = await context.sessions.reviews.ask(snapshot)
    if not reviewed.done:
        await context.reply.show(progress_message(reviewed, context.language))
        return
    page = min(click.page, len(reviewed.course.turning_points(reviewed.review)))
    channel = context.interaction.channel_id or 0
    await context.sessions.outbox.share(
        click.table, channel=channel, version=snapshot.playing.version, user=context.user.id, page=page
    )
    context.responder.outbox.wake()
    await context.tell(context.language(say("Shared! It will be here in a moment.")))


HANDLERS: Final = (_hint, _review, _review_page, _share_review)
