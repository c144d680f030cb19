"""In every game, orders can be walked like actions, depend only on what everybody knows, and play only what is legal."""

import random
from typing import Any

import pytest

from engines.actions import Action
from engines.chance import Fair
from engines.game import Game, Happened, Order, Orders, is_reversible, is_whole, may_act, part_of, resample
from tests.engines.contract_games import CASES, OTHER_SEED, Case, every_case, marked, played, random_action
from tests.engines.test_contract_actions import assert_good_choices

TAKING = [case for case in CASES if isinstance(case.game, Orders)]
WITHOUT = [case for case in CASES if not isinstance(case.game, Orders)]
CONDITIONAL = [case for case in CASES if case.game.conditional]


def all_orders(game: Game[Any, Any], state: Any, seat: int, prefix: Order = ()) -> list[Order]:
    """Every order that a seat can give, found by walking the choices, which are checked on the way."""
    offered = part_of(game, Orders).order_choices(state, seat, prefix)
    assert_good_choices(game, offered)
    found: list[Order] = []
    for choice in offered:
        order = (*prefix, choice.token)
        found += [order] if choice.final else []
        found += all_orders(game, state, seat, order)
    return found


@pytest.mark.parametrize("case", marked(WITHOUT))
def test_a_game_without_standing_orders_offers_none_and_plays_nothing_by_them(case: Case) -> None:
    game, state = case.game, case.start()
    seat = game.to_act(state)[0]
    assert part_of(game, Orders).order_choices(state, seat) == []
    assert not part_of(game, Orders).is_order(state, seat, ("pass", "otherwise"))
    assert not part_of(game, Orders).is_order(state, seat, ())
    action = random_action(game, state, seat, random.Random(str(case)))
    response = part_of(game, Orders).respond(
        Happened(seat, action, state, game.play(state, seat, action)), seat, [("pass", "otherwise")]
    )
    assert (response.action, response.orders) == (None, (("pass", "otherwise"),))


@pytest.mark.parametrize("case", marked(TAKING))
def test_every_order_that_is_walked_from_the_choices_can_be_given_and_says_what_it_is(case: Case) -> None:
    game = case.game
    for state in played(case).some_states(5)[:-1]:
        for seat in range(case.seats):
            orders = all_orders(game, state, seat)
            assert len(set(orders)) == len(orders)
            assert all(part_of(game, Orders).is_order(state, seat, order) for order in orders)
            assert not part_of(game, Orders).is_order(state, seat, ())
            assert not any(part_of(game, Orders).is_order(state, seat, (*order, "nonsense")) for order in orders)
            texts = [str(part_of(game, Orders).order_text(state, order)) for order in orders]
            assert all(texts)
            assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("case", marked(TAKING))
def test_what_is_offered_does_not_depend_on_what_a_spectator_cannot_know(case: Case) -> None:
    game = case.game
    for state in played(case).some_states(5)[:-1]:
        other = resample(game, state, None, Fair(OTHER_SEED))
        for seat in range(case.seats):
            orders = all_orders(game, state, seat)
            assert all_orders(game, other, seat) == orders
            assert [part_of(game, Orders).order_text(other, order) for order in orders] == [
                part_of(game, Orders).order_text(state, order) for order in orders
            ]


@pytest.mark.parametrize("case", marked(TAKING))
def test_orders_play_only_what_is_legal_and_none_of_them_comes_from_nowhere(case: Case) -> None:
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(12)[:-1]:
        actor = dice.choice(may_act(game, state))
        action = random_action(game, state, actor, dice)
        happened = Happened(actor, action, state, game.play(state, actor, action))
        for seat in range(case.seats):
            orders = all_orders(game, state, seat)
            given = tuple(dice.sample(orders, min(len(orders), 8)))
            response = part_of(game, Orders).respond(happened, seat, given)
            left = iter(given)
            assert all(order in left for order in response.orders), "those that stay, stay in their order"
            if response.action is not None:
                assert is_whole(game, happened.step.state, seat, response.action)


@every_case
def test_whoever_may_answer_is_asked_in_some_order(case: Case) -> None:
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(4)[:-1]:
        actor = game.to_act(state)[0]
        action: Action = random_action(game, state, actor, dice)
        seats = [(actor + step) % case.seats for step in range(1, case.seats + 1)]
        asked = part_of(game, Orders).asked_in_turn(Happened(actor, action, state, game.play(state, actor, action)), seats)
        assert sorted(asked) == sorted(seats)
        assert asked[-1] == actor


@pytest.mark.parametrize("case", marked(CONDITIONAL))
def test_what_is_planned_ahead_draws_and_reveals_nothing(case: Case) -> None:
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(8)[:-1]:
        for seat in game.to_act(state):
            action = random_action(game, state, seat, dice)
            assert is_reversible(game, state, action, game.play(state, seat, action))


def test_moves_are_planned_ahead_in_games_where_nothing_is_hidden_or_drawn() -> None:
    assert {case.game_id for case in CONDITIONAL} == {"bouncers"}
