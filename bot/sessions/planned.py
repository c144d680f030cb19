"""Plans at work: what players have planned ahead is played as soon as it answers something, in the same transaction.

A conditional move answers exactly the action that it was planned for, in the position that it was planned for: the replies of a
plan are always about the position as it is, and whatever they do not foresee empties them. Standing orders are asked about
everything that is played (see `engines.orders`). Whatever a plan says, it never keeps others from playing: what is not legal is
left out.

Nothing of a plan is public: what it plays is an entry of the log like any other, and the operator is told no more than that one
has failed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias, TypeVar

import structlog

from bot.sessions.history import History
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from engines.game import Action, Happened, Response, Step
from storage.records import Entry, EntryKind, Plan
from storage.store import Writer

ANSWERS_AT_MOST: Final = 300
"""How many entries plans may add in a row: more than all the replies and orders of a full table."""

BySeat: TypeAlias = Mapping[int, Plan]

Found = TypeVar("Found")

log = structlog.get_logger(__name__)


async def play(
    repository: Repository, writer: Writer, snapshot: Snapshot, history: History, entry: Entry
) -> tuple[Snapshot, History]:
    """Append an entry to the log of a game, and after it everything that plans make of it.

    Args:
        repository: the repository.
        writer: the transaction.
        snapshot: the table before the change, with the plans as they are.
        history: the game so far, to which others may have been added since.
        entry: what somebody plays, or that somebody leaves the game.

    Returns:
        The snapshot with the plans as they are now, and otherwise unchanged, and the game now.
    """
    history = await repository.append(writer, history, entry)
    longer, plans = answered(history, {plan.seat: plan for plan in snapshot.plans if _sits(snapshot, plan)})
    for logged in longer.log[history.version :]:
        await writer.append_later(logged.entry)
    return await _with_plans(writer, snapshot, plans), longer


def answered(history: History, plans: BySeat) -> tuple[History, BySeat]:
    """A game after everything that plans make of its newest entry, and of what they have made of it; and the plans then."""
    for _ in range(ANSWERS_AT_MOST if plans else 0):
        plans, longer = _went_on(history, plans)
        if longer is None:
            break
        history = longer
    return history, plans


async def tidy(writer: Writer, snapshot: Snapshot, history: History, *, over: bool) -> Snapshot:
    """Drop what nobody can have planned any more.

    That is everything when the game is over, the plans of those who have left their seats, and all replies once something was
    taken back, which leads to a position that they were not planned for.

    Args:
        writer: the transaction.
        snapshot: the table with the people who sit there now and its plans.
        history: the game now.
        over: whether it is over.
    """
    if not snapshot.plans:
        return snapshot
    gone = [plan for plan in snapshot.plans if over or plan.seat in history.departed or not _sits(snapshot, plan)]
    if gone:
        await writer.remove_plans(snapshot.table.id, *(plan.user_id for plan in gone))
    snapshot = replace(snapshot, plans=tuple(plan for plan in snapshot.plans if plan not in gone))
    before = 0 if snapshot.history is None else snapshot.history.version
    if all(logged.entry.kind is not EntryKind.UNDO for logged in history.log[before:]):
        return snapshot
    return await _with_plans(writer, snapshot, {plan.seat: replace(plan, replies=()) for plan in snapshot.plans})


def _sits(snapshot: Snapshot, plan: Plan) -> bool:
    """Whether a plan is that of whoever sits where it was made for."""
    players = snapshot.players
    return plan.seat < len(players) and players[plan.seat].user_id == plan.user_id


async def _with_plans(writer: Writer, snapshot: Snapshot, plans: BySeat) -> Snapshot:
    """The table with these plans; those that have changed are written, as another revision."""
    kept = []
    for plan in snapshot.plans:
        now = plans.get(plan.seat, plan)
        if now != plan:
            now = replace(now, revision=plan.revision + 1)
            await writer.put_plan(now)
        kept.append(now)
    return replace(snapshot, plans=tuple(kept))


def _went_on(history: History, plans: BySeat) -> tuple[BySeat, History | None]:
    """What the newest entry of a log makes of the plans, and the log with the entry that one of them adds, if any does."""
    if not history.to_act:
        return plans, None
    plans, longer = _replied(history, plans)
    return (plans, longer) if longer is not None else _ordered(history, plans)


def _replied(history: History, plans: BySeat) -> tuple[BySeat, History | None]:
    """What comes of conditional moves."""
    last, longer = history.log[-1].entry, None
    after = dict(plans)
    for plan in _in_turn(last.seat, history.seats, plans):
        if not plan.replies or (plan.seat == last.seat and last.fired):
            continue  # a reply that was just played has left what is planned after it
        after[plan.seat] = replace(plan, replies=())
        for reply in plan.replies if longer is None and plan.seat != last.seat and last.kind is EntryKind.PLAY else ():
            if reply.theirs == last.tokens and (longer := _fired(history, plan, reply.mine)) is not None:
                after[plan.seat] = replace(plan, replies=reply.then)
    return after, longer


def _ordered(history: History, plans: BySeat) -> tuple[BySeat, History | None]:
    """What comes of standing orders."""
    game, happened = history.game, _happened(history)
    asked: Sequence[int] = [
        plan.seat for plan in _in_turn(happened.seat, history.seats, plans) if plan.orders and plan.seat not in history.departed
    ]
    after, longer = dict(plans), None
    for seat in _safely(history, partial(game.asked_in_turn, happened, asked), asked) if asked else ():
        orders = plans[seat].orders
        response = _safely(history, partial(game.respond, happened, seat, orders), Response(None, orders))
        if response.action is not None:
            # Who comes later is asked again about what is played now, and else nothing has come of it.
            fired = _fired(history, plans[seat], response.action) if longer is None else None
            longer, response = (longer, Response(None, orders)) if fired is None else (fired, response)
        after[seat] = replace(plans[seat], orders=tuple(response.orders))
    return after, longer


def _in_turn(seat: int, seats: int, plans: BySeat) -> Iterator[Plan]:
    """The plans of the seats after one that has acted, as they sit; its own comes last."""
    order = (number % seats for number in range(seat + 1, seat + seats + 1))
    return (plans[number] for number in order if number in plans)


def _happened(history: History) -> Happened[object]:
    """What the newest entry of a log has played."""
    last = history.log[-1]
    before = history.log[-2].state if history.version > 1 else history.first
    action = last.entry.tokens if last.entry.kind is EntryKind.PLAY else ()
    return Happened(last.entry.seat, action, before, Step(last.state, last.events), answer=last.entry.fired)


def _fired(history: History, plan: Plan, action: Action) -> History | None:
    """The log with what a plan plays now; None if that is not legal any more."""
    last = history.log[-1].entry
    entry = Entry(
        table_id=plan.table_id, number=history.version + 1, kind=EntryKind.PLAY, seat=plan.seat, tokens=tuple(action),
        user_id=plan.user_id, at=last.at, fired=True,
    )  # fmt: skip

    def played() -> History | None:
        legal = history.game.is_whole(history.state, plan.seat, entry.tokens)
        return history.appended(entry) if legal else None

    return _safely(history, played, None)


def _safely(history: History, work: Callable[[], Found], otherwise: Found) -> Found:
    """What some work on a plan finds. If it fails, nobody else's click does, and the operator is told without its content."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - a plan never keeps others from playing
        log.error("a plan failed, and was left out", table=history.log[-1].entry.table_id, error=type(error).__name__)
        return otherwise
