"""Quick play: who may play what when, and what each card does, except the whistle."""

import pytest

from engines.chance import Scripted
from engines.game import IllegalAction
from engines.pucks.board.views import CardPlayed, Phase
from tests.engines.pucks.drawing import PUCKS, all_cards, by_name, events, legal, offered, play, told
from tests.engines.pucks.tables import four, two

QUICK = ["whistle", "u-turn", "double", "extra", "quick-draw", "sweep"]


def test_no_quick_card_is_played_while_pieces_are_placed_and_no_whistle_before_the_first_draw():
    state = PUCKS.start(2)
    for seat in (0, 1):
        assert "play" not in [choice.token for choice in PUCKS.choices(state, seat)]
    state = two(QUICK, ["whistle", "u-turn", "quick-draw", "sweep"], phase="draw", turn_of=None)
    assert offered(state, "red: play") == ["u-turn", "quick-draw", "sweep"]
    assert offered(state, "blue: play") == ["u-turn", "quick-draw", "sweep"]


def test_double_and_extra_belong_to_a_players_own_turn_after_the_draw():
    state = two(["double", "extra"], ["double", "extra"])
    assert offered(state, "red: play") == ["double", "extra"]
    assert offered(state, "blue: play") == []
    drawing = two(["double", "extra"], ["double", "extra"], phase="draw")
    assert offered(drawing, "red: play") == []
    discarding = two(["double", "extra", *["shift"] * 4, "swap", "twist"], [], phase="discard")
    assert offered(discarding, "red: play") == []


def test_other_players_may_play_quick_cards_at_any_time_though_nobody_waits_for_them():
    hands = ["shift"] * 4 + ["swap"] * 3 + ["twist"], ["quick-draw", "sweep", "u-turn", "double"]
    for phase in ("draw", "act", "discard"):
        assert offered(two(*hands, phase=phase), "blue: play") == ["quick-draw", "sweep", "u-turn"]
    state = two(["swap"], ["sweep"])
    assert (PUCKS.to_act(state), PUCKS.may_act(state)) == ((0,), (0, 1))


def test_a_quick_card_costs_no_action_and_goes_to_the_discard_pile():
    after = play(two([], ["quick-draw"], draw_pile=["swap", "twist", "shift"]), "blue: play quick-draw")
    assert (after.taken, after.to_move, after.discard) == (0, 0, ("quick-draw",))


def test_quick_draw_draws_two_cards_and_tells_which_only_to_whoever_drew_them():
    state = two(["take-1"], ["quick-draw"], draw_pile=["swap", "twist", "shift"])
    after = play(state, "blue: play quick-draw")
    assert (after.hands[1], after.draw_pile) == (("shift", "twist"), ("swap",))
    assert told(state, "blue: play quick-draw") == ["Blue plays Quick Draw and draws 2 cards."]
    assert told(state, "blue: play quick-draw", 1)[1:] == ["Blue gets Board Shift, Board Twist."]
    assert told(state, "blue: play quick-draw", 0) == told(state, "blue: play quick-draw")


def test_an_extra_action_is_one_more_even_when_all_are_taken():
    state = play(two(["extra", "extra"]), "play extra")
    assert state.allowed == 3
    assert play(state, "play extra").allowed == 4
    state = play(two(["extra"]), "m1 up", "m1 up")
    assert (state.to_move, offered(state)) == (0, ["play", "end"])
    assert offered(play(state, "play extra")) == ["m1"]


@pytest.mark.parametrize(
    ("cards", "allowed"),
    [
        (["double"], 4),
        (["extra", "double"], 6),
        (["double", "extra"], 5),
        (["double", "double"], 8),
        (["double", "take-3"], 6),
        (["extra", "take-5"], 6),
        (["extra", "double", "take-1"], 4),
    ],
)
def test_a_doubled_turn_doubles_what_there_is(cards, allowed):
    state = play(two(cards), *[f"play {card}" for card in cards])
    assert state.allowed == allowed


def test_a_doubled_turn_has_its_actions_and_the_next_one_the_usual_number():
    state = play(two(["double"], draw_pile=["swap", "swap"]), "play double", "m1 up", "m1 left", "m1 down")
    assert (state.to_move, state.taken, state.allowed) == (0, 3, 4)
    after = play(state, "m1 down", "draw")
    assert (after.to_move, after.allowed) == (1, 2)


def test_a_sweep_shuffles_the_discard_pile_and_itself_into_the_draw_pile_but_not_the_edge():
    state = two([], ["sweep"], discard=["swap", "take-3"], draw_pile=["shift"], chance=Scripted([3, 2, 1]))
    after = play(state, "blue: play sweep")
    assert (after.draw_pile, after.discard) == (("shift", "swap", "take-3", "sweep"), ())
    assert all_cards(after) == all_cards(state)
    after = play(two([], ["sweep"], draw_rule=3, action_rule=4, ongoing="slush"), "blue: play sweep")
    assert after.edge == ("draw-3", "take-4", "slush")


def test_a_sweep_while_somebody_picks_a_card_of_the_discard_pile_leaves_that_card_in_the_hand():
    state = two(["salvage"], ["sweep"], discard=["whistle"])
    assert legal(state, "red: play salvage whistle")
    swept = play(state, "blue: play sweep")
    with pytest.raises(IllegalAction):
        play(swept, "red: play salvage whistle")
    assert swept.hands[0] == ("salvage",)
    assert "salvage" not in offered(swept, "red: play")


def test_a_u_turn_ends_the_turn_and_the_one_on_the_other_side_is_next():
    state = four([], [], ["u-turn"], action_rule=3)
    after = play(state, "blue: m1 up", "green: play u-turn")
    assert (after.direction, after.to_move, after.phase) == (-1, 0, Phase.DRAW)
    assert by_name(after)["blue m1"] == "b2", "what was done in the turn remains"


def test_a_u_turn_in_mid_turn_makes_its_player_discard_down_first():
    state = four(["u-turn"], ["shift"] * 4 + ["swap"] * 3, action_rule=3)
    after = play(state, "red: play u-turn")
    assert (after.to_move, after.phase) == (1, Phase.DISCARD)
    after = play(after, "discard shift", "discard swap")
    assert (after.to_move, after.phase) == (0, Phase.DRAW)


def test_a_u_turn_while_somebody_discards_or_in_ones_own_turn_turns_the_direction():
    state = four(["u-turn"], ["shift"] * 4 + ["swap"] * 2, phase="discard")
    after = play(state, "red: play u-turn", "blue: discard swap")
    assert (after.to_move, after.direction) == (0, -1)
    after = play(four([], ["u-turn"], action_rule=3), "blue: play u-turn")
    assert (after.to_move, after.direction) == (0, -1)


def test_a_u_turn_before_the_next_draw_gives_the_turn_to_the_other_side_of_the_last_player():
    # Blue's turn is over, Green is about to draw: Green is passed over, and Red is next.
    state = four(["u-turn"], [], [], [], draw_pile=["swap", "swap"])
    after = play(play(state, "blue: m1 up"), "red: play u-turn")
    assert (after.to_move, after.phase, after.direction) == (0, Phase.DRAW, -1)
    back = play(play(state, "blue: m1 up"), "red: play u-turn", "red: draw", "red: m1 down", "end")
    assert back.to_move == 3, "play goes on to the right"


def test_a_u_turn_before_the_first_turn_only_turns_the_direction_and_two_lead_back():
    state = four(["u-turn"], to_move=0, phase="draw", turn_of=None, draw_pile=["swap"])
    after = play(state, "red: play u-turn")
    assert (after.to_move, after.phase, after.direction) == (0, Phase.DRAW, -1)
    assert told(state, "red: play u-turn") == ["Red plays U-Turn: Yellow plays after Red."]
    assert play(after, "draw", "m1 down", "end").to_move == 3
    state = play(four(["u-turn"], [], ["u-turn"]), "blue: m1 up")
    after = play(state, "red: play u-turn", "green: play u-turn")
    assert (after.to_move, after.direction) == (2, 1)


def test_a_quick_card_is_told_to_all_in_one_line():
    state = play(two(["extra", "double", "sweep", "u-turn"], ["whistle"], action_rule=3), "m1 up")
    assert told(state, "red: play extra") == ["Red plays Extra Action: 4 actions this turn."]
    assert told(state, "red: play double") == ["Red plays Double Action: 6 actions this turn."]
    assert told(state, "red: play sweep") == ["Red plays Clean Sweep: the discard pile goes back into the draw pile."]
    assert told(state, "red: play u-turn") == ["Red plays U-Turn: the turn ends, and Blue is next."]
    assert told(state, "blue: play whistle") == [
        "Blue plays Whistle: Red’s move of meeple 1 is undone, and Red has 2 actions left."
    ]
    assert events(state, "red: play extra")[0].detail == CardPlayed("extra", quick=True)
