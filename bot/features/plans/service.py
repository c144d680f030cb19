"""Stores conditional moves and standing orders, which only their owner knows. Changing them does not change the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.change import changing
from bot.core.parts import Part, Service
from bot.core.play import bad_action, still_in
from bot.core.table.errors import BadAction, Refused, Stale
from bot.core.table.snapshot import Snapshot, User
from bot.features.plans import answering, sql
from bot.features.plans.tree import Path, along, played_forward, with_reply, without
from engines.actions import with_possible
from engines.game import Action, Choice, Game, IllegalAction, Orders, check, part_of
from engines.text import say
from storage.schema.records import Plan, Status

MOST_ORDERS: Final = 25


@dataclass(frozen=True, slots=True)
class Planned:
    """A player's plan, with its table and seat. If its revision is 0, nothing has ever been planned here."""

    snapshot: Snapshot
    seat: int
    plan: Plan

    @property
    def game(self) -> Game[Any, Any]:
        """The rules of the table's game."""
        return self.snapshot.playing.game

    def position(self, path: Path = ()) -> Any:
        """Return the state after the replies along `path` and the actions they answer. Raises Stale if one is impossible."""
        return played_forward(self.snapshot.playing, self.seat, along(self.plan.replies, path))


def player_plan(snapshot: Snapshot, user: User) -> Planned:
    """Return a player's plan in a running game. Raises WrongStage, NotSeated, or Refused if the player has left the game."""
    snapshot.require(Status.PLAYING)
    seat = still_in(snapshot, user)
    return Planned(snapshot, seat, snapshot.plan_of(seat))


class Plans(Service):
    """What players have planned, and the ways to change it.

    Methods that change a plan take the `revision` that its owner has seen, or None. For replies they also take the `version` of
    the board. They raise Stale if either has changed. All methods raise what `player_plan` raises.
    """

    async def of(self, table_id: int, user: User) -> Planned:
        """Return what a player has planned at a table: replies or standing orders. The plan may be empty."""
        return player_plan(await self._core.snapshot(table_id, asked_by=user.id), user)

    async def add_reply(
        self,
        table_id: int,
        user: User,
        revision: int | None,
        path: Path,
        theirs: Action,
        mine: Action,
        *,
        version: int | None = None,
    ) -> Planned:
        """Plan a reply to an action after the replies along `path`. It replaces any other reply to the same action.

        Raises:
            Refused: the game has no conditional moves or would be over, it is the player's turn, or there are too many replies.
            BadAction: one of the actions is not legal there.
        """

        def revise(before: Planned) -> Plan:
            _check_reply(before, path, theirs, mine)
            return replace(before.plan, replies=with_reply(before.plan.replies, path, tuple(theirs), tuple(mine)))

        return await self._change(table_id, user, revise, revision, version)

    async def remove_reply(
        self, table_id: int, user: User, revision: int | None, path: Path, *, version: int | None = None
    ) -> Planned:
        """Delete the reply at the end of `path` and all that follow it, or all replies if the path is empty."""
        return await self._change(
            table_id, user, lambda before: replace(before.plan, replies=without(before.plan.replies, path)), revision, version
        )

    async def add_order(self, table_id: int, user: User, revision: int | None, order: Action) -> Planned:
        """Give a standing order.

        Raises:
            Refused: the game has no standing orders, the same order has already been given, or there are too many.
            BadAction: the game has no such order, or this seat cannot give it now.
        """

        def revise(before: Planned) -> Plan:
            _check_order(before, tuple(order))
            return replace(before.plan, orders=(*before.plan.orders, tuple(order)))

        return await self._change(table_id, user, revise, revision)

    async def remove_order(self, table_id: int, user: User, revision: int | None, order: Action) -> Planned:
        """Take back a standing order. Raises Stale if it is gone."""

        def revise(before: Planned) -> Plan:
            if order not in before.plan.orders:
                raise Stale(say("That order is gone. Here are the ones you have."))
            return replace(before.plan, orders=tuple(other for other in before.plan.orders if other != order))

        return await self._change(table_id, user, revise, revision)

    async def clear(self, table_id: int, user: User, revision: int | None = None) -> Planned:
        """Delete everything that a player has planned at a table."""
        return await self._change(table_id, user, lambda before: replace(before.plan, replies=(), orders=()), revision)

    async def _change(
        self,
        table_id: int,
        user: User,
        revise: Callable[[Planned], Plan],
        revision: int | None = None,
        version: int | None = None,
    ) -> Planned:
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            before = player_plan(snapshot, user)
            if revision not in {None, before.plan.revision} or version not in {None, snapshot.table.version}:
                raise Stale(say("Your plan or the board has changed since. Here’s what you’ve planned now."))
            plan = revise(before)
            if plan == before.plan:
                return before
            plan = replace(plan, revision=plan.revision + 1)
            await sql.put(change.writer, plan)
            others = (other for other in snapshot.plans if other.user_id != user.id)
            plans = tuple(sorted((plan, *others), key=lambda one: one.seat))
        return Planned(replace(snapshot, plans=plans), before.seat, plan)


def _check_reply(before: Planned, path: Path, theirs: Action, mine: Action) -> None:
    game, seat = before.game, before.seat
    if not game.conditional:
        raise Refused(say("You can only plan ahead in games without luck or secrets."))
    if seat in before.snapshot.playing.to_act:
        raise Refused(say("It’s your turn! You can plan ahead while you’re waiting for others."))
    state = before.position(path)
    others = [other for other in game.to_act(state) if other != seat]
    if not others:
        raise Refused(say("The game would be over by then: there’s nothing left to plan."))
    try:
        after = game.play(state, others[0], theirs).state
        if seat not in game.to_act(after):
            raise Refused(say("It wouldn’t be your turn after that, so you can’t reply."))
        check(game, after, seat, tuple(mine))
    except IllegalAction as error:
        raise bad_action(error, before.snapshot) from error


def _check_order(before: Planned, order: Action) -> None:
    game, state, seat = before.game, before.snapshot.playing.state, before.seat
    if not isinstance(game, Orders):
        raise Refused(say("{game} has no standing orders.", game=game.title))
    if order in before.plan.orders:
        raise Refused(say("You’ve given that order already."))
    if len(before.plan.orders) >= MOST_ORDERS:
        raise Refused(say("You’ve given {most} orders, and there’s no room for more. Remove one first.", most=MOST_ORDERS))
    if not game.is_order(state, seat, order):
        possible = _possible(before, order)
        text = with_possible(say("There’s no such order."), possible)
        raise BadAction(text, tuple(choice.token for choice in possible), before.snapshot.names)


def _possible(before: Planned, order: Action) -> Sequence[Choice]:
    """Return the choices that could replace the first wrong token of an order, or that could complete it."""
    state, possible = before.snapshot.playing.state, list[Choice]()
    for seen in range(len(order) + 1):
        following = part_of(before.game, Orders).order_choices(state, before.seat, order[:seen])
        possible = following or possible
        if seen == len(order) or all(choice.token != order[seen] for choice in following):
            break
    return possible


PART: Final = Part(name="plans", answers=answering)
