"""Plans at work: what players have planned is played as soon as it answers something, in the same transaction.

A conditional move answers exactly the action and position it was planned for; anything that a plan does not foresee empties its
replies. Standing orders are asked about everything that is played (see `engines.orders`).

A plan never keeps others from playing: illegal parts are left out. What it plays is an entry of the log like any other, and the
operator learns only that one has failed.
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
"""The most entries that plans may add in a row: more than all the replies and orders of a full table."""

Result = TypeVar("Result")

log = structlog.get_logger(__name__)


async def play(change: Change, entry: Entry) -> None:
    """Append an action or a departure to the log of a game, and then the answers of plans."""
    snapshot = change.snapshot
    plans = {plan.seat: plan for plan in snapshot.plans if _sits(snapshot, plan)}
    history, plans_now = with_answers(change.history.with_new_entry(entry), plans)
    await change.extend(history)
    if plans_now:
        await _put_plans(change, plans_now)


def with_answers(history: History, plans: BySeat) -> tuple[History, BySeat]:
    """Return a game after all that plans play in answer to its newest entry and to each other, and the plans then."""
    began = history.version
    for _ in range(ANSWERS_AT_MOST if plans else 0):
        plans, longer = _next_answer(history, plans, began)
        if longer is None:
            break
        history = longer
    return history, plans


async def tidy(change: Change, *, over: bool) -> None:
    """Drop the plans of those who have left, all plans when the game is `over`, and all replies after an undo."""
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
    """Return the plans after a log's newest entry, and the log with the next answer, if any; all answer entry `began`."""
    if not history.to_act:
        return plans, None
    plans, longer = _answer_by_reply(history, plans)
    return (plans, longer) if longer is not None else _answer_by_order(history, plans, began)


def _answer_by_reply(history: History, plans: BySeat) -> tuple[BySeat, History | None]:
    """As `_next_answer`, from conditional moves."""
    last, longer = history.log[-1].entry, None
    after = dict(plans)
    for plan in _in_turn(last.seat, history.seats, plans):
        if not plan.replies or (plan.seat == last.seat and last.fired):
            continue  # a reply that was just played has left what is planned after it
        after[plan.seat] = replace(plan, replies=())
        for reply in plan.replies if longer is None and plan.seat != last.seat and last.kind is EntryKind.PLAY else ():
            if reply.theirs == last.tokens and (longer := _with_planned(history, plan, reply.mine)) is not None:
                after[plan.seat] = replace(plan, replies=reply.then)
    return after, longer


def _answer_by_order(history: History, plans: BySeat, began: int) -> tuple[BySeat, History | None]:
    """As `_next_answer`, from standing orders."""
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
            # Who comes later is asked again about what is played now, and else nothing has come of it.
            fired = _with_planned(history, plans[seat], response.action) if longer is None else None
            longer, response = (longer, Response(None, orders)) if fired is None else (fired, response)
        after[seat] = replace(plans[seat], orders=tuple(response.orders))
    return after, longer


def _in_turn(seat: int, seats: int, plans: BySeat) -> Iterator[Plan]:
    """Return the plans of the seats after one that has acted, as they sit; its own comes last."""
    order = (number % seats for number in range(seat + 1, seat + seats + 1))
    return (plans[number] for number in order if number in plans)


def _occasion(history: History, number: int, origin: Happened[object] | None = None) -> Happened[object]:
    """Return an entry, which answers `origin`, as standing orders are asked about it."""
    logged = history.log[number - 1]
    before = history.log[number - 2].state if number > 1 else history.first
    action = logged.entry.tokens if logged.entry.kind is EntryKind.PLAY else ()
    return Happened(logged.entry.seat, action, before, Step(logged.state, logged.events), origin)


def _with_planned(history: History, plan: Plan, action: Action) -> History | None:
    """Return the log with the action that a plan plays now, or None if it is no longer legal."""
    last = history.log[-1].entry
    entry = Entry(
        table_id=plan.table_id, number=history.version + 1, kind=EntryKind.PLAY, seat=plan.seat, tokens=tuple(action),
        user_id=plan.user_id, at=last.at, fired=True,
    )  # fmt: skip

    def play_if_legal() -> History | None:
        return history.with_new_entry(entry) if is_whole(history.game, history.state, plan.seat, entry.tokens) else None

    return _safely(history, play_if_legal, None)


def _safely(history: History, work: Callable[[], Result], otherwise: Result) -> Result:
    """Return what `work` on a plan returns, or `otherwise` if it fails. The click goes on; the operator learns only that."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - a plan never keeps others from playing
        log.error("a plan failed, and was left out", table=history.log[-1].entry.table_id, error=type(error).__name__)
        return otherwise
