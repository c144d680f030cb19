"""*Share*: the card of a result, a replay or a page of a review, previewed privately and then posted."""

from typing import Final

from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot
from bot.features.replays.handlers import looking_back_for
from bot.features.replays.results import replay_preview
from bot.features.reviews.handlers import asked_review, review_progress
from bot.features.reviews.messages import review_preview
from bot.features.reviews.service import Reviews
from bot.features.sharing.messages import card_message
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.interactions.heavy import in_turn
from bot.interactions.sharing import check_postable, hindrance, post
from bot.messages.click import Click
from bot.messages.pictures import looking_back
from engines.text import say


async def show_card(context: Context, snapshot: Snapshot) -> None:
    """Privately show a game's card, with *Post here* if that is allowed. Raises Refused if the game may not be shown here."""
    refused = hindrance(context, snapshot)
    if refused is not None and not snapshot.may_be_shared_in(context.interaction.channel_id or 0):
        raise Refused(refused)
    reviewed = await context.core.service(Reviews).finished_review(snapshot)
    perspective = looking_back_for(context, snapshot)
    await context.reply.show(await card_message(snapshot, reviewed, perspective, refused))


@handles("share")
async def _share(context: Context, click: Click) -> None:
    """Preview what *Post here* will post: the card if the game has a result, otherwise the replay."""
    snapshot = await context.snapshot(click.table)
    if snapshot.worth_sharing:
        await show_card(context, snapshot)
        return
    check_postable(context, snapshot)
    async with in_turn(context):
        await context.reply.show(await replay_preview(snapshot, looking_back(snapshot, None, context.language)))


@handles("post-replay")
async def _post_replay(context: Context, click: Click) -> None:
    await post(context, await context.snapshot(click.table))


@handles("post-card")
async def _post_card(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    if not snapshot.worth_sharing:
        raise Refused(say("This game has no result to share."))
    reviewed = await context.core.service(Reviews).finished_review(snapshot)
    await post(context, snapshot, None if reviewed is None else 0, card=True)


@handles("share-review")
async def _share_review(context: Context, click: Click) -> None:
    """Preview what *Post here* will post: the card if this is the review's summary, otherwise the review's page."""
    if (reviewed := await asked_review(context, click.table)) is None:
        return
    snapshot = reviewed.snapshot
    page = min(click.page, len(reviewed.course.turning_points(reviewed.review)))
    if page == 0 and snapshot.worth_sharing:
        await show_card(context, snapshot)
        return
    check_postable(context, snapshot)
    perspective = looking_back(snapshot, None, context.language)
    await context.reply.show(await review_preview(reviewed, perspective, page))


@handles("post-review")
async def _post_review(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    reviewed = await context.core.service(Reviews).ask(snapshot)
    if not reviewed.done:
        await context.reply.show(review_progress(context, reviewed))
        return
    await post(context, snapshot, min(click.page, len(reviewed.course.turning_points(reviewed.review))))


HANDLERS: Final = (_post_card, _post_replay, _post_review, _share, _share_review)
