"""What every game has to say about plans: standing orders, and conditional moves."""

from typing import Any

import pytest

from engines import GAMES
from engines.game import Game, Happened


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_a_game_without_standing_orders_offers_none_and_plays_nothing_by_them(game: Game[Any, Any]) -> None:
    if game.takes_orders:
        return
    state = game.start(game.seats[-1])
    seat = game.to_act(state)[0]
    assert game.order_choices(state, seat) == []
    assert not game.is_order(state, seat, ("pass", "otherwise"))
    assert not game.is_order(state, seat, ())
    action = next(game.legal_actions(state, seat))
    response = game.respond(Happened(seat, action, state, game.play(state, seat, action)), seat, [("pass", "otherwise")])
    assert (response.action, response.orders) == (None, (("pass", "otherwise"),))


def test_moves_are_planned_ahead_where_nothing_is_hidden_or_drawn() -> None:
    assert {game.id for game in GAMES.values() if game.conditional} == {"bouncers"}
