"""Whistle: what it answers, what it puts back, and what it leaves."""

from typing import Any

import pytest

from engines.pucks.board.state import State
from engines.pucks.board.views import Phase, Undone
from tests.engines.pucks.drawing import PUCKS, by_name, drawn, events, legal, offered, play, scored
from tests.engines.pucks.tables import four, row, two


def test_a_whistle_undoes_a_move_and_the_action_stays_spent():
    state = two([], ["whistle"])
    after = play(state, "m1 up", "blue: play whistle")
    assert (by_name(after)["red m1"], after.taken, after.to_move) == ("e6", 1, 0)
    assert after.discard == ("whistle",)
    last = play(after, "m1 left")
    assert (last.to_move, last.phase) == (1, Phase.DRAW)


def test_a_whistle_undoes_the_last_move_of_a_turn_that_is_over_and_the_next_player_draws():
    state = play(two([], ["whistle"]), "m1 up", "m1 left")
    assert (state.to_move, state.phase) == (1, Phase.DRAW)
    after = play(state, "blue: play whistle")
    assert (by_name(after)["red m1"], after.to_move, after.phase) == ("e2", 1, Phase.DRAW)


def test_a_whistle_undoes_a_chain_and_a_goal():
    state = drawn(
        "", ["Gs", "B"], pieces={"red p1": "b14", "blue m1": "b16", "red m1": "b13"}, hands=[[], ["whistle"]], action_rule=2
    )
    scoring = play(state, "p1 up")
    assert scored(scoring) == ["red p1"]
    after = play(scoring, "blue: play whistle")
    assert (by_name(after)["red p1"], scored(after)) == ("b14", [])


def test_after_a_whistle_the_same_move_may_be_tried_again_and_the_move_before_is_remembered():
    after = play(two([], ["whistle"]), "m1 up", "blue: play whistle")
    assert by_name(play(after, "m1 up"))["red m1"] == "e2"
    state = play(two([], ["whistle"], action_rule=4), "m1 up", "m1 left", "blue: play whistle")
    assert "down" not in offered(state, "m1"), "down would take the first move back"


def test_a_whistle_answers_the_last_action_only_before_the_next_draw_and_no_whistle():
    state = play(two([], ["whistle", "whistle"], action_rule=3), "m1 up", "m1 left", "blue: play whistle")
    assert by_name(state)["red m1"] == "e2"
    assert not legal(state, "blue: play whistle")
    state = play(four([], [], ["whistle"], ["whistle"], draw_pile=["swap"]), "m1 up")
    assert legal(state, "yellow: play whistle")
    assert not legal(play(state, "green: draw"), "yellow: play whistle")
    state = play(two(["whistle"], ["whistle"]), "m1 up", "blue: play whistle")
    assert not legal(state, "red: play whistle")


def test_nobody_can_whistle_their_own_action_but_any_other_player_may():
    state = play(two(["whistle"], ["whistle"]), "m1 up")
    assert not legal(state, "red: play whistle")
    assert legal(state, "blue: play whistle")
    state = play(four(["whistle"], [], ["whistle"], ["whistle"]), "m1 up")
    for colour in ("red", "green", "yellow"):
        assert by_name(play(state, f"{colour}: play whistle"))["blue m1"] == "b6"


def test_a_whistle_reaches_past_quick_play_cards_and_leaves_what_they_did():
    state = two([], ["whistle", "quick-draw"], draw_pile=["swap", "twist", "shift"])
    after = play(state, "m1 up", "blue: play quick-draw", "blue: play whistle")
    assert by_name(after)["red m1"] == "e6"
    assert (after.hands[1], after.discard) == (("shift", "twist"), ("quick-draw", "whistle"))


def test_a_whistle_while_its_victim_discards_lets_the_turn_go_on_and_leaves_the_discards():
    state = two(["shift"] * 4 + ["swap"] * 3 + ["twist", "extra"], ["whistle"], action_rule=1)
    state = play(state, "m1 up", "end", "discard swap")
    assert state.phase is Phase.DISCARD
    after = play(state, "blue: play whistle")
    assert (after.phase, after.to_move, after.discard) == (Phase.ACT, 0, ("swap", "whistle"))
    assert offered(after) == ["play", "end"]
    assert offered(play(after, "play extra"))[0] == "m1"


def test_a_turn_that_a_u_turn_has_ended_is_not_opened_again_by_a_whistle():
    state = four(["u-turn"], [], ["whistle"], action_rule=3)
    after = play(state, "blue: m1 up", "red: play u-turn", "green: play whistle")
    assert (by_name(after)["blue m1"], after.to_move, after.phase) == ("b6", 0, Phase.DRAW)


def borrowing() -> State:
    """Blue has borrowed Green's pieces and moved one of them."""
    state = four(["u-turn", "whistle"], ["borrow"], action_rule=3)
    return play(state, "play borrow green", "green m1 up")


def test_borrowed_pieces_come_back_only_with_a_turn_that_goes_on_and_an_owner_who_is_there():
    after = play(borrowing(), "red: play u-turn", "red: play whistle")
    assert (by_name(after)["green m1"], after.table.borrowed, after.table.previous) == ("c6", (), None)
    assert play(borrowing(), "red: play whistle").table.borrowed == (2,)
    left = PUCKS.withdraw(borrowing(), 2).state
    assert play(left, "red: play whistle").table.borrowed == ()


def whistled(card: str, *hand: str, **keys: Any) -> tuple[State, State]:
    """Red plays a card on the small board, Blue whistles: the states before and after."""
    usual: dict[str, Any] = {"pieces": {"red p1": "e1", "blue p1": "a1"}, "scored": ["blue p2"]}
    state = two([card.split(maxsplit=1)[0], *hand], ["whistle"], **{**usual, **keys})
    return state, play(state, f"red: play {card}", "blue: play whistle")


@pytest.mark.parametrize("card", [
    "draw-2", "shift c east-of f", "swap c g", "twist a 90", "mix c east-of f a west-of g done", "borrow blue",
    "faceoff red p1 blue p1", "review blue c3", "thin-ice", "slush", "net-off b",
])  # fmt: skip
def test_a_whistle_undoes_every_card_that_costs_an_action(card):
    before, after = whistled(card)
    assert after.table == before.table
    assert (after.taken, after.hands, set(after.discard)) == (1, ((), ()), {"whistle", before.hands[0][0]})
    assert (after.edge, after.to_move, after.phase) == (before.edge, 0, Phase.ACT)


def test_a_whistle_undoes_an_action_card_and_gives_back_the_actions_it_had_cut_off():
    before, after = whistled("take-5")
    assert (after.table, after.taken, after.allowed) == (before.table, 0, 2)
    assert (after.edge, sorted(after.discard)) == (("take-2",), ["take-5", "whistle"])
    state = two(["take-1"], ["whistle"], action_rule=3)
    cut = play(state, "m1 up", "m1 left", "play take-1")
    assert cut.to_move == 1
    after = play(cut, "blue: play whistle")
    assert (after.to_move, after.taken, after.allowed) == (0, 2, 3)


def test_a_card_that_was_replaced_comes_back_with_its_rule():
    _, after = whistled("slush", ongoing="net-off", net_off="b")
    assert (after.table.ongoing, after.table.net_off, after.edge) == ("net-off", "b", ("take-2", "net-off"))
    assert after.discard == ("whistle", "slush")


def test_a_card_that_was_replaced_and_swept_away_stays_away_though_its_rule_is_back():
    state = two(["take-5"], ["whistle", "sweep"])
    after = play(state, "red: play take-5", "blue: play sweep", "blue: play whistle")
    assert (after.table.action_rule, after.edge) == (2, ())
    assert (sorted(after.draw_pile), after.discard) == (["sweep", "take-2"], ("whistle", "take-5"))
    assert PUCKS.from_position(PUCKS.position(after)) == after


def test_the_card_that_second_wind_took_goes_back_unless_it_was_played_meanwhile():
    _, after = whistled("salvage extra", discard=["shift", "extra"])
    assert (after.hands[0], after.discard) == ((), ("shift", "salvage", "whistle", "extra"))
    state = two(["salvage"], ["whistle"], discard=["quick-draw"], draw_pile=["swap", "twist", "shift"])
    after = play(state, "red: play salvage quick-draw", "red: play quick-draw", "blue: play whistle")
    assert (after.hands[0], after.discard) == (("shift", "twist"), ("salvage", "quick-draw", "whistle"))


def test_two_like_cards_the_one_that_second_wind_took_is_played_first():
    """Otherwise a whistle would tell whether there is another one."""
    for held in ("quick-draw", "mix"):
        state = two(["salvage", held], ["whistle"], discard=["quick-draw"], draw_pile=["swap", "twist", "shift"])
        after = play(state, "red: play salvage quick-draw", "red: play quick-draw")
        assert PUCKS.from_position(PUCKS.position(after)) == after
        undone = play(after, "blue: play whistle")
        assert (undone.hands[0], undone.discard) == ((held, "shift", "twist"), ("salvage", "quick-draw", "whistle"))


def test_the_card_that_second_wind_took_stays_away_if_it_was_discarded_meanwhile():
    hand = ["salvage", *["shift"] * 4, *["mix"] * 2, "swap", "swap"]
    state = two(hand, ["whistle"], discard=["swap"], action_rule=1)
    after = play(state, "play salvage swap", "end", "discard swap", "blue: play whistle")
    assert (after.discard, after.hands[0].count("swap")) == (("salvage", "swap", "whistle"), 2)


def test_the_card_that_second_wind_took_does_not_come_back_from_somebody_who_has_left():
    state = four(["whistle"], ["salvage"], discard=["extra"], action_rule=2)
    left = PUCKS.withdraw(play(state, "blue: play salvage extra"), 1).state
    after = play(left, "red: play whistle")
    assert (after.discard, after.hands[1], PUCKS.view(after).hand_sizes[1]) == (("salvage", "whistle"), ("extra",), 0)
    assert PUCKS.from_position(PUCKS.position(after)) == after


def test_a_whole_mix_is_one_action_and_pieces_ride_back_with_their_mat():
    before, after = whistled("mix c east-of f a west-of g i north-of b done")
    assert after.table.mats == before.table.mats
    _, after = whistled("shift c east-of f", pieces={"red p1": "c4", "blue p1": "a1"})
    assert PUCKS.view(after).pieces[0].point == (11, 0)


@pytest.mark.parametrize(
    ("hand", "actions"), [(["shift", "shift"], 3), (["shift", "shift", "shift"], 2), (["shift", "shift", "shift", "mix"], 4)]
)
def test_mats_that_a_whistle_leaves_apart_go_back_to_where_they_last_hung_together_whatever_is_held(hand, actions):
    state = row(*hand, actions=actions)
    moved = play(state, "play shift b north-of a", "play shift c east-of b")
    after = play(moved, "blue: play whistle")
    assert (after.table.mats, after.whole, after.table.settled) == (state.table.mats, True, None)
    back = events(moved, "blue: play whistle")[1]
    assert (back.text, [mat.id for mat in back.detail.after]) == (
        "The mats snap back to where they were last connected.",
        ["b"],
    )


@pytest.mark.parametrize("card", ["twist a 90", "take-4", "borrow blue"])
def test_mats_go_back_whichever_card_was_whistled_while_they_were_apart(card):
    state = row("shift", "shift", "shift", card.split()[0], actions=3)
    broken = play(state, "play shift b north-of a", f"play {card}")
    assert not broken.whole
    after = play(broken, "blue: play whistle")
    assert (after.table.mats, after.whole, after.to_move) == (state.table.mats, True, 0)


def test_mats_that_go_back_keep_the_turns_they_were_given():
    state = row("shift", "twist", "mix", actions=3)
    broken = play(state, "play shift b north-of a", "play twist a 90", "play mix c east-of b done")
    after = play(broken, "blue: play whistle")
    assert [mat.at for mat in after.table.mats] == [mat.at for mat in state.table.mats]
    assert after.table.mats[0].turn == 90


def test_mats_go_back_if_the_turn_was_ended_meanwhile():
    state = play(row("shift", "shift", "shift", actions=4), "play shift b north-of a", "play shift c east-of b")
    after = play(state, "blue: play u-turn", "blue: play whistle")
    assert (after.whole, after.to_move, after.phase) == (True, 1, Phase.DRAW)
    assert [mat.at for mat in after.table.mats] == [(0, 0), (1, 0), (2, 0)]


def test_the_turn_cannot_end_by_a_u_turn_while_the_layout_is_illegal():
    state = play(row("shift", "shift"), "play shift b north-of a")
    assert offered(state, "blue: play") == ["whistle"]
    assert play(state, "blue: play whistle").whole


def test_a_whistle_tells_what_went_back():
    event = events(play(two([], ["whistle"]), "m1 up"), "blue: play whistle")[0]
    assert isinstance(event.detail, Undone)
    assert ([piece.name for piece in event.detail.pieces], event.detail.mats) == (["red m1"], ())


def test_a_whistle_that_is_held_changes_nothing_that_others_see():
    with_whistle, without = two([], ["whistle", "swap"]), two([], ["swap", "twist"])
    for actions in ([], ["m1 up"], ["m1 up", "m1 left"]):
        one, other = play(with_whistle, *actions), play(without, *actions)
        assert PUCKS.view(one) == PUCKS.view(other)
        assert PUCKS.view(one, 0) == PUCKS.view(other, 0)
        assert PUCKS.to_act(one) == PUCKS.to_act(other)
