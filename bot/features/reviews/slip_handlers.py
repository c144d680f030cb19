"""A person's slips in a finished game: trying again, seeing what the new action is worth, and seeing what was better."""

from typing import Final

from bot.core.listing import Lists
from bot.core.shares import in_share
from bot.features.reviews.handlers import finished_review
from bot.features.reviews.slip_messages import (
    SlipPanel,
    better_message,
    slip_message,
    slip_panel,
    tried_message,
    unweighed_words,
)
from bot.features.reviews.slips import at_slip
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.heavy import ask_expert
from bot.messages.click import Click, is_number
from engines.actions import Action
from engines.game import is_whole
from opponents.reviewing import try_again

NUMBER: Final = Tokens((is_number,))
"""The token of a click at a slip, which is the number of the slip's log entry."""

PICKED: Final = Tokens((is_number,), more=is_word)
"""The token of `NUMBER`, followed by the tokens picked so far."""


async def _panel(context: Context, click: Click) -> SlipPanel | None:
    """Return a panel for a click's slip, or for the first. None before the review is done. Raises Refused without slips."""
    if (found := await finished_review(context, click)) is None:
        return None
    reviewed, perspective = found
    number = int(click.tokens[0]) if click.tokens else None
    return slip_panel(await in_share(at_slip, reviewed, context.user.id, number), perspective)


async def _show(context: Context, panel: SlipPanel, tokens: Action = (), *, page: int = 0, note: str = "") -> None:
    picked = panel.pick(tokens)
    assert picked is not None, "somebody acted there"
    await context.reply.show(await slip_message(panel, picked, page=page, note=note, preview=context.settings.preview))


@handles("slip")
async def _first(context: Context, click: Click) -> None:
    if (panel := await _panel(context, click)) is not None:
        await _show(context, panel)


@handles("slip-at", tokens=NUMBER)
async def _at(context: Context, click: Click) -> None:
    if (panel := await _panel(context, click)) is not None:
        await _show(context, panel)


@handles("slip-pick", tokens=PICKED)
async def _pick(context: Context, click: Click) -> None:
    if (panel := await _panel(context, click)) is not None:
        await _show(context, panel, click.tokens[1:], page=click.page)


@handles("slip-play", tokens=PICKED)
async def _play(context: Context, click: Click) -> None:
    """Show what an action is worth.

    For the better action and for the slip itself, the review already says so. Any other action needs a computer's advice, which
    nobody gets while they play a rated game of this kind, even if that game began while the computer was thinking.
    """
    if (panel := await _panel(context, click)) is None:
        return
    at, action, lists = panel.at, click.tokens[1:], context.core.service(Lists)
    if not is_whole(at.history.game, at.history.state, at.seat, action):
        await _show(context, panel, action)
        return
    user_id, table = context.user.id, at.reviewed.snapshot.table
    tried = await in_share(at.known, action)
    if tried is None and await lists.may_have_advice(user_id, table.game, table.variant):
        thought = await ask_expert(context, try_again, *await in_share(at.question, action))
        tried = thought if await lists.may_have_advice(user_id, table.game, table.variant) else None
    if tried is None:
        await _show(context, panel, note=unweighed_words(panel, action))
    else:
        await context.reply.show(await tried_message(panel, action, tried))


@handles("slip-show", tokens=NUMBER)
async def _better(context: Context, click: Click) -> None:
    if (panel := await _panel(context, click)) is not None:
        await context.reply.show(await better_message(panel))


HANDLERS: Final = (_first, _at, _pick, _play, _better)
