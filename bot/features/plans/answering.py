"""Plays what players have planned, in the same transaction as the entry that it answers.

A conditional move answers exactly the action and position for which it was planned. Anything that a plan does not foresee
empties its replies. Standing orders are consulted about everything that is played (see `engines.orders`).

A plan never keeps others from playing, since its illegal parts are left out. What it plays is an ordinary entry of the log. If
a plan fails, the operator learns that it failed, but nothing of what is in it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

import structlog

from bot.core.change import Change
from bot.core.parts import BySeat
from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot
from bot.features.plans import sql
from engines.game import Action, Happened, Orders, Response, Step, is_whole, part_of
from storage.schema.records import Entry, EntryKind, Plan

ANSWERS_AT_MOST: Final = 300
"""The maximum number of entries that plans may add in a row. It exceeds all the replies and orders of a full table."""

Result = TypeVar("Result")

log = structlog.get_logger(__name__)


async def play(change: Change, entry: Entry) -> None:
    """Append an action or a departure to a game's log, followed by what plans play in answer to it."""
    snapshot = change.snapshot
    plans = {plan.seat: plan for plan in snapshot.plans if _sits(snapshot, plan)}
    history, plans_now = with_answers(change.history.with_new_entry(entry), plans)
    await change.extend(history)
    if plans_now:
        await _put_plans(change, plans_now)


def with_answers(history: History, plans: BySeat) -> tuple[History, BySeat]:
    """Return the game after all answers from plans to its newest entry and to one another, and what is left of the plans."""
    began = history.version
    for _ in range(ANSWERS_AT_MOST if plans else 0):
        plans, longer = _next_answer(history, plans, began)
        if longer is None:
            break
        history = longer
    return history, plans


async def tidy(change: Change, *, over: bool) -> None:
    """Delete the plans of players who have left, or all plans if the game is `over`. After an undo, delete all replies."""
    snapshot, departed = change.snapshot, change.history.departed
    if not snapshot.plans:
        return
    gone = [plan for plan in snapshot.plans if over or plan.seat in departed or not _sits(snapshot, plan)]
    if gone:
        await sql.remove(change.writer, change.table.id, *(plan.user_id for plan in gone))
        change.snapshot = replace(snapshot, plans=tuple(plan for plan in snapshot.plans if plan not in gone))
    if any(logged.entry.kind is EntryKind.UNDO for logged in change.new_entries):
        await _put_plans(change, {plan.seat: replace(plan, replies=()) for plan in change.snapshot.plans})


def _sits(snapshot: Snapshot, plan: Plan) -> bool:
    players = snapshot.players
    return plan.seat < len(players) and players[plan.seat].user_id == plan.user_id


async def _put_plans(change: Change, plans: BySeat) -> None:
    revised = []
    for plan in change.snapshot.plans:
        now = plans.get(plan.seat, plan)
        if now != plan:
            now = replace(now, revision=plan.revision + 1)
            await sql.put(change.writer, now)
        revised.append(now)
    change.snapshot = replace(change.snapshot, plans=tuple(revised))


def _next_answer(history: History, plans: BySeat, began: int) -> tuple[BySeat, History | None]:
    """Return the plans after the newest entry, and the game after any next answer. Entry `began` started the answering."""
    if not history.to_act:
        return plans, None
    plans, longer = _answer_by_reply(history, plans)
    return (plans, longer) if longer is not None else _answer_by_order(history, plans, began)


def _answer_by_reply(history: History, plans: BySeat) -> tuple[BySeat, History | None]:
    """Return the same as `_next_answer`, but looking only at conditional moves."""
    last, longer = history.log[-1].entry, None
    after = dict(plans)
    for plan in _in_turn(last.seat, history.seats, plans):
        if not plan.replies or (plan.seat == last.seat and last.fired):
            continue  # after a reply has just been played, only the replies planned after it are left
        after[plan.seat] = replace(plan, replies=())
        for reply in plan.replies if longer is None and plan.seat != last.seat and last.kind is EntryKind.PLAY else ():
            if reply.theirs == last.tokens and (longer := _with_planned(history, plan, reply.mine)) is not None:
                after[plan.seat] = replace(plan, replies=reply.then)
    return after, longer


def _answer_by_order(history: History, plans: BySeat, began: int) -> tuple[BySeat, History | None]:
    """Return the same as `_next_answer`, but looking only at standing orders."""
    origin = None if began == history.version else _occasion(history, began)
    standing, happened = part_of(history.game, Orders), _occasion(history, history.version, origin)
    asked: Sequence[int] = [
        plan.seat for plan in _in_turn(happened.seat, history.seats, plans) if plan.orders and plan.seat not in history.departed
    ]
    after, longer = dict(plans), None
    for seat in _safely(history, partial(standing.asked_in_turn, happened, asked), asked) if asked else ():
        orders = plans[seat].orders
        response = _safely(history, partial(standing.respond, happened, seat, orders), Response(None, orders))
        if response.action is not None:
            # Later seats are asked again about what is played now; their response to the earlier entry changes nothing.
            fired = _with_planned(history, plans[seat], response.action) if longer is None else None
            longer, response = (longer, Response(None, orders)) if fired is None else (fired, response)
        after[seat] = replace(plans[seat], orders=tuple(response.orders))
    return after, longer


def _in_turn(seat: int, seats: int, plans: BySeat) -> Iterator[Plan]:
    """Yield the plans in order of seats, beginning after the seat that has acted. Its own plan comes last."""
    order = (number % seats for number in range(seat + 1, seat + seats + 1))
    return (plans[number] for number in order if number in plans)


def _occasion(history: History, number: int, origin: Happened[object] | None = None) -> Happened[object]:
    """Return entry `number` as standing orders see it. `origin` is the entry that began the answering, if it is another one."""
    logged = history.log[number - 1]
    before = history.log[number - 2].state if number > 1 else history.first
    action = logged.entry.tokens if logged.entry.kind is EntryKind.PLAY else ()
    return Happened(logged.entry.seat, action, before, Step(logged.state, logged.events), origin)


def _with_planned(history: History, plan: Plan, action: Action) -> History | None:
    """Return the game after the action that a plan plays now, or None if the action is no longer legal."""
    last = history.log[-1].entry
    entry = Entry(
        table_id=plan.table_id, number=history.version + 1, kind=EntryKind.PLAY, seat=plan.seat, tokens=tuple(action),
        user_id=plan.user_id, at=last.at, fired=True,
    )  # fmt: skip

    def play_if_legal() -> History | None:
        return history.with_new_entry(entry) if is_whole(history.game, history.state, plan.seat, entry.tokens) else None

    return _safely(history, play_if_legal, None)


def _safely(history: History, work: Callable[[], Result], otherwise: Result) -> Result:
    """Return what `work` on a plan returns, or `otherwise` if it fails. The operator then learns only that it failed."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - a plan never keeps others from playing
        log.error("a plan failed, and was left out", table=history.log[-1].entry.table_id, error=type(error).__name__)
        return otherwise
