"""What the owner of a plan may do with it, and that nobody else notices."""

from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import BadAction, NotSeated, Refused, Stale, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import size
from bot.features.plans.service import MOST_ORDERS, Planned, Plans
from bot.features.plans.tree import MOST_REPLIES
from engines.game import Action, Orders, legal_actions, part_of
from storage.schema.records import Reply
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, jobs, started
from tests.storage.dump import everything

PUCKS = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=2, options={"setup": "random"})
A, B = ("b2", "b3"), ("b7", "b6")
C, D = ("c2", "c3"), ("c7", "c6")


async def waiting(core: Core) -> int:
    """A table of Bouncers where Ann is to move, and Ben may plan ahead."""
    return (await started(core)).table.id


@pytest.fixture
async def table_id(core: Core) -> int:
    return await waiting(core)


async def plan(core: Core, table_id: int, path: tuple[int, ...], theirs: Action, mine: Action) -> Planned:
    """Have Ben plan a reply to what he sees now."""
    seen = await core.service(Plans).of(table_id, BEN)
    version = seen.snapshot.table.version
    return await core.service(Plans).add_reply(table_id, BEN, seen.plan.revision, path, theirs, mine, version=version)


async def test_a_tree_of_replies_is_kept_with_what_comes_after_each(core: Core, table_id: int) -> None:
    empty = await core.service(Plans).of(table_id, BEN)
    assert (empty.seat, empty.plan.revision, empty.plan.idle) == (1, 0, True)
    await plan(core, table_id, (), A, B)
    await plan(core, table_id, (0,), C, D)
    kept = await plan(core, table_id, (), C, D)
    assert (kept.plan.replies, kept.plan.revision) == ((Reply(A, B, (Reply(C, D),)), Reply(C, D)), 3)
    again = await core.service(Plans).of(table_id, BEN)
    assert (again.plan, again.snapshot, again.seat) == (kept.plan, kept.snapshot, 1)


async def test_replies_lead_to_the_same_position_as_playing(core: Core, table_id: int) -> None:
    await plan(core, table_id, (), A, B)
    ahead = (await plan(core, table_id, (0,), C, D)).position((0, 0))
    for user, action in ((ANN, A), (BEN, B), (ANN, C), (BEN, D)):
        await core.service(Plans).clear(table_id, BEN)
        played = await core.service(Play).act(table_id, user, action)
    assert ahead == played.snapshot.playing.state


async def test_another_answer_to_the_same_action_replaces_the_first(core: Core, table_id: int) -> None:
    for path, theirs, mine in (((), C, D), ((), A, B), ((1,), C, D)):
        await plan(core, table_id, path, theirs, mine)
    assert (await plan(core, table_id, (), A, B)).plan.revision == 3, "the same answer changes nothing"
    assert (await plan(core, table_id, (), A, D)).plan.replies == (Reply(C, D), Reply(A, D))


async def test_a_reply_goes_with_all_that_was_planned_after_it(core: Core, table_id: int) -> None:
    for path, theirs, mine in (((), A, B), ((0,), C, D), ((), C, D)):
        await plan(core, table_id, path, theirs, mine)
    assert (await core.service(Plans).remove_reply(table_id, BEN, 3, (0, 0))).plan.replies == (Reply(A, B), Reply(C, D))
    assert (await core.service(Plans).remove_reply(table_id, BEN, 4, (0,))).plan.replies == (Reply(C, D),)
    assert (await core.service(Plans).remove_reply(table_id, BEN, 5, ())).plan.replies == ()


async def test_forty_replies_can_be_planned_and_no_more(core: Core, table_id: int) -> None:
    history = (await core.snapshot(table_id)).playing
    firsts = list(legal_actions(history.game, history.state, 0))[:6]
    for n, first in enumerate(firsts):
        seen = await plan(core, table_id, (), first, B)
        replies = list(legal_actions(history.game, seen.position((n,)), 0))
        for reply in replies[:6]:
            if size(seen.plan.replies) < MOST_REPLIES:
                answer = next(legal_actions(history.game, history.game.play(seen.position((n,)), 0, reply).state, 1))
                seen = await plan(core, table_id, (n,), reply, answer)
    assert size(seen.plan.replies) == MOST_REPLIES
    unanswered = replies[6]
    with pytest.raises(Refused, match="40 replies"):
        await plan(core, table_id, (len(firsts) - 1,), unanswered, ("d7", "d6"))
    assert (await core.service(Plans).of(table_id, BEN)).plan == seen.plan
    changed = await plan(core, table_id, (), firsts[-1], D)
    assert size(changed.plan.replies) <= MOST_REPLIES, "one that takes the place of another always has room"


async def test_only_what_the_rules_allow_there_can_be_planned(core: Core, table_id: int) -> None:
    with pytest.raises(BadAction) as wrong:
        await plan(core, table_id, (), ("b7", "b6"), B)
    assert "b2" in wrong.value.possible
    with pytest.raises(BadAction) as wrong:
        await plan(core, table_id, (), A, ("b2", "b3"))
    assert "b7" in wrong.value.possible
    with pytest.raises(Stale, match="no longer in your plan"):
        await plan(core, table_id, (0,), A, B)
    with pytest.raises(Stale, match="no longer in your plan"):
        await core.service(Plans).remove_reply(table_id, BEN, None, (3,))
    with pytest.raises(Refused, match="your turn"):
        await core.service(Plans).add_reply(table_id, ANN, None, (), A, B)
    with pytest.raises(NotSeated):
        await core.service(Plans).of(table_id, CLEO)
    assert (await core.service(Plans).of(table_id, BEN)).plan.idle


async def test_nothing_is_planned_before_a_game_or_after_it_or_by_those_who_have_left(core: Core) -> None:
    lobby = await core.service(Lobby).open(ANN, BOUNCERS)
    with pytest.raises(WrongStage):
        await core.service(Plans).of(lobby.table.id, ANN)
    table_id = await waiting(core)
    await plan(core, table_id, (), A, B)
    await core.service(Play).resign(table_id, ANN)
    for doing in (core.service(Plans).of(table_id, BEN), core.service(Plans).clear(table_id, BEN)):
        with pytest.raises(WrongStage, match="is over"):
            await doing
    trio = (await started(core, replace(PUCKS, seats=3), BEN, CLEO)).table.id
    await core.service(Play).resign(trio, CLEO)
    with pytest.raises(Refused, match="left this game"):
        await core.service(Plans).add_order(trio, CLEO, 0, ("pass", "otherwise"))


async def test_the_second_of_two_simultaneous_changes_is_told_that_it_is_late(core: Core, table_id: int) -> None:
    await core.service(Plans).add_reply(table_id, BEN, 0, (), A, B, version=0)
    for late in (
        core.service(Plans).add_reply(table_id, BEN, 0, (), C, D, version=0),
        core.service(Plans).remove_reply(table_id, BEN, 0, (0,)),
        core.service(Plans).add_reply(table_id, BEN, 1, (), C, D, version=1),
    ):
        with pytest.raises(Stale, match="changed since"):
            await late
    assert (await core.service(Plans).of(table_id, BEN)).plan.replies == (Reply(A, B),)


async def test_a_reply_chosen_on_an_earlier_board_is_not_kept(core: Core, table_id: int) -> None:
    for user, action in ((ANN, A), (BEN, B)):
        await core.service(Play).act(table_id, user, action)
    with pytest.raises(Stale):
        await core.service(Plans).add_reply(table_id, BEN, 0, (), C, D, version=0)


async def test_standing_orders_are_given_in_their_order_and_taken_back(core: Core) -> None:
    table_id = (await started(core, PUCKS)).table.id
    await core.service(Plans).add_order(table_id, ANN, 0, ("whistle", "scores", "blue"))
    given = await core.service(Plans).add_order(table_id, ANN, 1, ("pass", "otherwise"))
    assert given.plan.orders == (("whistle", "scores", "blue"), ("pass", "otherwise"))
    with pytest.raises(Refused, match="given that order already"):
        await core.service(Plans).add_order(table_id, ANN, 2, ("pass", "otherwise"))
    with pytest.raises(BadAction, match="no such order") as wrong:
        await core.service(Plans).add_order(table_id, ANN, 2, ("whistle", "nonsense"))
    assert "scores" in wrong.value.possible
    possible = "Let a win stand unless another order stops it · Let every win stand until my next turn"
    for words in (("pass",), ("pass", "otherwise", "otherwise")):
        with pytest.raises(BadAction, match=rf"no such order\. You can pick {possible}\."):
            await core.service(Plans).add_order(table_id, ANN, 2, words)
    left = await core.service(Plans).remove_order(table_id, ANN, 2, ("whistle", "scores", "blue"))
    assert left.plan.orders == (("pass", "otherwise"),)
    with pytest.raises(Stale, match="order is gone"):
        await core.service(Plans).remove_order(table_id, ANN, 3, ("whistle", "scores", "blue"))
    assert (await core.service(Plans).clear(table_id, ANN)).plan.idle


async def test_twenty_five_orders_stand_at_most(core: Core) -> None:
    table_id = (await started(core, PUCKS)).table.id
    seen = await core.service(Plans).of(table_id, ANN)
    game, state = seen.game, seen.snapshot.playing.state
    known: list[Action] = [()]
    for _ in range(3):
        known += [(*order, choice.token) for order in known for choice in part_of(game, Orders).order_choices(state, 0, order)]
    orders = [order for order in dict.fromkeys(known) if part_of(game, Orders).is_order(state, 0, order)]
    for order in orders[:MOST_ORDERS]:
        await core.service(Plans).add_order(table_id, ANN, None, order)
    with pytest.raises(Refused, match="25 orders"):
        await core.service(Plans).add_order(table_id, ANN, None, orders[MOST_ORDERS])


async def test_each_game_has_plans_of_its_own_kind_or_none(core: Core) -> None:
    bouncers, pucks = await waiting(core), (await started(core, PUCKS)).table.id
    with pytest.raises(Refused, match="Bouncers has no standing orders"):
        await core.service(Plans).add_order(bouncers, BEN, 0, ("pass", "otherwise"))
    with pytest.raises(Refused, match="without luck or secrets"):
        await core.service(Plans).add_reply(pucks, BEN, 0, (), ("draw",), ("draw",))


async def test_a_plan_changes_nothing_that_anybody_else_can_see(core: Core, store: Store, table_id: int) -> None:
    before, owed = await everything(store), await jobs(core)
    await plan(core, table_id, (), A, B)
    await core.service(Plans).remove_reply(table_id, BEN, 1, (0,))
    await core.service(Plans).clear(table_id, BEN)
    after = await everything(store)
    assert after.pop("plans") != before.pop("plans")
    assert after == before
    assert await jobs(core) == owed
    assert (await core.service(Plans).of(table_id, ANN)).plan.idle, "Ann is shown her own"
    assert "b7" not in repr(await core.snapshot(table_id)).partition("history=")[0]
