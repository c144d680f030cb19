"""Looking back: replays, verification, results and leaderboards."""

from contextlib import nullcontext
from typing import Final

from bot.core.table.errors import Refused
from bot.core.table.request import require_game
from bot.core.table.snapshot import Snapshot, User
from bot.features.playing.handlers import with_way_back
from bot.features.puzzles.service import Puzzles
from bot.features.replays.results import HASHES, replay_message, replay_preview, seed_message, verdict_message
from bot.features.reviews.service import Reviews
from bot.features.sharing.messages import card_message
from bot.features.stats.messages import candidates_message, leaderboard_message, results_message
from bot.features.stats.ratings import Ratings
from bot.features.verify.service import Proof
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.heavy import in_turn
from bot.interactions.sharing import check_postable, hindrance, may_share, post
from bot.messages.click import Click
from bot.messages.pictures import looking_back
from engines.text import say
from renderers.summaries.leaderboard import LINES_AT_MOST

LOG: Final = "log"
"""The token of a click that asks for the log alone."""


async def show_replay(context: Context, table_id: int, *, animated: bool = True, public: bool = False) -> None:
    """Show the game so far as an animation, with its log as a file."""
    snapshot = await context.snapshot(table_id)
    if public:
        perspective = looking_back(snapshot, None, await context.public_language(snapshot))
    else:
        wanted = context.settings
        perspective = looking_back(
            snapshot, context.user.id, context.language, high_contrast=wanted.high_contrast, turned=wanted.turn_board
        )
    # The log of a finished game tells all its draws, for which the game is replayed.
    takes_long = animated or snapshot.table.is_over
    async with in_turn(context) if takes_long else nullcontext():
        log = await context.core.service(Proof).log(snapshot)
        message = await replay_message(
            snapshot, perspective, log, animated=animated, shareable=not public and may_share(context, snapshot)
        )
    await context.reply.show(with_way_back(context, snapshot, message))


async def show_card(context: Context, snapshot: Snapshot) -> None:
    """Show the user privately the card of a game with a result, and the line to copy, with *Post here* if they may post it.

    Raises Refused for a private game that may not be shown here.
    """
    refused = hindrance(context, snapshot)
    if refused is not None and not snapshot.may_be_shared_in(context.interaction.channel_id or 0):
        raise Refused(refused)
    reviewed = await context.core.service(Reviews).finished_review(snapshot)
    wanted = context.settings
    perspective = looking_back(
        snapshot, context.user.id, context.language, high_contrast=wanted.high_contrast, turned=wanted.turn_board
    )
    await context.reply.show(await card_message(snapshot, reviewed, perspective, refused))


@handles("share")
async def _share(context: Context, click: Click) -> None:
    """Show the user privately what *Post here* posts: the card of a game with a result, the replay of another game."""
    snapshot = await context.snapshot(click.table)
    if snapshot.worth_sharing:
        await show_card(context, snapshot)
        return
    check_postable(context, snapshot)
    async with in_turn(context):
        await context.reply.show(await replay_preview(snapshot, looking_back(snapshot, None, context.language)))


@handles("post-replay")
async def _post_replay(context: Context, click: Click) -> None:
    """Post the replay of a game in this channel, as spectators see it."""
    await post(context, await context.snapshot(click.table))


@handles("post-card")
async def _post_card(context: Context, click: Click) -> None:
    """Post the card of a game with a result in this channel."""
    snapshot = await context.snapshot(click.table)
    if not snapshot.worth_sharing:
        raise Refused(say("This game has no result to share."))
    reviewed = await context.core.service(Reviews).finished_review(snapshot)
    await post(context, snapshot, None if reviewed is None else 0, card=True)


@handles("replay", tokens=Tokens((is_word,), least=0))
async def _replay(context: Context, click: Click) -> None:
    await show_replay(context, click.table, animated=LOG not in click.tokens)


async def show_verdict(context: Context, table_id: int, *, hashes: bool = False) -> None:
    """Show whether a game was fair, in words; or the seed and the hashes with which everybody can check that themselves."""
    snapshot = await context.snapshot(table_id)  # raises NoSuchTable unless the user may look at the table
    async with in_turn(context):
        verdict = await context.core.service(Proof).verify(table_id, context.guild_id)
    if hashes:
        await context.reply.show(seed_message(verdict, context.language))
    else:
        await context.reply.show(with_way_back(context, snapshot, verdict_message(verdict, context.language)))


@handles("verify", tokens=Tokens((is_word,), least=0))
async def _verify(context: Context, click: Click) -> None:
    await show_verdict(context, click.table, hashes=HASHES in click.tokens)


async def show_results(context: Context, user: User, game: str | None) -> None:
    """Show the user privately the results of a user on this server; of their own also those at puzzles, on all servers."""
    if game is not None:
        require_game(game)
    results = await context.core.service(Ratings).results(context.guild_id, user.id, asked_by=context.user.id, game=game)
    own = await context.core.service(Puzzles).ratings_of(user.id) if user.id == context.user.id else ()
    shown = await results_message(
        user, results, _server_name(context), context.language, high_contrast=context.settings.high_contrast,
        puzzles=[rating for rating in own if game in {None, rating.game}],
    )  # fmt: skip
    await context.reply.show(shown)


async def show_leaderboard(context: Context, game: str) -> None:
    """Show everybody the leaderboard of this server at a game, or who is on the way to it."""
    require_game(game)
    ratings, language = context.core.service(Ratings), await context.public_language()
    standings = await ratings.leaderboard(context.guild_id, game, LINES_AT_MOST)
    if standings:
        message = await leaderboard_message(game, standings, _server_name(context), language)
    else:
        message = candidates_message(game, await ratings.candidates(context.guild_id, game, LINES_AT_MOST), language)
    await context.reply.show(message)


def _server_name(context: Context) -> str:
    guild = context.interaction.guild
    return guild.name if guild is not None else ""


HANDLERS: Final = (_post_card, _post_replay, _replay, _share, _verify)
