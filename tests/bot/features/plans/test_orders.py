"""Standing orders in Discord: given and removed in a private panel, and played without a word of their origin."""

import pytest
from simcord.actors import MemberActor

from bot.core.table.history import History
from bot.features.plans.service import Plans
from bot.messages.click import Click
from engines.game import Action
from storage.schema.records import Status
from tests.bot.kit import Message, World, buttons, labels, press, reply, select
from tests.bot.seated import (
    SETUP_RANDOM,
    Seated,
    all_that_is_public,
    all_that_is_seen,
    core_of,
    open_table,
    pings,
    user_of,
    walked,
)
from tests.bot.test_other_games import keen
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow

UNTIL = "Let every win stand until my next turn"


@pytest.fixture
async def table(world: World) -> Seated:
    return await open_table(world, "pucks", world.ann, world.ben, world.cleo, seats=3, options=SETUP_RANDOM)


async def opened(table: Seated, member: MemberActor) -> Message:
    """The panel of somebody's orders."""
    return reply(await by_way(member, table.channel, "plan", game=str(table.table_id)))


async def order(table: Seated, member: MemberActor, *tokens: str) -> None:
    """Give an order without Discord."""
    core, user = core_of(table.world), user_of(member)
    with table.world.env._bot_scope():
        planned = await core.service(Plans).of(table.table_id, user)
        await core.service(Plans).add_order(table.table_id, user, planned.plan.revision, tokens)


async def test_an_order_is_picked_confirmed_by_name_kept_and_removed(world: World, table: Seated) -> None:
    version, messages, since = (await table.snapshot()).table.version, world.messages(), len(world.watch.calls)
    panel = await opened(table, world.ben)
    assert panel.flags.ephemeral
    assert "You haven’t given any standing orders." in world.text(panel)
    assert labels(panel)[:3] == ["Whistle if …", "U-Turn if …", "Let a win stand …"]
    await press(world.ben, panel, "Whistle if …", "Whistle if … scores")
    assert labels(panel) == ["Anyone else", "Ann", "Cleo", "Back"]
    await press(world.ben, panel, "Cleo")
    world.says(panel, "Save this order?", "Whistle if Cleo scores")
    assert await orders_of(table, world.ben) == ()
    await press(world.ben, panel, "Save")
    world.says(panel, "Saved: Whistle if Cleo scores.", "1. Whistle if Cleo scores")
    assert await orders_of(table, world.ben) == (("whistle", "scores", "green"),)
    await press(world.ben, panel, "Whistle if …", "Whistle if … scores", "Cleo")
    assert "You’ve given that order already." in world.text(panel)
    assert "You haven’t given" in world.text(await opened(table, world.cleo))
    (chosen,) = select(panel).options.values()
    await world.ben.select(panel, [chosen], custom_id=select(panel).custom_id)
    assert "Removed: Whistle if Cleo scores." in world.text(panel)
    assert await orders_of(table, world.ben) == ()
    assert (await table.snapshot()).table.version == version
    assert [m.id for m in world.messages()] == [m.id for m in messages], "nothing is posted"
    assert pings(world, since) == []
    assert "if Cleo scores" not in all_that_is_public(world)


async def orders_of(table: Seated, member: MemberActor) -> tuple[tuple[str, ...], ...]:
    snapshot = await table.snapshot()
    return snapshot.plan_of(snapshot.own_seat(member.id)).orders


async def test_back_goes_one_decision_back(world: World, table: Seated) -> None:
    panel = await opened(table, world.ben)
    await press(world.ben, panel, "U-Turn if …", "U-Turn if anyone moves my …", "Ice 2", "Back")
    assert "Ice 2" in labels(panel)
    await press(world.ben, panel, "Back", "Back")
    assert "Add an order" in world.text(panel)


async def test_cards_too_many_for_buttons_are_chosen_from_a_menu(world: World, table: Seated) -> None:
    panel = await opened(table, world.ben)
    await press(world.ben, panel, "U-Turn if …", "U-Turn if anyone plays …")
    menu = select(panel)
    await world.ben.select(panel, [menu.options["Double Action"]], custom_id=menu.custom_id)
    assert "U-Turn if anyone plays Double Action" in world.text(panel)


async def test_the_panel_offers_the_same_orders_whatever_the_hand(world: World, table: Seated) -> None:
    member = await out_of_turn_of_three(table)
    others = [each for each in table.people if each not in (member, *await table.awaited())]
    holder, other = [await opened(table, each) for each in (member, others[0])]
    assert labels(holder) == labels(other)


async def out_of_turn_of_three(table: Seated) -> MemberActor:
    """Play on until somebody who is not awaited holds a whistle."""

    def chosen(history: History) -> tuple[int, Action] | None:
        if [seat for seat in range(3) if "whistle" in history.state.hands[seat] and seat not in history.to_act]:
            return None
        (seat,) = history.to_act
        action: Action = ("play", "whistle")
        while action[1:] == ("whistle",):
            action = walked(history, seat, table.dice)
        return seat, action

    await table.act_on(chosen)
    await table.show_all()
    history = (await table.snapshot()).playing
    return table.people[next(s for s in range(3) if "whistle" in history.state.hands[s] and s not in history.to_act)]


async def test_two_panels_of_one_player_do_not_undo_each_other_after_a_restart(world: World, table: Seated) -> None:
    one, other = await opened(table, world.ben), await opened(table, world.ben)
    await world.restart()
    await press(world.ben, one, "Let a win stand …", "Let a win stand unless another order stops it")
    await world.restart()
    await press(world.ben, other, "Whistle if …", "Whistle if … wins", "Ann", "Save")
    await world.restart()
    await press(world.ben, one, "Save")
    assert "Your orders have changed since." in world.text(one)
    await press(world.ben, one, "Save")
    assert await orders_of(table, world.ben) == (("whistle", "wins", "red"), ("pass", "otherwise"))


async def test_where_there_are_no_cards_there_is_nothing_to_order(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, variant="old-school", options=SETUP_RANDOM)
    for label in ("Hand", "More"):
        assert "Orders" not in [b.label for b in buttons(reply(await world.ben.click(table.board(), label=label)))]
    refused = await by_way(world.ben, table.channel, "plan")
    assert refused.ephemeral
    assert "This game has no standing orders" in world.text(refused)


async def test_the_panel_is_for_players(world: World, table: Seated) -> None:
    refused = await by_way(world.join("Dev"), table.channel, "plan", game=str(table.table_id))
    assert refused.ephemeral
    assert "You’re not playing at table" in world.text(refused)


@pytest.mark.parametrize("label", ["Hand", "More"])
async def test_a_button_leads_to_the_orders_whoever_is_waited_for(world: World, label: str, table: Seated) -> None:
    panel = reply(await world.ben.click(table.board(), label=label))
    await press(world.ben, panel, "Orders")
    assert "You haven’t given any standing orders." in world.text(panel)
    own = [b.label for b in buttons(reply(await world.ann.click(table.board(), label=label)))]
    assert ("Orders" in own) == (label == "More"), "in the own turn there is something else to do"


def about(history: History, seat: int, action: Action) -> tuple[str, ...] | None:
    """A whistle for an action that others may whistle: for its card, or for the piece moved."""
    after = history.game.play(history.state, seat, action).state
    if after.last is None or (after.last.seat, after.last.action) != (seat, action):
        return None
    return ("whistle", "plays", action[1]) if action[0] == "play" else None


async def test_a_whistle_by_order_is_told_like_any_other_but_to_its_owner_as_the_order(world: World, table: Seated) -> None:
    found: list[tuple[int, Action, int]] = []

    def chosen(history: History) -> tuple[int, Action] | None:
        (seat,) = history.to_act
        holders = [other for other in range(3) if other != seat and "whistle" in history.state.hands[other]]
        action: Action = ("play", "whistle")
        while action[1:] == ("whistle",):
            action = walked(history, seat, table.dice)
        if holders and about(history, seat, action) is not None:
            found.append((seat, action, holders[0]))
            return None
        return seat, action

    await table.act_on(chosen)
    await table.show_all()
    ((seat, action, holder),) = found
    actor, owner = table.people[seat], table.people[holder]
    await order(table, owner, "whistle", "plays", action[1])
    await order(table, owner, "pass", "otherwise")
    before, since = (await table.snapshot()).table.version, len(world.watch.calls)
    await table.type(actor, action)
    snapshot = await table.snapshot()
    assert snapshot.table.version >= before + 2
    fired = [logged.entry for logged in snapshot.playing.log[before:] if logged.entry.seat == holder]
    assert [(entry.tokens, entry.user_id) for entry in fired] == [(("play", "whistle"), owner.id)]
    assert "plays Whistle" in world.text(table.board())
    assert "order" not in all_that_is_public(world).lower()
    assert owner.id not in pings(world, since)
    hand = await by_way(owner, table.channel, "hand")
    world.says(hand, "Played on your orders:", "Your orders: Let a win stand unless another order stops it")
    panel = await opened(table, owner)
    world.says(panel, "Played on your orders:", "plays Whistle")
    assert "Whistle if" not in world.text(panel).split("Your standing orders")[1].split("Add an order")[0]
    others = [each for each in table.people if each not in (actor, owner)]
    assert "orders" not in world.text(await by_way(others[0], table.channel, "hand"))


async def until_a_win(table: Seated) -> tuple[int, Action]:
    """Play on, eagerly and without whistles, up to an action that wins unless it is whistled."""
    last: list[tuple[int, Action]] = []

    def chosen(history: History) -> tuple[int, Action] | None:
        seat = history.to_act[0]
        action: Action = ("play", "whistle")
        while action[1:] == ("whistle",):
            action = keen(history, seat, table.dice)
        after = history.game.play(history.state, seat, action).state
        if len(history.game.to_act(after)) > 1:
            last[:] = [(seat, action)]
            return None
        assert history.game.outcome(after) is None
        return seat, action

    await table.act_on(chosen)
    await table.show_all()
    return last[0]


async def test_a_win_that_all_let_stand_by_order_ends_the_game_at_once(world: World, table: Seated) -> None:
    seat, action = await until_a_win(table)
    for other in {0, 1, 2} - {seat}:
        await order(table, table.people[other], "pass", "otherwise" if other else "until-turn")
    since = len(world.watch.calls)
    await table.type(table.people[seat], action)
    snapshot = await table.snapshot()
    assert snapshot.table.status is Status.FINISHED
    assert [logged.entry.tokens for logged in snapshot.playing.log[-2:]] == [("pass",), ("pass",)]
    assert "wins!" in world.text(world.last())
    assert set(pings(world, since)) <= {member.id for member in table.people}
    assert "order" not in all_that_is_public(world).lower()


async def test_passing_until_the_next_turn_answers_the_win_that_waits_with_one_click(world: World, table: Seated) -> None:
    seat, action = await until_a_win(table)
    await table.type(table.people[seat], action)
    waiting = await table.awaited()
    assert len(waiting) == 2
    first, second = waiting
    panel = await opened(table, first)
    await press(first, panel, "Pass until my turn")
    assert f"Saved: {UNTIL}." in world.text(panel)
    assert await table.awaited() == [second]
    assert await orders_of(table, first) == (("pass", "until-turn"),)
    panel = await opened(table, second)
    await press(second, panel, "Let a win stand …", "Let a win stand unless another order stops it")
    assert "It also answers what you’re being asked now." in world.text(panel)
    await press(second, panel, "Save")
    assert await table.over()


async def test_an_order_for_a_whistle_does_not_answer_an_earlier_question(world: World, table: Seated) -> None:
    seat, action = await until_a_win(table)
    await table.type(table.people[seat], action)
    first = (await table.awaited())[0]
    panel = await opened(table, first)
    winner = ("Ann", "Ben", "Cleo")[(await table.snapshot()).playing.state.winning[0]]
    await press(first, panel, "Whistle if …", "Whistle if … wins", winner)
    assert "What you’re being asked now is still yours to answer." in world.text(panel)
    await press(first, panel, "Save", "Let a win stand …", "Let a win stand unless another order stops it", "Save")
    assert first in await table.awaited()


async def test_the_clicks_of_a_panel_fit_and_can_be_read_back(world: World, table: Seated) -> None:
    panel = await opened(table, world.ben)
    await press(world.ben, panel, "Whistle if …", "Whistle if anyone moves my …", "Meeple 2", "Save")
    assert all(Click.read(b.custom_id or "") is not None for b in buttons(panel))
    assert "Whistle if anyone moves my meeple 2" in all_that_is_seen(world, panel)
