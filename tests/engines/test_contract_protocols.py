"""Every game has a small core, and means each protocol that it has."""

import pytest

from engines import EARLIER, GAMES
from engines.game import (
    Buttons,
    Foresees,
    Game,
    Hidden,
    Options,
    Orders,
    OutOfTurn,
    Packed,
    Pages,
    Quick,
    Rounds,
    Words,
    may_act,
    part_of,
)
from tests.engines.contract_games import CASES, every_case, every_game, everybody, played

PROTOCOLS = (Buttons, Foresees, Hidden, Options, Orders, OutOfTurn, Packed, Pages, Quick, Rounds, Words)
OPTIONAL = (Buttons, Options, Orders, Pages, Rounds, Words)
"""The protocols that have plain answers for games without them."""


def methods(protocol: type) -> set[str]:
    return {name for name, value in vars(protocol).items() if callable(value) and not name.startswith("__")}


def test_a_game_has_to_have_ten_methods():
    assert set(Game.__abstractmethods__) == {
        "_start", "to_act", "choices", "_play", "withdraw", "outcome", "view", "describe", "position", "from_position",
    }  # fmt: skip
    assert methods(Game) == {"start", "play", "advance", *Game.__abstractmethods__}


def test_no_two_protocols_ask_for_the_same():
    names = [name for protocol in (Game, *PROTOCOLS) for name in methods(protocol)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("game", [*GAMES.values(), *EARLIER], ids=lambda game: f"{game.id}-{game.rules}")
def test_a_game_has_something_of_its_own_to_say_for_each_of_its_protocols(game):
    for protocol in PROTOCOLS:
        if isinstance(game, protocol):
            assert any(getattr(type(game), name) is not getattr(protocol, name) for name in methods(protocol)), protocol


@pytest.mark.parametrize("protocol", OPTIONAL)
def test_without_a_protocol_its_plain_answers_are_given(protocol):
    for game in GAMES.values():
        part = part_of(game, protocol)
        assert isinstance(part, protocol)
        assert (part is game) == isinstance(game, protocol)


@every_game
def test_a_game_is_secret_if_and_only_if_it_is_hidden(game):
    assert game.secret == isinstance(game, Hidden)


@every_game
def test_somebody_can_act_out_of_turn_if_and_only_if_the_game_says_so(game):
    cases = [case for case in CASES if case.game is game]
    out_of_turn = (
        set(may_act(game, state)) - set(game.to_act(state)) for case in cases for state in played(case).some_states(60)
    )
    assert any(out_of_turn) == isinstance(game, OutOfTurn)


@every_case
def test_the_next_seats_are_all_others_and_the_turn_goes_to_the_first_unless_the_order_was_changed(case):
    game = case.game
    told = part_of(game, Rounds)
    for turn in played(case).some_turns(40):
        before, after = game.view(turn.before), game.view(turn.step.state)
        following = told.next_seats(before)
        assert {told.next_seats(game.view(turn.before, seat)) for seat in everybody(case)} == {following}
        if not following:
            continue
        assert sorted((*before.to_act, *following)) == [seat for seat in range(case.seats) if seat not in before.out]
        order_stands = getattr(before, "direction", 1) == getattr(after, "direction", 1) and before.out == after.out
        if order_stands and len(after.to_act) == 1 and told.next_seats(after):
            assert after.to_act[0] in {before.to_act[0], following[0]}


@every_game
def test_only_a_game_of_more_than_two_has_to_say_who_is_next(game):
    assert game.seats[-1] > 2 or not isinstance(game, Rounds)
