"""The computer player of Bounce Bunny Bounce: what it chooses, what it remembers, and what it says."""

from random import Random

import pytest

from engines.bunny import Bounce, Bunny, BunnyState, Landing
from engines.bunny.field import Card
from engines.chance import Fair
from engines.game import Event, IllegalAction, check, legal_actions
from opponents import LEVELS, Budget, Level, Seen, Thought, opponent, seat_memory
from opponents.bunny.kernel import AREA, CARD, SPACE, STOP, World, number, tokens
from opponents.bunny.knowledge import Belief
from opponents.bunny.search import Mind, Search
from opponents.bunny.widening import peeks, trades
from opponents.reviewing import FROM, Slip
from tests.engines.bunny.cards import position

GAME = Bunny()

SHORT = Budget(400)

NEXT_TO_A_CARROT = {"a1": "stop", "b1": "carrot", "g1": "left", "a2": "left", "a5": "left"}


def test_a_carrot_that_lies_next_to_it_is_taken_before_the_other_gets_it() -> None:
    cards = NEXT_TO_A_CARROT | {"c1": "stop"}
    state = GAME.from_position(position(cards, bunnies=["a1", "c1"], shocks=[0, 0], carrots=[1, 2]))
    for level in LEVELS:
        thought = opponent("bunny", level).choose(state, 0, SHORT, stream="a")
        assert thought.action == ("right",)
        assert 0.2 < thought.chance_to_win < 0.95
        assert thought.line[0] == (0, ("right",))


def test_the_third_carrot_wins() -> None:
    state = GAME.from_position(position(NEXT_TO_A_CARROT, bunnies=["a1", None], carrots=[2, 0]))
    thought = opponent("bunny", Level.HARD).choose(state, 0, stream="a")
    assert thought.chance_to_win == 1
    assert opponent("bunny", Level.HARD).reason(state, 0, thought) == "It takes the carrot on b1 and wins."


def test_a_bunny_about_to_win_is_sent_away() -> None:
    """Whatever lies around is better than a sure loss. *Easy* does not see it coming."""
    cards = NEXT_TO_A_CARROT | {"g1": "stop", "e3": "stop"}
    state = GAME.from_position(position(cards, bunnies=["a1", "e3"], carrots=[2, 2], turn=1, phase="shock"))
    for level in LEVELS[1:]:
        thought = opponent("bunny", level).choose(state, 1, SHORT, stream="a")
        assert thought.action[0] == "shock"
        assert thought.action[1] != "right"
        assert thought.chance_to_win > 0.1
        passing = opponent("bunny", level).judge(state, 1, ("pass",), SHORT, stream="a")
        assert passing.played.chance_to_win < 0.01
        assert passing.lost == passing.best.chance_to_win - passing.played.chance_to_win > 0.1


FORTH_AND_BACK = {"a1": "stop", "b1": "right", "c1": "left", "g1": "stop", "a2": "stop", "a5": "stop", "e3": "bonus"}
"""From a1 a hop to the right goes round in circles."""


def seen(seat: int, *landings: tuple[str, Card]) -> Seen:
    """A chain that threw a Bunny off the field by a loop."""
    bounce = Bounce(seat, seat, None, tuple(Landing(space, card, None) for space, card in landings), looped=True)
    return Seen(seat, (Event("bounce", seat, "", detail=bounce),), None)


def test_easy_does_not_hop_into_the_loop_of_its_last_turn_again() -> None:
    state = GAME.from_position(position(FORTH_AND_BACK, bunnies=["a1", "e3"]))
    memory = (seen(0, ("b1", "right"), ("c1", "left")), *[seen(1, ("e3", "bonus"))] * 3)
    easy = opponent("bunny", Level.EASY)
    ways = {easy.choose(state, 0, memory=memory, stream=str(n)).action for n in range(40)}
    assert len(ways) > 1, "what looks alike is chosen by chance"
    assert ("right",) not in ways
    forgotten = (*memory, seen(1, ("e3", "bonus")))
    assert ("right",) in {easy.choose(state, 0, memory=forgotten, stream=str(n)).action for n in range(40)}


def test_easy_takes_a_known_loop_where_there_is_no_other_way() -> None:
    loops: dict[str, Card] = {
        "b1": "right", "c1": "left", "g1": "left", "f1": "right", "a2": "up", "a3": "down", "a5": "down", "a4": "up",
    }  # fmt: skip
    state = GAME.from_position(position({"a1": "stop", "e3": "bonus", **loops}, bunnies=["a1", "e3"]))
    memory = (seen(0, *loops.items()),)
    thought = opponent("bunny", Level.EASY).choose(state, 0, memory=memory, stream="a")
    check(GAME, state, 0, thought.action)


def test_easy_spends_a_shock_to_throw_the_other_bunny_off_the_field() -> None:
    state = GAME.from_position(position(FORTH_AND_BACK, bunnies=["a1", "e3"], turn=1, phase="shock"))
    memory = (seen(0, ("b1", "right"), ("c1", "left")),)
    easy = opponent("bunny", Level.EASY)
    assert {easy.choose(state, 1, memory=memory, stream=str(n)).action for n in range(20)} == {("shock", "right")}
    safe = GAME.from_position(position(FORTH_AND_BACK | {"b1": "stop"}, bunnies=["a1", "e3"], turn=1, phase="shock"))
    known = tuple(seen(0, (space, "stop")) for space in ("b1", "g1", "a2", "a5"))
    assert {easy.choose(safe, 1, memory=known, stream=str(n)).action for n in range(20)} == {("pass",)}


def played(seed: int, actions: int) -> tuple[BunnyState, tuple[Seen, ...], tuple[Seen, ...]]:
    """A random game, and what each seat has seen of it."""
    rng = Random(seed)
    state = GAME.start(2, None, Fair(seed.to_bytes(32, "big")))
    steps = []
    for _ in range(actions):
        if seats := GAME.to_act(state):
            action = rng.choice(list(legal_actions(GAME, state, seats[0])))
            step = GAME.play(state, seats[0], action)
            steps.append((seats[0], step))
            state = step.state
    return state, seat_memory(GAME, 0, steps), seat_memory(GAME, 1, steps)


def test_a_move_compared_with_itself_loses_nothing_in_any_world() -> None:
    """Both games of a pair have the same cards and the same luck."""
    state, memory, _ = played(3, 12)
    mind = Mind(span=None, depth=None, turns=4)
    search = Search(Belief(state, state.to_choose, memory), mind, Random(1))
    search.grow(SHORT)
    for edge in search.root.edges[:3]:
        assert search.compare(edge, edge, Budget(100)) == [0.0] * 50


@pytest.mark.slow
def test_an_experts_peeks_are_hardly_ever_called_slips() -> None:
    """Most cards are as good to look at as the one that came out best. Judged by a search with other worlds."""
    expert, judged = opponent("bunny", Level.EXPERT), list[float]()
    for seed in range(60):
        state, *memories = played(seed, 14)
        if state.phase == "spy":
            seat = state.to_choose
            chosen = expert.choose(state, seat, Budget(2_000), memories[seat], "a").action
            judged.append(expert.judge(state, seat, chosen, Budget(4_000), memories[seat], "b").lost)
    assert len(judged) >= 4
    assert sum(lost >= FROM[Slip.INACCURACY] for lost in judged) <= 1


@pytest.mark.parametrize("seed", range(30))
def test_memories_are_true(seed: int) -> None:
    """Whatever happened since: bounces, Swaps and Spies of both."""
    state, *memories = played(seed, 25)
    for seat, memory in enumerate(memories):
        belief = Belief(GAME.resample(state, seat, Fair(bytes(32))), seat, memory)
        assert len(belief.known) > 3
        world = belief.world(Random(1))
        for space, card in belief.known.items():
            assert state.field[SPACE[space]] == card
            assert world.cards[SPACE[space]] == CARD[card]
        assert sorted(world.cards) == sorted(CARD[card] for card in state.field)


@pytest.mark.parametrize("seed", range(10))
def test_remembered_cards_are_shown_face_up_wherever_the_others_lie(seed: int) -> None:
    state, *memories = played(seed, 25)
    expert = opponent("bunny", Level.EXPERT)
    for seat, memory in enumerate(memories):
        open_ = expert.recall(state, seat, memory)
        assert open_.face_up == state.face_up | Belief(state, seat, memory).known.keys()
        assert len(open_.face_up) > len(state.face_up)
        other = expert.recall(GAME.resample(state, seat, Fair(bytes(32))), seat, memory)
        assert GAME.view(open_, seat) == GAME.view(other, seat)


@pytest.mark.slow
def test_a_memory_of_another_game_does_no_harm() -> None:
    for seed in range(20):
        state, _, _ = played(seed, 10)
        _, _, memory = played(seed + 100, 30)
        if GAME.to_act(state):
            seat = state.to_choose
            world = Belief(state, seat, memory).world(Random(1))
            assert sorted(world.cards) == sorted(CARD[card] for card in state.field)
            action = opponent("bunny", Level.MEDIUM).choose(state, seat, memory=memory, stream="a").action
            check(GAME, state, seat, action)


def test_forgetting() -> None:
    state, memory, _ = played(3, 25)
    spans = [len(Belief(state, 0, memory, span).known) for span in (0, 1, 8, None)]
    assert spans == sorted(spans)
    assert spans[0] < spans[-1]


@pytest.mark.parametrize("seed", range(20))
def test_the_same_is_believed_in_states_that_look_alike(seed: int) -> None:
    """So whatever is drawn from a belief has the same chances, wherever the unknown cards lie."""
    state, *memories = played(seed, 15)
    for seat, memory in enumerate(memories):
        other = GAME.resample(state, seat, Fair(seed.to_bytes(32, "little")))
        one, two = (Belief(imagined, seat, memory) for imagined in (state, other))
        assert one.known == two.known
        assert one.certain().dark == two.certain().dark
        worlds = [belief.world(Random(seed)) for belief in (one, two)]
        dark = worlds[0].dark[seat]
        for space in range(AREA):
            if not dark >> space & 1:
                assert worlds[0].cards[space] == worlds[1].cards[space]


def test_worlds_are_equally_likely() -> None:
    """An unknown card lies on each of the spaces equally often."""
    state, memory, _ = played(4, 12)
    belief = Belief(state, 0, memory)
    rng = Random(1)
    worlds = [belief.world(rng) for _ in range(3000)]
    spaces = [space for space in range(AREA) if worlds[0].dark[0] >> space & 1]
    stops = [sum(world.cards[space] == STOP for world in worlds) for space in spaces]
    expected = sum(stops) / len(spaces)
    assert sum((count - expected) ** 2 / expected for count in stops) < len(spaces) + 4 * (2 * len(spaces)) ** 0.5
    assert min(stops) > 0


def test_a_peek_is_known_to_one_alone() -> None:
    state = GAME.from_position(position({"a1": "spy", "d3": "carrot"}, bunnies=["a1", None], phase="spy", face_up=["a1"]))
    step = GAME.play(state, 0, ("spy", "b2"))
    mine, theirs = (
        Belief(GAME.resample(step.state, seat, Fair(bytes(32))), seat, seat_memory(GAME, seat, [(0, step)])) for seat in (0, 1)
    )
    space = 1 << SPACE["b2"]
    assert mine.known == {"b2": state.field[SPACE["b2"]]}
    assert theirs.known == {}
    for belief in (mine, theirs):
        dark = belief.certain().dark
        assert not dark[0] & space
        assert dark[1] & space


def test_all_moves_of_a_swap_come_in_the_end_and_each_once() -> None:
    state = GAME.from_position(position({"a1": "swap", "d3": "carrot"}, bunnies=["a1", None], phase="swap", face_up=["a1"]))
    offered = list(trades(World(state)))
    assert len(offered) == len(set(offered))
    assert set(offered) == {number(action) for action in legal_actions(GAME, state, 0)}
    first = [tokens(move) for move in offered[:5]]
    assert all("carrot" in {state.field[SPACE[space]] for space in action[1:]} for action in first)


def test_all_cards_face_down_can_be_looked_at() -> None:
    state = GAME.from_position(position({"a1": "spy", "d3": "carrot"}, bunnies=["a1", None], phase="spy", face_up=["a1"]))
    assert {tokens(move) for move in peeks(World(state))} == set(legal_actions(GAME, state, 0))


def test_thinking_ends_when_its_time_is_over() -> None:
    state, memory, _ = played(5, 6)
    thought = opponent("bunny", Level.EXPERT).choose(state, state.to_choose, Budget(10_000_000, 0.05), memory, "a")
    assert 0 < thought.nodes < 100_000


@pytest.mark.parametrize("seed", range(12))
def test_there_is_always_a_reason(seed: int) -> None:
    """For any action, whatever is remembered, and the same in states that the seat cannot tell apart."""
    state, *memories = played(seed, 5 + seed)
    if not GAME.to_act(state):
        return
    seat = state.to_choose
    other = GAME.resample(state, seat, Fair(seed.to_bytes(32, "little")))
    actions = list(legal_actions(GAME, state, seat))
    for action in Random(seed).sample(actions, min(8, len(actions))):
        texts = {str(opponent("bunny").reason(one, seat, Thought(action, 0.5), memories[seat])) for one in (state, other)}
        assert len(texts) == 1
        assert texts.pop().endswith(".")


def test_a_remembered_card_is_a_reason() -> None:
    state = GAME.from_position(position({"a1": "bonus", "b1": "stop", "d3": "carrot"}, bunnies=["a1", None], face_up=["a1"]))
    seen = Seen(1, (Event("bounce", 1, "", detail=Bounce(1, 1, None, (Landing("b1", "stop", None),))),), None)
    thought = Thought(("right",), 0.5)
    who = opponent("bunny", Level.HARD)
    assert (
        who.reason(state, 0, thought)
        == "You don’t know a way to a carrot with your next hop, so it’s worth turning up the card on b1."
    )
    assert who.reason(state, 0, thought, (seen,)) == "You saw the card on b1: Stop. Nothing bad can happen there."


def test_a_seat_that_cannot_act_is_refused() -> None:
    state = GAME.start(2, None, Fair(bytes(32)))
    with pytest.raises(IllegalAction):
        opponent("bunny").choose(state, 0)


def test_the_chances_of_both_add_up_to_one() -> None:
    state, _, _ = played(7, 4)
    chances = opponent("bunny", Level.HARD).assess(state, SHORT, stream="a")
    assert sum(chances) == pytest.approx(1)
