"""The reasons given in Bounce Bunny Bounce, and the moves advised for theirs."""

from random import Random
from typing import Any

import pytest

from engines.bunny import Bounce, BunnyState, Landing
from engines.game import Action, Event, legal_actions
from opponents import Level, Seen, Thought, opponent
from opponents.bunny.kernel import PASS, PEEK, SPACE, number
from opponents.bunny.knowledge import Belief
from opponents.bunny.player import BunnyOpponent
from opponents.bunny.reasons import plainer
from opponents.bunny.search import Search
from opponents.reviewing import advise
from tests.engines.bunny.cards import GAME, table
from tests.opponents.bunny import reading_reasons as reading
from tests.opponents.bunny.test_player import played

ROUND = {"a1": "stop", "b1": "carrot", "g1": "left", "a2": "left", "a5": "left"}
APART = {"d3": "carrot", "f2": "carrot", "f5": "carrot", "c4": "carrot"}
"""The other carrots, none next to another."""


def told(state: BunnyState, action: str, *known: str) -> str:
    """The reason for an action, without its typography, where these spaces have been seen."""
    return str(opponent("bunny").reason(state, state.to_choose, Thought(tuple(action.split()), 0.5), seen(state, *known)))


def seen(state: BunnyState, *spaces: str) -> tuple[Seen, ...]:
    cards = dict(zip(SPACE, state.field, strict=True))
    return tuple(
        Seen(1, (Event("", 1, "", detail=Bounce(1, 1, None, (Landing(at, cards[at], None),))),), None) for at in spaces
    )


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_every_reason_is_true(part: int) -> None:
    """By the cards that its seat knows, and the other seat's as far as it can tell, in positions of random games."""
    looked = 0
    for seed in range(part * 60, part * 60 + 60):
        state, *memories = played(seed, 4 + seed % 40)
        if not GAME.to_act(state):
            continue
        seat = state.to_choose
        actions = list(legal_actions(GAME, state, seat))
        for action in Random(seed).sample(actions, min(40, len(actions))):
            words = str(opponent("bunny").reason(state, seat, Thought(action, 0.5), memories[seat]))
            looked += reading.check(words, state, seat, action, (memories[0], memories[1]))
    assert looked > 100


def test_a_swap_that_changes_nothing_about_a_carrot_does_not_claim_it() -> None:
    state = table(ROUND | {"a1": "swap"}, bunnies=["a1", None], phase="swap", face_up=["a1"])
    assert told(state, "swap d1 e1") == "After that you can still get the carrot on b1 with your next hop."
    far = table({"a1": "swap", "b1": "stop", "d3": "carrot"}, bunnies=["a1", None], phase="swap", face_up=["a1"])
    assert told(far, "swap b1 d3") == "Then you can get the carrot on b1 with your next hop."


TO_AND_FRO = {"a1": "stop", "e3": "spy", "e2": "up", "d3": "stop", "c3": "stop"}
"""A shock down brings the Bunny on e3 back to its Spy."""


def test_a_shock_that_does_the_other_no_harm_is_not_praised_and_rather_kept() -> None:
    state = table(TO_AND_FRO, bunnies=["a1", "e3"], phase="shock", face_up=["a1", "e3"])
    words = "This did best in trial games with the hidden cards dealt at random."
    assert told(state, "shock down", "e2") == words
    world = Belief(state, 0, seen(state, "e2")).certain()
    assert plainer(world, 0, number(("shock", "down"))) == [PASS]
    assert plainer(world, 0, number(("shock", "up"))) == [], "it turns up a card"
    assert told(state, "shock up", "e2") == "It turns up the card on e4, which you don’t know yet."


def test_a_shock_into_the_dark_says_what_it_leads_away_from() -> None:
    state = table({"a1": "stop", "e3": "stop", "f3": "carrot"}, bunnies=["a1", "e3"], phase="shock")
    assert told(state, "shock down") == (
        "Blue can hop to the carrot on f3 next. This leads to e2 first, a card you don’t know yet."
    )


def test_a_peek_has_a_use_or_another_one_is_rather_advised() -> None:
    cards = {"a1": "spy", "d3": "carrot", "a5": "stop", "d4": "stop"}
    state = table(cards, bunnies=["a1", None], phase="spy", face_up=["a1"])
    assert told(state, "spy b1") == "Your Bunny can hop to b1 next, so it’s good to know what lies there."
    assert told(state, "spy d2") == "From d2 it’s one hop to the carrot on d3, so it’s good to know what lies there."
    world = Belief(state, 0, ()).certain()
    assert not plainer(world, 0, PEEK + SPACE["d2"])
    useless = next(space for space in SPACE if "each card you know" in told(state, f"spy {space}"))
    assert PEEK + SPACE["b1"] in plainer(world, 0, PEEK + SPACE[useless])


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["a", "b", "c"])
def test_a_sure_carrot_is_advised(stream: str) -> None:
    state = table(ROUND | APART | {"c1": "stop"}, bunnies=["a1", "c1"], shocks=[0, 0])
    advice = advise("bunny", GAME.rules, state, 0, (), stream)
    assert advice.thought.action == ("right",)
    assert advice.reason == "It takes the carrot on b1."


class _Fooled(BunnyOpponent):
    """Its search likes one action best, whatever it has found."""

    liked: Action = ("up",)

    def _search(self, *asked: Any) -> Search:
        search = super()._search(*asked)
        edge = search.root.edge(number(self.liked))
        edge.visits += 100_000
        return search


def test_a_carrot_left_for_something_hardly_better_is_advised_all_the_same() -> None:
    cards = ROUND | APART | {"c1": "stop"}
    state = table(cards, bunnies=["a1", "c1"], shocks=[0, 0])
    fooled = _Fooled(GAME, Level.MEDIUM)
    assert fooled.choose(state, 0, stream="a").action == ("up",)
    assert fooled.advise(state, 0, stream="a").action == ("right",)


def test_leaving_a_sure_carrot_is_explained() -> None:
    state = table(ROUND, bunnies=["a1", None])
    assert told(state, "up").endswith(
        "You could take the carrot on b1 at once, but that wins less often in trial games with the hidden cards "
        "dealt at random."
    )
