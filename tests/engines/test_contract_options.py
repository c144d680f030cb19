"""With any options, in any variant and with any number of players, every game keeps the contract of `engines.game`, or says why
there is no such game."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings

from engines import GAMES
from engines.chance import Fair
from engines.game import Action, Game, Options, is_whole, may_act, normal_options, part_of, passive_action, resample
from engines.text import Text
from tests.engines.contract_games import random_action, still_in
from tests.engines.random_options import FREE_TEXTS, RandomTable, random_tables

PARTS = 10
"""The many set-ups are tried in so many parts, which can run side by side."""


def test_random_options_reach_every_option_with_free_text():
    free = {(game.id, name) for game in GAMES.values() for name, option in game.options.items() if option.check}
    assert set(FREE_TEXTS) == free


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(random_tables())
def test_a_game_with_any_options_keeps_the_contract(table):
    assert_keeps_the_contract(table)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_games_with_any_options_keep_the_contract(part):
    played: list[RandomTable] = []

    @settings(max_examples=10_000 // PARTS, deadline=None)
    @given(random_tables().filter(RandomTable.is_possible))
    def keeps(table: RandomTable) -> None:
        assert_keeps_the_contract(table)
        played.append(table)

    keeps()
    assert len(played) >= 10_000 // PARTS


def assert_keeps_the_contract(table: RandomTable) -> None:
    """The options are refused with a reason, or have a normal form with which a game is played to its end."""
    try:
        chosen = normal_options(table.game, table.variant, table.seats, table.options)
    except ValueError as error:
        refusal = error
    else:
        assert_normal(table, chosen)
        assert_played(table)
        return
    assert_refused(table, refusal)


def assert_refused(table: RandomTable, refusal: ValueError) -> None:
    (text,) = refusal.args
    assert isinstance(text, Text)
    assert 0 < len(text) < 2000
    with pytest.raises(ValueError) as caught:
        table.start()
    assert caught.value.args == refusal.args


def assert_normal(table: RandomTable, chosen: dict[str, str]) -> None:
    """The normal form is the same for the same game, and leaves out what is as usual."""
    game = table.game
    assert normal_options(game, table.variant, table.seats, chosen) == chosen
    assert normal_options(game, table.variant, table.seats, dict(reversed(table.options.items()))) == chosen
    assert set(chosen) <= set(table.options)
    assert all(value != game.options[name].values[0] for name, value in chosen.items())
    assert set(part_of(game, Options).house_rules(chosen)) <= set(chosen)
    assert part_of(game, Options).house_rules({}) == ()
    usual = {name: option.values[0] for name, option in game.options.items()}
    chance = Fair(table.seed.to_bytes(32, "big"))
    assert table.start() == game.start(table.seats, table.variant, chance, **(usual | chosen))


def assert_played(table: RandomTable) -> None:
    """A random game can be viewed and written down at any time, goes the same way again, and has an end."""
    game, dice = table.game, random.Random(table.seed)
    start = state = table.start()
    log: list[tuple[int, Action | None]] = []
    assert_sound(table, state, dice)
    while game.outcome(state) is None:
        action: Action | None = None
        if len(log) < table.length:
            seat = dice.choice(may_act(game, state) if dice.random() < 0.2 else game.to_act(state))
            action = random_action(game, state, seat, dice)
            assert is_whole(game, state, seat, action)
        else:
            seat = dice.choice(still_in(game, state))
        log.append((seat, action))
        state = played(game, state, seat, action)
        if len(log) == table.length:
            assert_sound(table, state, dice)
    assert_sound(table, state, dice)
    again = start
    for seat, action in log:
        again = played(game, again, seat, action)
    assert game.position(again, secret=True) == game.position(state, secret=True)


def played(game: Game[Any, Any], state: Any, seat: int, action: Action | None) -> Any:
    """The state after an action or, without one, after a seat has left."""
    return (game.withdraw(state, seat) if action is None else game.play(state, seat, action)).state


def assert_sound(table: RandomTable, state: Any, dice: random.Random) -> None:
    """Somebody is waited for until the end; the position is read back; nobody sees what they may not."""
    game = table.game
    assert bool(game.to_act(state)) == (game.outcome(state) is None)
    assert set(game.to_act(state)) <= set(may_act(game, state))
    hash(state)
    for seat in may_act(game, state):
        assert is_whole(game, state, seat, passive_action(game, state, seat, random.Random(table.seed)))
    position = json.loads(json.dumps(game.position(state, secret=True)))
    assert game.from_position(position) == state
    assert game.position(game.from_position(position), secret=True) == position
    reader = dice.choice([None, *range(table.seats)])
    view = game.view(state, reader)
    assert game.describe(view)
    other = resample(game, state, reader, Fair(dice.randbytes(32)))
    assert game.view(other, reader) == view
    assert (game.outcome(other), game.to_act(other)) == (game.outcome(state), game.to_act(state))
    if reader is not None:
        assert game.choices(other, reader) == game.choices(state, reader)
