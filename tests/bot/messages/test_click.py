"""What a button holds: an action that grows too long for it goes on by typing."""

import random
from unittest import mock

import pytest

from bot.messages.click import Click
from engines import GAMES
from engines.chance import Fair
from tests.bot.kit import World, reply
from tests.bot.seated import open_table
from tests.engines.contract_games import random_action


async def test_an_action_too_long_for_buttons_goes_on_by_typing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    panel = await world.ann.click(table.board(), label="Move")
    with mock.patch("bot.messages.click.LONGEST", 17):
        await world.ann.click(reply(panel), label="b2")
        assert "too long for buttons. Type on: `/move action:b2 …`" in world.text(panel)
        await world.ann.click(reply(panel), label="Start over")
    assert "Which piece bounces?" in world.text(panel)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "bouncers"])
def test_the_buttons_of_all_games_but_bouncers_hold_the_longest_actions(game: str) -> None:
    dice = random.Random(5)
    rules = GAMES[game]
    longest = ""
    for seed in range(3):
        state = rules.start(rules.seats[-1], None, Fair(bytes([seed]) * 32))
        for _ in range(300):
            if rules.outcome(state) is not None:
                break
            seat = rules.to_act(state)[0]
            action = random_action(rules, state, seat, dice)
            longest = max(longest, " ".join(action), key=len)
            state = rules.play(state, seat, action).state
    if game == "pucks":
        longest = max(longest, "play mix c north-of d f south-of a g west-of b done", "orange m1 right", key=len)
    assert len(Click("choose", 99_999_999, 99_999, 9, tuple(longest.split())).custom_id) <= 100
