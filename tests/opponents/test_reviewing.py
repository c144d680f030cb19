"""What the figures of a review mean, and what it asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import GAMES
from engines.chance import UNSEEDED, Fair
from engines.game import check, legal_actions
from engines.text import seat_name
from opponents import Level, Thought
from opponents.bouncers.paths import position_of, seen_in
from opponents.contract import Loss
from opponents.reviewing import (
    CONFIRMING,
    EXAMPLE,
    SHARE,
    Praise,
    Slip,
    accuracy_of,
    accuracy_of_game,
    advise,
    assess,
    judge,
    luck_of,
    only_way,
    play_example,
    slip_of,
    tension,
    try_again,
)
from tests.bot.scripted import scripted

SEED = bytes(range(32))


@pytest.mark.parametrize(
    ("lost", "slip"),
    [
        (0.0, None), (0.0499, None), (0.05, Slip.INACCURACY), (0.0999, Slip.INACCURACY), (0.6 - 0.5, Slip.MISTAKE),
        (0.1999, Slip.MISTAKE), (0.2, Slip.BLUNDER), (1.0, Slip.BLUNDER),
    ],
)  # fmt: skip
def test_five_ten_and_twenty_points_are_an_inaccuracy_a_mistake_and_a_blunder(lost: float, slip: Slip | None) -> None:
    assert slip_of(lost) is slip


def test_accuracy_falls_with_what_was_given_away() -> None:
    assert accuracy_of(0.0) == pytest.approx(1.0, abs=1e-4)
    steps = [accuracy_of(lost / 20) for lost in range(21)]
    assert steps == sorted(steps, reverse=True)
    assert 0.0 <= steps[-1] < 0.01
    assert accuracy_of(0.1) == pytest.approx(0.636, abs=0.001), "as lichess counts it"


def test_a_blunder_is_not_hidden_by_many_good_choices() -> None:
    calm = [(1.0, 0.01)] * 39
    assert accuracy_of_game([]) is None
    assert accuracy_of_game([(0.8, 0.1)]) == pytest.approx(0.8), "one choice is the whole game"
    with_blunder = accuracy_of_game([*calm, (0.05, 0.12)])
    assert with_blunder is not None
    assert with_blunder < 0.75 < sum(accuracy for accuracy, _ in [*calm, (0.05, 0.12)]) / 40
    in_calm = accuracy_of_game([*calm, (0.05, 0.01)])
    assert in_calm is not None
    assert in_calm > with_blunder, "in a tense moment it counts for more"


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.005, 0.12)), min_size=1, max_size=30))
def test_the_accuracy_of_a_game_lies_between_that_of_its_best_and_of_its_worst_choice(
    choices: list[tuple[float, float]],
) -> None:
    found = accuracy_of_game(choices)
    assert found is not None
    assert min(accuracy for accuracy, _ in choices) - 1e-9 <= found <= max(0.01, *(accuracy for accuracy, _ in choices)) + 1e-9


@given(st.lists(st.floats(0, 1), min_size=2, max_size=120))
def test_tension_is_taken_from_the_windows_of_lichess(chances: list[float]) -> None:
    steps = len(chances) - 1
    size = min(8, max(2, steps // 10))
    windows = [chances[:size]] * (min(size, len(chances)) - 2) + [
        chances[first : first + size] for first in range(len(chances) - size + 1)
    ]
    assert len(windows) == steps
    for step, window in enumerate(windows):
        mean = sum(window) / size
        deviation = (sum((chance - mean) ** 2 for chance in window) / size) ** 0.5
        assert tension(chances, step + 1) == pytest.approx(min(0.12, max(0.005, deviation)))


def test_luck_is_what_a_draw_changed_whatever_was_chosen() -> None:
    even = (0.5, 0.5)
    assert luck_of(even, even, 0, 0.0) == (0.0, 0.0)
    assert luck_of(even, (0.7, 0.3), 0, 0.0) == pytest.approx((0.2, -0.2)), "a good choice, and a good draw"
    assert luck_of(even, (0.4, 0.6), 0, 0.1) == pytest.approx((0.0, 0.0)), "a bad choice, and nothing else"
    assert luck_of(even, even, 0, 0.1) == pytest.approx((0.1, -0.1)), "a bad choice, and a draw that made up for it"
    assert luck_of(even, (0.1, 0.9), 0, 0.1) == pytest.approx((-0.3, 0.3))
    assert luck_of((0.4, 0.3, 0.3), (0.2, 0.5, 0.3), 2, 0.1) == pytest.approx((-0.25, 0.15, 0.1)), "it adds up to zero"
    assert luck_of((0.5,), (0.6,), 0, 0.1) == pytest.approx((0.2,)), "alone there is nobody to lose it to"


def test_a_single_legal_action_leaves_no_choice() -> None:
    game = GAMES["trampoline"]
    state = game.start(1, None, Fair(SEED))
    assert only_way(game, state, 0) == (len(list(legal_actions(game, state, 0))) == 1)
    bouncers = GAMES["bouncers"]
    assert not only_way(bouncers, bouncers.start(2), 0)
    assert not only_way(bouncers, bouncers.start(2), 1), "who may not act has no choice either"


@pytest.mark.parametrize(
    ("again", "lost", "looks"),
    [
        (Loss(0.12, 0.07), 0.12, 1), (Loss(0.12, 0.05), 0.12, 1), (Loss(0.12, 0.04), 0.12, 2), (Loss(0.12, 0.001), 0.12, 2),
        (Loss(0.12, 0.0), 0.0, 2), (Loss(0.04, 0.03), 0.03, 1), (Loss(0.01, -0.02), 0.0, 1), (Loss(-0.1, -0.2), 0.0, 1),
    ],
)  # fmt: skip
def test_a_slip_is_named_only_if_more_thought_confirms_it_and_it_surely_loses_something(
    again: Loss, lost: float, looks: int
) -> None:
    game = GAMES["bouncers"]
    state = game.start(2)
    good, bad, fair = list(legal_actions(game, state, 0))[:3]
    with scripted(lost={bad: 0.2, fair: 0.02}, again={bad: again}) as told:
        found = judge("bouncers", game.rules, state, 0, bad, (), "a")
        assert found.lost == pytest.approx(lost)
        assert (slip_of(found.lost) is None) == (lost < 0.05)
        assert found.best.action == (good if lost else bad)
        assert [(one.what, one.action, one.nodes) for one in told.asked] == [
            ("judge", bad, 8), *(("compare", bad, round(8 * share)) for share in CONFIRMING[:looks]),
        ], "what is left open is thought about once more"  # fmt: skip
        told.asked.clear()
        judge("bouncers", game.rules, state, 0, fair, (), "a")
        assert [one.what for one in told.asked] == ["judge"], "what seems good needs no second look"


def test_a_seeming_slip_is_thought_about_once_more_even_if_unsure() -> None:
    game = GAMES["bouncers"]
    state = game.start(2)
    good, bad, fair, fine = list(legal_actions(game, state, 0))[:4]
    with scripted(doubted={bad: 0.05, fair: 0.2, fine: 0.02}, again={bad: Loss(0.12, 0.07), fair: Loss(0.12, -0.01)}) as told:
        found = judge("bouncers", game.rules, state, 0, bad, (), "a")
        assert found.best.action == good
        assert found.lost == pytest.approx(0.12)
        found = judge("bouncers", game.rules, state, 0, fair, (), "a")
        assert (found.best.action, found.lost) == (fair, 0)
        assert [one.what for one in told.asked] == ["judge", "compare", "judge", "compare", "compare"]
        told.asked.clear()
        assert judge("bouncers", game.rules, state, 0, fine, (), "a").lost == 0
        assert "compare" not in {one.what for one in told.asked}


@pytest.mark.parametrize(
    ("again", "lost", "looks"),
    [
        (Loss(0.12, 0.07), 0.12, 1),
        (Loss(0.12, 0.04), 0.12, 2),
        (Loss(0.12, -0.01), 0.0, 2),
        (Loss(0.04, 0.03), 0.03, 1),
        (Loss(-0.1, -0.2), 0.0, 1),
    ],
)
def test_a_second_try_is_compared_with_what_a_review_has_found_and_what_is_worse_is_answered(
    again: Loss, lost: float, looks: int
) -> None:
    game = GAMES["bouncers"]
    state = game.start(2, None, Fair(SEED))
    good, tried, *_ = legal_actions(game, state, 0)
    with scripted(again={tried: again}) as told:
        found = try_again("bouncers", game.rules, state, 0, Thought(good, 0.6), tried, (), "a")
    replied = next(iter(legal_actions(game, game.advance(state, 0, tried), 1)))
    assert found.lost == pytest.approx(lost)
    assert found.reply == ((1, replied) if lost >= 0.05 else None)
    assert found.reason is None, "the answer shows it"
    compared = [("compare", tried, round(8 * share)) for share in (SHARE, CONFIRMING[0])[:looks]]
    assert [(one.what, one.action, one.nodes) for one in told.asked if one.what == "compare"] == compared
    assert all(one.chance is UNSEEDED for one in told.asked)


@pytest.mark.parametrize(
    ("medium", "hard", "others", "praise"),
    [
        ("rival", "rival", Loss(0.3, 0.2), Praise.BRILLIANT),
        ("rival", "played", Loss(0.3, 0.2), Praise.GREAT),
        ("rival", "rival", Loss(0.3, 0.19), Praise.GREAT),
        ("rival", "rival", Loss(0.3, 0.09), None),
        ("played", "played", Loss(0.3, 0.3), None),
    ],
)
def test_praise_is_for_what_is_hard_to_find_and_alone_keeps_the_chance(
    medium: str, hard: str, others: Loss, praise: Praise | None
) -> None:
    game = GAMES["bouncers"]
    state = game.start(2)
    played, rival = list(legal_actions(game, state, 0))[:2]
    plays = {"rival": rival, "played": played}
    with scripted(lost={rival: 0.3}, again={rival: others}, plays={Level.MEDIUM: plays[medium], Level.HARD: plays[hard]}):
        found = judge("bouncers", game.rules, state, 0, played, (), "a")
        assert (found.lost, found.praise) == (0, praise)
        assert judge("bouncers", game.rules, state, 0, rival, (), "a").praise is None, "a slip earns none"


@pytest.mark.parametrize(("game_id", "seats"), [("bouncers", 2), ("bunny", 2), ("trampoline", 3), ("pucks", 2)])
def test_an_example_is_a_way_in_which_the_game_could_go_on(game_id: str, seats: int) -> None:
    game = GAMES[game_id]
    state = game.start(seats, None, Fair(SEED))
    (seat, *_) = game.to_act(state)
    action = next(iter(legal_actions(game, state, seat)))
    memories = ((),) * seats
    with scripted(game_id):
        examples = [play_example(game_id, game.rules, state, seat, action, memories, "a") for _ in range(2)]
    assert examples[0] == examples[1]
    assert examples[0].steps[0][:2] == (seat, action)
    before = examples[0].first
    for acting, played, step in examples[0].steps:
        check(game, before, acting, played)
        assert step.state.chance == UNSEEDED
        before = step.state
    assert len(examples[0].steps) == EXAMPLE


def test_a_review_thinks_its_share_about_each_thing_and_never_learns_the_stream_of_the_game() -> None:
    game = GAMES["bunny"]
    state = game.start(2, None, Fair(SEED))
    (seat,) = game.to_act(state)
    action = next(iter(legal_actions(game, state, seat)))
    with scripted("bunny") as told:
        assert assess("bunny", game.rules, state, (), "a") == (0.5, 0.5)
        assert judge("bunny", game.rules, state, seat, action, (), "a").lost == 0.0
        assert advise("bunny", game.rules, state, seat, (), "a").reason == f"{seat_name(seat)} likes it."
    assert [(asked.what, asked.nodes) for asked in told.asked] == [("assess", 2), ("judge", 8), ("choose", 8), ("choose", 8)], (
        "that medium finds the action, too, ends the search for praise"
    )
    assert all(asked.chance == UNSEEDED != state.chance for asked in told.asked)


@pytest.mark.slow
def test_advice_does_not_repeat_a_position_where_something_else_is_about_as_good() -> None:
    """Both sides shuffle a piece to and fro. Whoever follows advice goes on with something else before it is a draw."""
    game = GAMES["bouncers"]
    state = game.start(2, "8x8-16", UNSEEDED)
    for action in (("d2", "d3"), ("d7", "d6"), ("e2", "d2"), ("e7", "d7"), ("d2", "e2"), ("d7", "e7")):
        state = game.play(state, game.to_act(state)[0], action).state
    assert max(count for _, count in state.seen) > 1, "the position after the first two moves has come again"
    advised = game.play(state, 0, advise("bouncers", game.rules, state, 0, (), "a").thought.action).state
    assert max(count for _, count in advised.seen) <= 2
    assert position_of(advised) not in {position for position, _ in seen_in(state)}
