"""Showing reviews when they are done, and their moves, and playing out how the game could have gone on."""

from dataclasses import dataclass, replace
from typing import Final

from bot.core.shares import in_share
from bot.features.openings.service import ServerOpenings
from bot.features.replays.handlers import looking_back_for
from bot.features.replays.messages import example_animation
from bot.features.reviews.course import Marked
from bot.features.reviews.messages import BEFORE, progress_message, review_message
from bot.features.reviews.move_messages import example_message, marked_message, moves_message
from bot.features.reviews.service import Reviewed, Reviews, example_question
from bot.features.reviews.slips import own_slips
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word, too_old
from bot.interactions.heavy import ask_expert, in_turn_once
from bot.interactions.sharing import hindrance, may_share
from bot.interactions.tables import way_back, with_way_back
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click, is_number
from bot.messages.pictures import Perspective
from opponents.reviewing import play_example

TELL_EVERY: Final = 4.0
"""The seconds between two messages about a review's progress."""

TOLD_FOR: Final = 14 * 60.0
"""Seconds for which a message can turn into the review by itself. Discord accepts an answer's edits for fifteen minutes."""


async def show_review(context: Context, table_id: int, page: int = 0, *, before: bool = False) -> None:
    """Show the user a page of a finished game's review, as soon as the review is done."""
    if (reviewed := await asked_review(context, table_id)) is not None:
        await context.reply.show(await _page_message(context, reviewed, page, before=before))


async def _page_message(context: Context, reviewed: Reviewed, page: int = 0, *, before: bool = False) -> MessageBuilder:
    snapshot = reviewed.snapshot
    shareable = may_share(context, snapshot) if page == 0 else hindrance(context, snapshot) is None
    left = None if page else await context.core.service(ServerOpenings).departure(snapshot)
    own = bool(own_slips(reviewed, context.user.id))
    perspective = looking_back_for(context, snapshot)
    message = await review_message(reviewed, perspective, page, before=before, shareable=shareable, left=left, own=own)
    return message if page else with_way_back(context, snapshot, message)


async def asked_review(context: Context, table_id: int) -> Reviewed | None:
    """Return a finished game's review if it is done. Otherwise show its progress, in a message that will turn into it."""
    reviews, waiting = context.core.service(Reviews), context.responder.reviews
    reviewed = await reviews.ask(await context.snapshot(table_id))
    waiting.stop(table_id, context.user.id)
    if reviewed.done:
        return reviewed
    reviewed = await reviews.progress(reviewed)
    now = context.core.now()
    await context.reply.show(review_progress(context, reviewed))
    waiting.wait(table_id, context.user.id, reviewed.progress[0], _Wait(context, reviewed, asked_at=now, told_at=now).go_on)
    return None


def review_progress(context: Context, reviewed: Reviewed, *, told: bool = True) -> MessageBuilder:
    """Return a message on a review's progress. `told` says whether the message will turn into the review by itself."""
    return progress_message(reviewed, context.language, told=told, back=way_back(context, reviewed.snapshot))


@dataclass(slots=True)
class _Wait:
    """A user's wait for a review, which will replace the message in which they asked. Times are in seconds since the epoch."""

    context: Context
    reviewed: Reviewed
    asked_at: float
    told_at: float

    async def go_on(self) -> int | None:
        """Show the review if it is done, otherwise its progress every few seconds. See `Following.wait`."""
        context, now = self.context, self.context.core.now()
        self.reviewed = reviewed = await context.core.service(Reviews).progress(self.reviewed)
        if context.interaction.is_expired():
            return None
        if reviewed.done:
            await context.reply.show(await _page_message(context, reviewed))
            return None
        told = now - self.asked_at < TOLD_FOR
        if not told or now - self.told_at >= TELL_EVERY:
            self.told_at = now
            await context.reply.show(review_progress(context, reviewed, told=told))
        return reviewed.progress[0] if told else None


@handles("review", tokens=Tokens((is_word,), least=0))
async def _review(context: Context, click: Click) -> None:
    await show_review(context, click.table, click.page, before=BEFORE in click.tokens)


@handles("review-page", tokens=Tokens((is_number,)))
async def _review_page(context: Context, click: Click) -> None:
    await show_review(context, click.table, int(click.tokens[0]))


async def finished_review(context: Context, click: Click) -> tuple[Reviewed, Perspective] | None:
    """Return a game's finished review and the user's perspective, or None after showing the progress of an unfinished one."""
    reviewed = await asked_review(context, click.table)
    return None if reviewed is None else (reviewed, looking_back_for(context, reviewed.snapshot))


def _marked(reviewed: Reviewed, click: Click) -> Marked:
    """Return the marked move that a click names. Raises Refused if the move has no mark."""
    number = int(click.tokens[0])
    found = next((point for point in reviewed.course.marked(reviewed.review) if point.moment.number == number), None)
    if found is None:
        raise too_old()
    return found


@handles("review-moves")
async def _review_moves(context: Context, click: Click) -> None:
    if (found := await finished_review(context, click)) is not None:
        await context.reply.show(moves_message(*found, click.page))


@handles("review-move", tokens=Tokens((is_number,)))
async def _review_move(context: Context, click: Click) -> None:
    if (found := await finished_review(context, click)) is not None:
        reviewed, perspective = found
        await context.reply.show(await marked_message(reviewed, _marked(reviewed, click), perspective))


@handles("review-line", tokens=Tokens((is_number,)))
async def _review_line(context: Context, click: Click) -> None:
    """Work out how the game could have gone on after the better move, and show it."""
    if (found := await finished_review(context, click)) is None:
        return
    reviewed, perspective = found
    point = _marked(reviewed, click)
    seen = replace(perspective, seat=point.moment.seat, revealed=False)

    values = await in_share(example_question, reviewed.course, point)
    example = await ask_expert(context, play_example, *values)
    made = await in_turn_once(context, (click, seen), lambda: example_animation(reviewed.snapshot, seen, example))
    await context.reply.show(example_message(reviewed, point, example, made, seen, click.page))


HANDLERS: Final = (_review, _review_line, _review_move, _review_moves, _review_page)
