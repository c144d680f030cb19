"""Standing orders of Puck Bumpers at work: what they play, whose comes first, and what becomes of them."""

import random
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.plans.service import Plans
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from storage.schema.records import Status
from tests.bot.service import ANN, BEN, CLEO, DEV, PEOPLE, started
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import PUCKS, by_name, scored
from tests.engines.pucks.tables import four
from tests.engines.pucks.test_orders import ALMOST, all_orders, scoring

OTHERWISE, UNTIL = "pass otherwise", "pass until-turn"


async def table_at(core: Core, state: State) -> int:
    """A table with a game in this state; Ann, Ben, Cleo and Dev sit in this order."""
    request = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=state.seats, options={"setup": "random"})
    snapshot = await started(core, request, *(BEN, CLEO, DEV)[: state.seats - 1])
    core.histories.keep(snapshot.table.id, replace(snapshot.playing, first=state))
    return snapshot.table.id


async def give(core: Core, table_id: int, user: User, *orders: str) -> None:
    for order in orders:
        await core.service(Plans).add_order(table_id, user, None, tuple(order.split()))


async def act(core: Core, table_id: int, user: User, action: str, *, closing: bool = False) -> Snapshot:
    """The table after an action and all that it sets off."""
    return (await core.service(Play).act(table_id, user, tuple(action.split()), closing=closing)).snapshot


async def orders_of(core: Core, table_id: int, user: User) -> list[str]:
    return [" ".join(order) for order in (await core.service(Plans).of(table_id, user)).plan.orders]


def log_of(snapshot: Snapshot) -> list[str]:
    """Who has played what: "Blue: play whistle", with an asterisk if an order played it."""
    colours = ("red", "blue", "green", "yellow")
    entries = [logged.entry for logged in snapshot.playing.log]
    return [f"{colours[entry.seat]}: {' '.join(entry.tokens)}{'*' * entry.fired}" for entry in entries]


async def test_a_whistle_is_played_with_the_action_that_it_undoes_and_its_order_is_used_up(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["whistle"]))
    await give(core, table_id, BEN, "whistle scores red", OTHERWISE)
    snapshot = await act(core, table_id, ANN, "p4 up")
    assert log_of(snapshot) == ["red: p4 up", "blue: play whistle*"]
    assert scored(snapshot.playing.state) == []
    assert by_name(snapshot.playing.state)["red p4"] == "a14"
    assert snapshot.playing.log[1].entry.user_id == BEN.id
    assert await orders_of(core, table_id, BEN) == [OTHERWISE]


async def test_without_its_card_an_order_waits_and_nobody_sees_anything(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["swap"]))
    await give(core, table_id, BEN, "whistle scores red", "u-turn scores red")
    snapshot = await act(core, table_id, ANN, "p4 up")
    assert log_of(snapshot) == ["red: p4 up"]
    assert await orders_of(core, table_id, BEN) == ["whistle scores red", "u-turn scores red"]


async def test_only_the_next_in_turn_whistles_and_the_others_keep_their_orders(core: Core) -> None:
    for direction, first in ((1, "green"), (-1, "red")):
        state = four(["whistle"], [], ["whistle"], ["whistle"], direction=direction, action_rule=2)
        table_id = await table_at(core, state)
        for user in (ANN, CLEO, DEV):
            await give(core, table_id, user, "whistle plays take-5", "whistle wins anyone")
        await core.service(Plans).add_order(table_id, CLEO, None, ("whistle", "moves", "any"))
        table_now = replace(state, hands=(state.hands[0], ("take-5",), *state.hands[2:]))
        history = (await core.snapshot(table_id)).playing
        core.histories.keep(table_id, replace(history, first=table_now))
        snapshot = await act(core, table_id, BEN, "play take-5")
        assert log_of(snapshot) == ["blue: play take-5", f"{first}: play whistle*"]
        kept = [await orders_of(core, table_id, user) for user in (ANN, DEV, CLEO)]
        assert [("whistle plays take-5" in orders) for orders in kept] == [first != "red", True, first != "green"]


async def test_an_action_answered_by_a_u_turn_is_still_whistled_by_another_player(core: Core) -> None:
    state = four([], ["take-5"], ["u-turn"], ["whistle"], action_rule=2)
    table_id = await table_at(core, state)
    await give(core, table_id, CLEO, "u-turn plays take-5")
    await give(core, table_id, DEV, "whistle plays take-5")
    snapshot = await act(core, table_id, BEN, "play take-5")
    assert log_of(snapshot) == ["blue: play take-5", "green: play u-turn*", "yellow: play whistle*"]
    assert snapshot.playing.state.table.action_rule == 2
    assert (snapshot.playing.state.direction, snapshot.playing.to_act) == (-1, (0,))
    assert [await orders_of(core, table_id, user) for user in (CLEO, DEV)] == [[], []]


async def test_an_order_answers_no_earlier_action_although_another_order_answers_now(core: Core) -> None:
    table_id = await table_at(core, scoring(["extra"], ["whistle"], ["u-turn"]))
    await give(core, table_id, CLEO, "u-turn plays extra")
    await act(core, table_id, ANN, "p4 up")
    await give(core, table_id, BEN, "whistle scores red")
    snapshot = await act(core, table_id, ANN, "play extra")
    assert log_of(snapshot) == ["red: p4 up", "red: play extra", "green: play u-turn*"]
    assert scored(snapshot.playing.state) == ["red p4"]
    assert await orders_of(core, table_id, BEN) == ["whistle scores red"]


async def test_no_order_whistles_an_earlier_win_that_others_let_stand_by_order(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["whistle"], ["swap"], ["swap"], seats=4, scored=ALMOST))
    await act(core, table_id, ANN, "p4 up")
    await give(core, table_id, BEN, "whistle wins red")
    await give(core, table_id, CLEO, "whistle wins red", OTHERWISE)
    snapshot = await act(core, table_id, DEV, "pass")
    assert log_of(snapshot) == ["red: p4 up", "yellow: pass", "green: pass*"]
    assert snapshot.playing.to_act == (1,), "Ben whistles or passes with a click"


async def test_the_end_of_a_turn_comes_after_the_answer_to_its_last_action(core: Core) -> None:
    table_id = await table_at(core, scoring(["swap"], ["whistle"], action_rule=1))
    await give(core, table_id, BEN, "whistle scores red")
    snapshot = await act(core, table_id, ANN, "p4 up", closing=True)
    assert log_of(snapshot) == ["red: p4 up", "blue: play whistle*", "red: end"]
    assert (snapshot.playing.to_act, snapshot.playing.state.phase) == ((1,), Phase.DRAW)


async def test_the_end_of_a_turn_is_not_played_after_a_u_turn(core: Core) -> None:
    table_id = await table_at(core, scoring(["swap"], ["u-turn"], action_rule=1))
    await give(core, table_id, BEN, "u-turn scores red")
    snapshot = await act(core, table_id, ANN, "p4 up", closing=True)
    assert log_of(snapshot) == ["red: p4 up", "blue: play u-turn*"]
    assert snapshot.playing.to_act == (2,)


async def test_a_win_that_everybody_lets_stand_beforehand_ends_the_game_with_the_action(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["whistle"], ["swap"], scored=ALMOST))
    await give(core, table_id, BEN, OTHERWISE)
    await give(core, table_id, CLEO, UNTIL, "whistle wins red")
    snapshot = await act(core, table_id, ANN, "p4 up")
    assert log_of(snapshot) == ["red: p4 up", "blue: pass*", "green: pass*"]
    assert snapshot.table.status is Status.FINISHED
    assert snapshot.plans == ()


@pytest.mark.parametrize("hand", [["whistle"], ["swap"]])
async def test_only_players_without_an_order_are_asked_about_a_win(core: Core, hand: list[str]) -> None:
    table_id = await table_at(core, scoring([], hand, ["swap"], scored=ALMOST))
    await give(core, table_id, BEN, OTHERWISE)
    snapshot = await act(core, table_id, ANN, "p4 up")
    assert log_of(snapshot) == ["red: p4 up", "blue: pass*"], "whatever is held"
    assert snapshot.playing.to_act == (2,)


async def test_a_win_that_the_first_lets_stand_is_whistled_by_the_next(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["swap"], ["whistle"], scored=ALMOST))
    await give(core, table_id, BEN, OTHERWISE)
    await give(core, table_id, CLEO, OTHERWISE, "whistle wins anyone")
    snapshot = await act(core, table_id, ANN, "p4 up")
    assert log_of(snapshot) == ["red: p4 up", "blue: pass*", "green: play whistle*"]
    assert snapshot.playing.state.winning == ()
    assert await orders_of(core, table_id, CLEO) == [OTHERWISE]


async def test_a_win_let_stand_until_ones_turn_is_not_whistled_by_later_orders(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["whistle"], ["swap"], ["swap"], seats=4, scored=ALMOST))
    await give(core, table_id, BEN, "whistle wins red", UNTIL)
    await give(core, table_id, CLEO, OTHERWISE)
    snapshot = await act(core, table_id, ANN, "p4 up")
    assert log_of(snapshot) == ["red: p4 up", "blue: pass*", "green: pass*"]
    assert snapshot.playing.to_act == (3,)


async def test_until_my_turn_ends_with_the_draw_that_begins_it(core: Core) -> None:
    state = replace(scoring(["swap"], ["swap"], action_rule=1), draw_pile=("swap", "twist", "mix"))
    table_id = await table_at(core, state)
    await give(core, table_id, BEN, UNTIL, OTHERWISE)
    await act(core, table_id, ANN, "m1 down", closing=True)
    assert await orders_of(core, table_id, BEN) == [UNTIL, OTHERWISE]
    await act(core, table_id, BEN, "draw")
    assert await orders_of(core, table_id, BEN) == [OTHERWISE]


async def test_orders_leave_the_game_with_their_owner(core: Core) -> None:
    table_id = await table_at(core, scoring([], ["whistle"], ["swap"]))
    await give(core, table_id, BEN, "whistle scores red")
    await give(core, table_id, CLEO, OTHERWISE)
    snapshot = (await core.service(Play).resign(table_id, BEN)).snapshot
    assert [plan.seat for plan in snapshot.plans] == [2]
    assert log_of(await act(core, table_id, ANN, "p4 up"))[1:] == ["red: p4 up"]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
async def test_whatever_the_orders_a_game_goes_on_and_can_be_read_again(core: Core, number: int) -> None:
    dice, few = random.Random(number), "mats+borrow+faceoff+review+double+extra+quick-draw+sweep"
    options = {"setup": "random", "without": few}
    request = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=3, options=options)
    table_id = (await started(core, request, BEN, CLEO)).table.id
    with capture_logs() as logged:
        for turn in range(80):
            snapshot = await core.snapshot(table_id)
            if snapshot.table.status is not Status.PLAYING:
                break
            state, (seat, *_) = snapshot.playing.state, snapshot.playing.to_act
            if turn % 8 == 0:
                await order_anything(core, snapshot, dice)
            user = PEOPLE[snapshot.players[seat].user_id]
            await core.service(Play).act(table_id, user, random_action(PUCKS, state, seat, dice), closing=dice.random() < 0.5)
    assert [line for line in logged if "plan" in line["event"]] == []
    played = (await core.snapshot(table_id)).playing
    assert any(entry.entry.fired for entry in played.log), "or nothing was tried out"
    core.histories.drop(table_id)
    assert (await core.snapshot(table_id)).playing.state == played.state


async def order_anything(core: Core, snapshot: Snapshot, dice: random.Random) -> None:
    """Everybody replaces their orders by as many others as allowed, mostly for frequent events."""
    for seat in snapshot.present:
        user, orders = PEOPLE[snapshot.players[seat].user_id], list(all_orders(PUCKS, snapshot.playing.state, seat))
        await core.service(Plans).clear(snapshot.table.id, user)
        dice.shuffle(orders)
        orders.sort(key=lambda order: order[1] not in {"plays", "otherwise"} and order[-1] != "any")
        for order in orders[:25]:
            await core.service(Plans).add_order(snapshot.table.id, user, None, order)
