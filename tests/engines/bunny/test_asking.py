"""What a player is asked in Bounce Bunny Bounce, what is certain before it is played, and why something is impossible."""

import pytest

from engines.chance import Fair
from engines.game import IllegalAction, legal_actions
from engines.text import plain
from tests.engines.bunny.cards import GAME, play, shock_phase, table
from tests.engines.contract_games import Case, played


def on_a_swap(**changes):
    """Red is on a Swap on c3, Blue on g1; e3 is empty."""
    cards = {"c3": "swap", "g1": "stop", "e3": "empty", "d5": "stop"}
    return table(cards, bunnies=["c3", "g1"], phase="swap", carrots=[1, 0], face_up=["c3", "d5"], **changes)


def on_a_spy():
    """Red is on a Spy on c3; d5 lies face up, and e3 is empty."""
    cards = {"c3": "spy", "e3": "empty", "d5": "stop"}
    return table(cards, bunnies=["c3", None], phase="spy", carrots=[1, 0], face_up=["c3", "d5"])


@pytest.mark.parametrize(
    ("state", "prefix", "question"),
    [
        (table({}), ("enter",), "where does your Bunny hop in?"),
        (table({"c3": "stop"}, bunnies=["c3", None]), (), "which way do you hop?"),
        (on_a_swap(), ("swap",), "which two cards do you swap?"),
        (on_a_spy(), ("spy",), "which card do you peek at?"),
        (shock_phase({}, "d3"), (), "shock Blue’s Bunny? Pick a direction, or keep your shock."),
    ],
)
def test_a_player_is_asked_what_the_game_wants_to_know_where_everybody_reads_it(state, prefix, question):
    assert GAME.question(GAME.view(state), 0) == question
    assert GAME.prompt(state, 0) is None
    assert GAME.prompt(state, 0, prefix) is None, "the question still stands"


@pytest.mark.parametrize(
    ("state", "prefix", "question"),
    [
        (on_a_swap(), ("swap", "a1"), "Which card do you swap a1 with?"),
        (shock_phase({}, "d3"), ("shock",), "Which way does Blue hop?"),
    ],
)
def test_a_player_is_asked_on_after_a_token(state, prefix, question):
    assert GAME.prompt(state, 0, prefix) == question


def test_directions_have_the_same_arrows_whoever_hops():
    arrows = [("left", "⬅️"), ("right", "➡️"), ("up", "⬆️"), ("down", "⬇️")]
    hopping = GAME.choices(table({"c3": "stop"}, bunnies=["c3", None]), 0)
    shocking = GAME.choices(shock_phase({}, "d3"), 0, ("shock",))
    assert [(choice.token, choice.symbol) for choice in hopping] == arrows
    assert [(choice.token, choice.symbol) for choice in shocking] == arrows


def test_labels_are_short():
    states = (table({}), table({"c3": "stop"}, bunnies=["c3", None]), on_a_swap(), on_a_spy(), shock_phase({}, "d3"))
    for state in states:
        for first in GAME.choices(state, 0):
            for choice in (first, *GAME.choices(state, 0, (first.token,))):
                assert len(choice.label) <= 24, choice.label


def test_what_one_player_did_can_be_told_in_one_breath():
    state = table({"c1": "up", "c2": "carrot", "g5": "stop"}, bunnies=[None, "g5"])
    moved = play(state, "enter c")
    assert [event.phrase for event in moved.events] == ["hops in on c1 (shock up) → c2", "takes a carrot: 1 of 3"]
    assert [event.phrase for event in play(moved.state, "pass").events] == ["doesn’t shock Blue"]
    (shocked,) = play(shock_phase({"d4": "stop"}, "d3"), "shock up").events
    assert shocked.phrase == "spends a shock on Blue: d3 → d4 (Stop)"
    (swapped,) = play(on_a_swap(), "swap a1 d5").events
    assert swapped.phrase == "swaps a1 and d5 (Stop)"
    assert play(on_a_spy(), "spy a1").events[0].phrase == "peeks at a1"


def test_carrots_bumps_and_loops_matter_in_a_turn_and_a_shock_that_cannot_be_kept_is_routine():
    state = table({"c3": "stop", "d3": "carrot"}, bunnies=["c3", None])
    assert [(event.kind, event.major) for event in play(state, "right").events] == [("bounce", False), ("carrot", True)]
    state = table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"])
    assert [(event.kind, event.major) for event in play(state, "right").events] == [("bounce", False), ("bump", True)]
    state = table({"c3": "stop", "d3": "right", "e3": "left"}, bunnies=["c3", None])
    assert [(event.kind, event.major) for event in play(state, "right").events] == [("bounce", False), ("loop", True)]
    full = table({"c3": "stop", "d3": "bonus"}, bunnies=["c3", None], shocks=[3, 0])
    assert [(event.kind, event.routine) for event in play(full, "right").events] == [("bounce", False), ("bonus", True)]


@pytest.mark.parametrize(
    ("prefix", "row", "card"),
    [
        (("spy",), "Which row is it in?", "Row 4: which card?"),
        (("swap",), "First card: which row?", "Row 4: which card?"),
        (("swap", "b3"), "Second card: which row?", "Row 4: which card?"),
    ],
)
def test_a_card_is_asked_for_by_its_row(prefix, row, card):
    state = on_a_swap()
    assert GAME.region_prompt(state, 0, prefix, None) == row
    assert GAME.region_prompt(state, 0, prefix, plain("Row 4")) == card


def test_a_bump_and_a_shock_affect_the_other_player_and_the_third_carrot_decides_the_game():
    state = table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"])
    assert [event.affects for event in play(state, "right").events] == [(), (1,)]
    shocked = play(shock_phase({"d4": "carrot"}, "d3"), "shock up").events
    assert [(event.kind, event.seat, event.affects) for event in shocked] == [("bounce", 0, (1,)), ("carrot", 1, (1,))]
    for carrots in (1, 2):
        state = table({"c3": "stop", "d3": "carrot"}, bunnies=["c3", None], carrots=[carrots, 0])
        assert [event.decisive for event in play(state, "right").events] == [False, carrots == 2]


def foreseen(state, *action, seat=0):
    step = GAME.foresee(state, seat, action)
    assert step in (None, GAME.play(state, seat, action))
    return step is not None


def test_a_hop_can_be_foreseen_as_far_as_its_cards_lie_face_up():
    cards = {"c3": "stop", "d3": "carrot", "b3": "bonus", "c4": "right", "d4": "stop", "c2": "stop"}
    state = table(cards, bunnies=["c3", None], face_up=["b3", "c4"])
    assert foreseen(state, "right")
    assert foreseen(state, "left")
    assert not foreseen(state, "up"), "a shock that lies face up leads to a card that lies face down"
    assert not foreseen(state, "down")
    assert foreseen(table(cards, bunnies=["c3", None], face_up=["c4", "d4"]), "up")


def test_a_hop_onto_the_other_bunny_can_be_foreseen_since_its_card_is_known():
    state = table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"])
    assert "d3" not in state.face_up
    assert foreseen(state, "right")


def test_a_card_that_a_spy_saw_is_foreseen_by_its_player():
    cards = {"c3": "spy", "d2": "stop", "d3": "stop", "g5": "stop"}
    state = play(table(cards, bunnies=["c3", "d3"], phase="spy", face_up=["c3"]), "spy d2").state
    assert state.phase == "shock"
    assert foreseen(state, "shock", "down")
    assert not foreseen(state, "shock", "up")


def test_a_swap_and_passing_can_be_foreseen_and_what_a_spy_sees_cannot():
    assert foreseen(on_a_swap(), "swap", "a1", "b1")
    assert foreseen(shock_phase({}, "d3"), "pass")
    assert not foreseen(on_a_spy(), "spy", "a1")


def test_whether_something_can_be_foreseen_depends_on_no_card_that_lies_face_down():
    case = Case("bunny", "standard", 2)
    foreseen_at_all = 0
    for number, state in enumerate(played(case).some_states(60)[:-1]):
        (seat,) = GAME.to_act(state)
        others = [GAME.resample(state, seat, Fair(bytes([number, draw] * 16))) for draw in range(3)]
        for action in list(legal_actions(GAME, state, seat))[:30]:
            step = GAME.foresee(state, seat, action)
            foreseen_at_all += step is not None
            for other in others:
                same = GAME.foresee(other, seat, action)
                assert (step is None) == (same is None), action
                if step is not None and same is not None:
                    assert GAME.view(same.state, seat) == GAME.view(step.state, seat)
                    assert same.events == step.events
    assert foreseen_at_all > 100


ON_FIELD = table({"c3": "stop", "g1": "stop"}, bunnies=["c3", "g1"])
OFF_FIELD = table({"g1": "stop", "b1": "empty"}, bunnies=[None, "g1"], carrots=[1, 0])
ALONE = table({"c3": "stop", "c1": "empty", "c2": "empty", "c4": "empty", "c5": "empty"}, carrots=[2, 2], bunnies=["c3", None])


@pytest.mark.parametrize(
    ("state", "typed", "reason"),
    [
        (OFF_FIELD, "c", "To hop in on c1, type `enter c`."),
        (OFF_FIELD, "c1", "To hop in on c1, type `enter c`."),
        (OFF_FIELD, "up", "Your Bunny isn’t on the field yet. It hops in on row 1: `enter c`."),
        (OFF_FIELD, "swap a1 b2", "Your Bunny hops first; then you’ll see what its card lets you do."),
        (OFF_FIELD, "enter c2", "A Bunny can only hop in on row 1."),
        (OFF_FIELD, "enter c1", "Just the column will do: `enter c`."),
        (OFF_FIELD, "enter h", "The columns go from a to g."),
        (OFF_FIELD, "enter g", "Blue is already on g1."),
        (OFF_FIELD, "enter b", "There’s no card on b1 any more."),
        (ON_FIELD, "enter a", "Your Bunny is already on the field."),
        (ON_FIELD, "pass", "Your Bunny hops first; then you’ll see what its card lets you do."),
        (ALONE, "up", "There’s no other card in column c to hop to."),
        (on_a_swap(), "left", "Your Bunny landed on a Swap: name two cards, as in `swap b3 e5`."),
        (on_a_swap(), "swap e3", "There’s no card on e3 any more."),
        (on_a_swap(), "swap c3", "The card on c3 has a Bunny on it and stays where it is."),
        (on_a_swap(), "swap a1 g1", "The card on g1 has a Bunny on it and stays where it is."),
        (on_a_swap(), "swap a1 a1", "Swap a1 with another card."),
        (on_a_swap(), "swap a1 a9", "The field goes from a1 to g5."),
        (on_a_spy(), "pass", "Your Bunny landed on a Spy: name a card, as in `spy d2`."),
        (on_a_spy(), "spy d5", "The card on d5 is already face up."),
        (on_a_spy(), "spy e3", "There’s no card on e3 any more."),
        (on_a_spy(), "spy h1", "The field goes from a1 to g5."),
        (shock_phase({}, "d3"), "left", "Your Bunny has already hopped. `shock left` makes Blue hop."),
        (shock_phase({}, "d3"), "enter a", "Your Bunny has already hopped."),
    ],
)
def test_why_something_is_impossible(state, typed, reason):
    with pytest.raises(IllegalAction) as raised:
        GAME.play(state, 0, typed.split())
    assert str(raised.value).startswith(f"{reason} You can ")


def test_a_shock_in_a_direction_that_does_not_exist_says_so():
    cards = {"d1": "empty", "d2": "empty", "d4": "empty", "d5": "empty"}
    state = shock_phase(cards, "d3", carrots=[2, 2])
    with pytest.raises(IllegalAction, match="There’s no other card in column d to hop to"):
        GAME.play(state, 0, ("shock", "up"))


@pytest.mark.parametrize("typed", ["nonsense", "enter nonsense", "enter a b", "spy nonsense"])
def test_nothing_is_said_about_an_unknown_word_but_what_is_possible(typed):
    state = on_a_spy() if typed.startswith("spy") else OFF_FIELD
    with pytest.raises(IllegalAction) as raised:
        GAME.play(state, 0, typed.split())
    assert raised.value.message.startswith(("“", "The move ends"))
