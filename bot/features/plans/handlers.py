"""Handles the panel of plans: showing the tree of replies, and adding to it on the board played forward."""

from typing import Final

from bot.core.shares import in_share
from bot.core.table.errors import Refused, Stale
from bot.core.table.snapshot import Snapshot
from bot.features.plans import order_handlers as orders
from bot.features.plans.ahead import Ahead, Branch, expand, forward
from bot.features.plans.messages import ask_clear_message, plan_message, quoted
from bot.features.plans.picking import Adding, answering, confirm_message, kept_text, picking_message
from bot.features.plans.service import Plans
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.tables import at_table
from bot.messages.click import Click, is_number
from bot.messages.picking import Pick
from engines.actions import Action
from engines.game import Orders
from engines.text import Text, say, say_n

SURE: Final = "sure"
"""The token of the click that confirms clearing a plan."""


AT_BRANCH: Final = Tokens((is_number, is_number), more=is_word)
"""The tokens of a click in a plan: the plan's revision, the number of the branch, and the tokens picked so far."""


async def open_plan(context: Context, table_id: int) -> None:
    """Show the user their replies or standing orders, depending on the game. Raises Refused if nothing can be planned in it."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    game = snapshot.playing.game
    if isinstance(game, Orders):
        await orders.show_orders(context, snapshot)
    elif game.conditional:
        await _show(context, await _ahead(snapshot, seat))
    else:
        raise Refused(say("In {game} you can’t plan ahead: nobody knows what will turn up.", game=game.title))


async def _ahead(snapshot: Snapshot, seat: int) -> Ahead:
    return await in_share(Ahead.of, snapshot, seat, snapshot.plan_of(seat))


async def _show(context: Context, ahead: Ahead, number: int = 0, *, page: int | None = None, note: Text | None = None) -> None:
    """Show a plan at one of its branches. If the plan is empty, ask for the first pick instead."""
    told = "" if note is None else context.language(note, ahead.snapshot.names)
    branch = ahead.branch(number)
    if ahead.replies or ahead.other(branch) is None:
        await context.reply.show(await plan_message(ahead, branch, context.perspective(ahead.seat), page=page, note=told))
    else:
        await _pick_theirs(context, ahead, branch, (), note=told)


async def _at_branch(context: Context, click: Click) -> tuple[Ahead, Branch, Action] | None:
    """Return a click's plan, branch and further tokens. If the click is outdated, show the current plan and return None."""
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    if not snapshot.playing.game.conditional:
        await open_plan(context, click.table)
        return None
    ahead = await _ahead(snapshot, seat)
    revision, number, *tokens = click.tokens
    if click.version != snapshot.playing.version:
        await _show(context, ahead, note=say("The board has changed since. Here’s what’s left of your plan."))
    elif revision != str(ahead.plan.revision):
        await _show(context, ahead, note=say("Your plan has changed since. Here’s how it stands now."))
    else:
        return ahead, ahead.branch(int(number)), tuple(tokens)
    return None


@handles("plan", tokens=Tokens((is_number, is_number), least=0))
async def _plan(context: Context, click: Click) -> None:
    """Open the plan, or go to one of its branches if it is open."""
    if len(click.tokens) < 2:
        await open_plan(context, click.table)
    elif (found := await _at_branch(context, click)) is not None:
        ahead, branch, _ = found
        await _show(context, ahead, branch.number)


@handles("plan-go", "plan-page", tokens=Tokens((is_number, is_number, is_number), least=2))
async def _go(context: Context, click: Click) -> None:
    """Go to a reply chosen from the menu, or turn a page of the menu."""
    if (found := await _at_branch(context, click)) is not None:
        ahead, branch, chosen = found
        if chosen:
            await _show(context, ahead, int(chosen[0]))
        else:
            await _show(context, ahead, branch.number, page=click.page)


# --- adding a reply -------------------------------------------------------------------------------------------------------


def _adding(context: Context, ahead: Ahead, branch: Branch) -> Adding:
    return Adding(ahead=ahead, branch=branch, history=branch.history, perspective=context.perspective(ahead.seat))


async def _pick_theirs(
    context: Context, ahead: Ahead, branch: Branch, tokens: Action, *, page: int = 0, note: str = ""
) -> None:
    if ahead.other(branch) is None:
        return await _show(context, ahead, branch.number)
    adding = _adding(context, ahead, branch)
    picked = adding.picker.pick(expand(branch.history, tokens) or ())
    if picked.whole:
        return await _take_theirs(context, adding, picked)
    await context.reply.show(await picking_message(adding, picked, page=page, note=note))
    return None


async def _take_theirs(context: Context, adding: Adding, picked: Pick) -> None:
    """Take another player's complete action as the one to answer. If the user could not reply to it, ask for another."""
    answered = forward(adding.history, picked.prefix)
    assert answered is not None, "what is offered can be played"
    if adding.ahead.seat in answered.to_act:
        await _pick_mine(context, answering(adding, picked.prefix, answered), ())
    else:
        last = quoted(answered.action_words(answered.log[-1]))
        note = context.language(say("You can’t reply to {action}: it isn’t your turn after that.", action=last))
        await context.reply.show(await picking_message(adding, adding.picker.back(picked.prefix), note=note))


@handles("plan-if", tokens=AT_BRANCH)
async def _if(context: Context, click: Click) -> None:
    if (found := await _at_branch(context, click)) is not None:
        ahead, branch, tokens = found
        await _pick_theirs(context, ahead, branch, tokens, page=click.page)


@handles("plan-stop", tokens=AT_BRANCH)
async def _stop(context: Context, click: Click) -> None:
    """Take the action picked for the other player as complete, although more tokens could follow."""
    if (found := await _at_branch(context, click)) is None:
        return
    ahead, branch, tokens = found
    adding = _adding(context, ahead, branch)
    picked = adding.picker.pick(expand(branch.history, tokens) or ())
    if picked.final:
        await _take_theirs(context, adding, picked)
    else:
        await _show(context, ahead, branch.number)


async def _pick_mine(context: Context, adding: Adding, tokens: Action, *, page: int = 0) -> None:
    picked = adding.picker.pick(tokens)
    if picked.whole:
        await _confirm(context, adding, picked.prefix)
    else:
        await context.reply.show(await picking_message(adding, picked, page=page))


async def _confirm(context: Context, adding: Adding, mine: Action) -> None:
    after, planned = forward(adding.history, mine), adding.previous
    if after is None:
        await _pick_mine(context, adding, ())
    elif planned is not None and planned.reply.mine == mine:
        await _show(context, adding.ahead, planned.number, note=say("That’s in your plan already."))
    else:
        await context.reply.show(await confirm_message(adding, mine, after))


async def _replying(context: Context, click: Click) -> tuple[Adding, Action] | None:
    """Return the reply being added and its answer's tokens. If it has become impossible, show the plan and return None."""
    if (found := await _at_branch(context, click)) is None:
        return None
    ahead, branch, tokens = found
    theirs = expand(branch.history, tokens[:1])
    answered = forward(branch.history, theirs) if theirs and ahead.other(branch) is not None else None
    mine = None if answered is None or ahead.seat not in answered.to_act else expand(answered, tokens[1:])
    if not theirs or answered is None or mine is None:
        await _show(context, ahead, branch.number)
        return None
    adding = _adding(context, ahead, branch)
    return answering(adding, theirs, answered), mine


@handles("plan-then", tokens=AT_BRANCH)
async def _then(context: Context, click: Click) -> None:
    if (found := await _replying(context, click)) is not None:
        adding, mine = found
        await _pick_mine(context, adding, mine, page=click.page)


@handles("plan-so", tokens=AT_BRANCH)
async def _so(context: Context, click: Click) -> None:
    """Take the action picked as the user's answer as complete, although more tokens could follow."""
    if (found := await _replying(context, click)) is not None:
        await _confirm(context, *found)


@handles("plan-keep", tokens=AT_BRANCH)
async def _keep(context: Context, click: Click) -> None:
    if (found := await _replying(context, click)) is None:
        return None
    adding, mine = found
    ahead, after = adding.ahead, forward(adding.history, mine)
    if after is None:
        return await _pick_mine(context, adding, ())
    plans, table_id = context.core.service(Plans), click.table
    try:
        planned = await plans.add_reply(
            table_id, context.user, ahead.plan.revision, adding.branch.path, adding.theirs, mine, version=click.version
        )
    except Stale:
        return await _show_changed(context, click)
    now = await in_share(Ahead.of, planned.snapshot, planned.seat, planned.plan)
    added = now.answer(now.branch_at(adding.branch.path), adding.theirs)
    await _show(context, now, 0 if added is None else added.number, note=kept_text(adding, after))
    return None


# --- removing -------------------------------------------------------------------------------------------------------------


@handles("plan-drop", tokens=AT_BRANCH)
async def _drop(context: Context, click: Click) -> None:
    if (found := await _at_branch(context, click)) is None:
        return None
    ahead, branch, _ = found
    if not branch.number:
        return await _show(context, ahead)
    parent = ahead.parent(branch)
    try:
        planned = await context.core.service(Plans).remove_reply(
            click.table, context.user, ahead.plan.revision, branch.path, version=click.version
        )
    except Stale:
        return await _show_changed(context, click)
    now = await in_share(Ahead.of, planned.snapshot, planned.seat, planned.plan)
    note = say_n("Removed {n} reply.", "Removed {n} replies.", 1 + ahead.below(branch))
    await _show(context, now, parent.number, note=note)
    return None


@handles("plan-clear", tokens=AT_BRANCH)
async def _clear(context: Context, click: Click) -> None:
    if (found := await _at_branch(context, click)) is None:
        return None
    ahead, _, tokens = found
    if SURE not in tokens:
        await context.reply.show(ask_clear_message(ahead, context.perspective(ahead.seat)))
        return None
    try:
        planned = await context.core.service(Plans).clear(click.table, context.user, ahead.plan.revision)
    except Stale:
        return await _show_changed(context, click)
    now = await in_share(Ahead.of, planned.snapshot, planned.seat, planned.plan)
    await _show(context, now, note=say("Your plan is empty again."))
    return None


async def _show_changed(context: Context, click: Click) -> None:
    """Show the current plan after a change to it was refused because the plan had changed meanwhile."""
    snapshot, seat = await at_table(context, await context.fresh(click.table))
    await _show(context, await _ahead(snapshot, seat), note=say("Your plan has changed since. Here’s how it stands now."))


HANDLERS: Final = (_plan, _go, _if, _stop, _then, _so, _keep, _drop, _clear)
