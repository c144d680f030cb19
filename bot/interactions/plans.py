"""Planning ahead: the tree of replies, and adding to it, all of it on the board that is played forward."""

from typing import Final

from bot.interactions import orders
from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.interactions.playing import at_table
from bot.messages.click import Click
from bot.messages.picking import Pick
from bot.messages.plans import ask_clear_message, code, plan_message
from bot.messages.plans_picking import Adding, answering, confirm_message, kept, picking_message
from bot.messages.plans_tree import Ahead, Branch, forward, unabbreviated
from bot.sessions import Snapshot
from bot.sessions.errors import Refused, Stale
from engines.actions import Action
from engines.text import Text, say, say_n

SURE: Final = "sure"
"""The token of the click that clears a plan without another question."""


async def open_plan(context: Context, table_id: int) -> None:
    """Show the user what they have planned at a table: replies in one game, standing orders in another.

    Raises Refused where nothing can be planned.
    """
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    game = snapshot.playing.game
    if game.takes_orders:
        await orders.show_orders(context, snapshot)
    elif game.conditional:
        await _show(context, _ahead(snapshot, seat))
    else:
        raise Refused(say("In {game} you can’t plan ahead: nobody knows what will turn up.", game=game.title))


def _ahead(snapshot: Snapshot, seat: int) -> Ahead:
    return Ahead.of(snapshot, seat, snapshot.plan_of(seat))


async def _show(context: Context, ahead: Ahead, number: int = 0, *, page: int | None = None, note: Text | None = None) -> None:
    """Show a plan at one of its branches; if there is nothing in it yet, what can be planned first."""
    told = "" if note is None else context.language(note, ahead.snapshot.names)
    branch = ahead.branch(number)
    if ahead.replies or ahead.other(branch) is None:
        await context.reply.show(await plan_message(ahead, branch, context.perspective(ahead.seat), page=page, note=told))
    else:
        await _pick_theirs(context, ahead, branch, (), note=told)


async def _at_branch(context: Context, click: Click) -> tuple[Ahead, Branch, Action] | None:
    """The plan, the branch that was clicked on, and the further tokens of the click.

    If board or plan have changed since, the plan is shown as it is now, and the result is None.
    """
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    if not snapshot.playing.game.conditional:
        await open_plan(context, click.table)
        return None
    ahead = _ahead(snapshot, seat)
    revision, number, *tokens = click.tokens if len(click.tokens) > 1 else ("", "")
    if click.version != snapshot.playing.version:
        await _show(context, ahead, note=say("The board has changed since. Here’s what’s left of your plan."))
    elif revision != str(ahead.plan.revision) or not number.isdecimal():
        await _show(context, ahead, note=say("Your plan has changed since. Here’s how it stands now."))
    else:
        return ahead, ahead.branch(int(number)), tuple(tokens)
    return None


@handles("plan")
async def _plan(context: Context, click: Click) -> None:
    """Open the plan; from inside of it, at one of its branches."""
    if not click.tokens:
        await open_plan(context, click.table)
    elif (found := await _at_branch(context, click)) is not None:
        ahead, branch, _ = found
        await _show(context, ahead, branch.number)


@handles("plan-go", "plan-page")
async def _go(context: Context, click: Click) -> None:
    """Go to a reply that was chosen from the menu, or turn a page of the menu."""
    if (found := await _at_branch(context, click)) is not None:
        ahead, branch, chosen = found
        if chosen and chosen[0].isdecimal():
            await _show(context, ahead, int(chosen[0]))
        else:
            await _show(context, ahead, branch.number, page=click.page)


# --- adding a reply -------------------------------------------------------------------------------------------------------


def _adding(context: Context, ahead: Ahead, branch: Branch) -> Adding:
    """A reply of which nothing has been picked yet."""
    return Adding(ahead=ahead, branch=branch, history=branch.history, perspective=context.perspective(ahead.seat))


async def _pick_theirs(
    context: Context, ahead: Ahead, branch: Branch, tokens: Action, *, page: int = 0, note: str = ""
) -> None:
    if ahead.other(branch) is None:
        return await _show(context, ahead, branch.number)
    adding = _adding(context, ahead, branch)
    picked = adding.ways.pick(unabbreviated(branch.history, tokens) or ())
    if picked.whole:
        return await _take_theirs(context, adding, picked)
    await context.reply.show(await picking_message(adding, picked, page=page, note=note))
    return None


async def _take_theirs(context: Context, adding: Adding, picked: Pick) -> None:
    """An action that may be answered has been picked. If it cannot be, another one has to be."""
    answered = forward(adding.history, picked.prefix)
    assert answered is not None, "what is offered can be played"
    if adding.ahead.seat in answered.to_act:
        await _pick_mine(context, answering(adding, picked.prefix, answered), ())
    else:
        last = code(answered.log[-1].notation)
        note = context.language(say("There’s nothing to reply to {action}: after that, it isn’t your turn.", action=last))
        await context.reply.show(await picking_message(adding, adding.ways.back(picked.prefix), note=note))


@handles("plan-if")
async def _if(context: Context, click: Click) -> None:
    """A token of what the others may play was picked."""
    if (found := await _at_branch(context, click)) is not None:
        ahead, branch, tokens = found
        await _pick_theirs(context, ahead, branch, tokens, page=click.page)


@handles("plan-stop")
async def _stop(context: Context, click: Click) -> None:
    """What the others may play ends here, although it could go on."""
    if (found := await _at_branch(context, click)) is None:
        return
    ahead, branch, tokens = found
    adding = _adding(context, ahead, branch)
    picked = adding.ways.pick(unabbreviated(branch.history, tokens) or ())
    if picked.final:
        await _take_theirs(context, adding, picked)
    else:
        await _show(context, ahead, branch.number)


async def _pick_mine(context: Context, adding: Adding, tokens: Action, *, page: int = 0) -> None:
    picked = adding.ways.pick(tokens)
    if picked.whole:
        await _confirm(context, adding, picked.prefix)
    else:
        await context.reply.show(await picking_message(adding, picked, page=page))


async def _confirm(context: Context, adding: Adding, mine: Action) -> None:
    """Show a whole reply by name, unless it is in the plan already."""
    after, planned = forward(adding.history, mine), adding.replaced
    if after is None:
        await _pick_mine(context, adding, ())
    elif planned is not None and planned.reply.mine == mine:
        await _show(context, adding.ahead, planned.number, note=say("That’s in your plan already."))
    else:
        await context.reply.show(await confirm_message(adding, mine, after))


async def _replying(context: Context, click: Click) -> tuple[Adding, Action] | None:
    """The reply that a click adds, what it answers having been picked, and the tokens of what is played then."""
    if (found := await _at_branch(context, click)) is None:
        return None
    ahead, branch, tokens = found
    theirs = unabbreviated(branch.history, tokens[:1])
    answered = forward(branch.history, theirs) if theirs and ahead.other(branch) is not None else None
    mine = None if answered is None or ahead.seat not in answered.to_act else unabbreviated(answered, tokens[1:])
    if not theirs or answered is None or mine is None:
        await _show(context, ahead, branch.number)
        return None
    adding = _adding(context, ahead, branch)
    return answering(adding, theirs, answered), mine


@handles("plan-then")
async def _then(context: Context, click: Click) -> None:
    """A token of the user's own action was picked."""
    if (found := await _replying(context, click)) is not None:
        adding, mine = found
        await _pick_mine(context, adding, mine, page=click.page)


@handles("plan-so")
async def _so(context: Context, click: Click) -> None:
    """The user's own action ends here, although it could go on."""
    if (found := await _replying(context, click)) is not None:
        await _confirm(context, *found)


@handles("plan-keep")
async def _keep(context: Context, click: Click) -> None:
    """The reply that was shown by name is kept."""
    if (found := await _replying(context, click)) is None:
        return None
    adding, mine = found
    ahead, after = adding.ahead, forward(adding.history, mine)
    if after is None:
        return await _pick_mine(context, adding, ())
    plans, table_id = context.sessions.plans, click.table
    try:
        planned = await plans.add_reply(
            table_id, context.user, ahead.plan.revision, adding.branch.path, adding.theirs, mine, version=click.version
        )
    except Stale:
        return await _changed(context, click)
    now = Ahead.of(planned.snapshot, planned.seat, planned.plan)
    added = now.answer(now.branch_at(adding.branch.path), adding.theirs)
    await _show(context, now, 0 if added is None else added.number, note=kept(adding, after))
    return None


# --- removing -------------------------------------------------------------------------------------------------------------


@handles("plan-drop")
async def _drop(context: Context, click: Click) -> None:
    """Remove a reply, and all that follows it."""
    if (found := await _at_branch(context, click)) is None:
        return None
    ahead, branch, _ = found
    if not branch.number:
        return await _show(context, ahead)
    parent = ahead.parent(branch)
    try:
        planned = await context.sessions.plans.remove_reply(
            click.table, context.user, ahead.plan.revision, branch.path, version=click.version
        )
    except Stale:
        return await _changed(context, click)
    now = Ahead.of(planned.snapshot, planned.seat, planned.plan)
    note = say_n("Removed {n} reply.", "Removed {n} replies.", 1 + ahead.below(branch))
    await _show(context, now, parent.number, note=note)
    return None


@handles("plan-clear")
async def _clear(context: Context, click: Click) -> None:
    """Forget all replies, once it has been asked whether that is meant."""
    if (found := await _at_branch(context, click)) is None:
        return None
    ahead, _, tokens = found
    if SURE not in tokens:
        await context.reply.show(ask_clear_message(ahead, context.perspective(ahead.seat)))
        return None
    try:
        planned = await context.sessions.plans.clear(click.table, context.user, ahead.plan.revision)
    except Stale:
        return await _changed(context, click)
    now = Ahead.of(planned.snapshot, planned.seat, planned.plan)
    await _show(context, now, note=say("Your plan is empty again."))
    return None


async def _changed(context: Context, click: Click) -> None:
    """Show the plan as it is now, after something was refused because it had changed."""
    snapshot, seat = await at_table(context, await context.fresh(click.table))
    await _show(context, _ahead(snapshot, seat), note=say("Your plan has changed since. Here’s how it stands now."))


HANDLERS: Final = (_plan, _go, _if, _stop, _then, _so, _keep, _drop, _clear)
