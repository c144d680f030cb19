"""Matches: whole games between players who cannot cheat, and what the results say."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, log
from random import Random
from typing import Any

import pytest

from benchmarks.matches import (
    MatchResult,
    MatchRules,
    Request,
    Sprt,
    difference,
    elo,
    expected_share,
    pair,
    play_match,
    random_player,
    seating,
    share_of,
)
from engines import GAMES
from engines.chance import Fair
from engines.game import Action, resample
from opponents.dice import Dice

BOUNCERS = MatchRules(GAMES["bouncers"], opening=4)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_goes_to_its_end_and_the_same_seed_gives_the_same_game(game_id: str) -> None:
    (one, chosen), (again, chosen_again), (_, chosen_otherwise) = (noted(game_id, seed) for seed in ("a", "a", "b"))
    assert replace(one, seconds=()) == replace(again, seconds=())
    assert chosen == chosen_again
    assert chosen != chosen_otherwise
    assert sum(one.shares) == pytest.approx(1) or (game_id == "trampoline" and not sum(one.shares))
    assert sum(map(len, one.seconds)) >= one.actions


def noted(game_id: str, seed: str) -> tuple[MatchResult, list[Any]]:
    chosen: list[Any] = []

    def notes(asked: Request) -> Action | None:
        chosen.append((asked.game.position(asked.state), random_player(asked)))
        return chosen[-1][1]

    return play_match(MatchRules(GAMES[game_id], longest=300), [notes] * 2, seed), chosen


def test_a_game_that_is_too_long_is_a_draw() -> None:
    match = play_match(MatchRules(GAMES["pucks"], seats=4, longest=7), [random_player] * 4, "a")
    assert match.cut
    assert match.shares == (0.25,) * 4
    assert match.actions == 7


def test_nobody_is_given_the_true_state_or_its_dice() -> None:
    game = GAMES["pucks"]
    given: list[Any] = []

    def looks(asked: Request) -> Action | None:
        assert isinstance(asked.state.chance, Dice)
        given.append(asked.state)
        return random_player(asked)

    play_match(MatchRules(game, longest=40), [looks, looks], "a")
    assert any(state.hands[1 - state.to_move] for state in given)
    hands = [tuple(resample(game, state, 0, Fair(bytes(32))).hands) for state in given]
    assert len(set(hands)) > 1


def test_players_remember_what_their_seat_has_seen() -> None:
    lengths: list[tuple[int, int]] = []

    def notes(asked: Request) -> Action | None:
        lengths.append((asked.seat, len(asked.memory)))
        assert all(event.known_to(asked.seat) for seen in asked.memory for event in seen.events)
        assert all(seen.view.seat == asked.seat for seen in asked.memory)
        return random_player(asked)

    play_match(MatchRules(GAMES["bunny"], longest=30), [notes, notes], "a")
    assert [length for _, length in lengths] == list(range(len(lengths)))


def test_players_may_act_out_of_turn() -> None:
    """A card that may be played out of turn is offered to whoever holds it."""
    out_of_turn: list[int] = []

    def whistles(asked: Request) -> Action | None:
        if asked.waited_for:
            return random_player(asked)
        assert asked.seat not in asked.game.to_act(asked.state)
        out_of_turn.append(asked.seat)
        return None

    play_match(MatchRules(GAMES["pucks"], longest=150, options={"setup": "random"}), [whistles, whistles], "a")
    assert out_of_turn


def test_turns_are_counted_as_the_game_has_them() -> None:
    pucks = MatchRules(GAMES["pucks"], longest=200, options={"setup": "random"}, turn=lambda state: state.turn_of)
    match = play_match(pucks, [random_player] * 2, "a")
    assert 10 < match.turns < match.actions
    placing = play_match(replace(pucks, longest=3, options={}), [random_player] * 2, "a")
    assert placing.turns == 0
    bouncers = play_match(BOUNCERS, [random_player] * 2, "a")
    assert bouncers.turns == bouncers.actions - BOUNCERS.opening


def test_a_player_that_chooses_nothing_in_its_turn_is_refused() -> None:
    with pytest.raises(TypeError, match="nothing in its turn"):
        play_match(BOUNCERS, [lambda asked: None] * 2, "a")


def test_both_games_of_a_pair_have_the_same_opening_and_the_sides_swap_seats() -> None:
    firsts: list[Any] = []

    def notes(asked: Request) -> Action | None:
        firsts.append(asked.state.sides)
        return random_player(asked)

    (one, seated), (other, swapped) = pair(BOUNCERS, (notes, notes), "a", 3)
    assert seated == (0, 1)
    assert swapped == (1, 0)
    assert firsts[0] == firsts[one.actions - 4]
    assert share_of(one, seated) + share_of(one, seated, 1) == 1
    assert other.actions == one.actions


def test_two_sides_share_the_seats_evenly_and_each_seat_is_had_by_both() -> None:
    assert [seating(4, number) for number in range(4)] == [(0, 1, 1, 0), (0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0)]
    assert seating(2, 5) == (0, 1)
    with pytest.raises(ValueError, match="3 seats"):
        seating(3, 0)


def test_elo_is_the_logistic_of_the_share() -> None:
    assert elo(0.5) == 0
    assert elo(0.76) == pytest.approx(200, abs=1)
    assert [elo(0), elo(1)] == [-inf, inf]
    assert all(elo(expected_share(points)) == pytest.approx(points) for points in (-150, 0, 100, 400))


def test_a_difference_has_error_bars() -> None:
    even = difference([0.5, 1.0, 0.0, 0.5] * 10)
    assert even.value == 0
    assert even.low == pytest.approx(-even.high)
    assert even.high == pytest.approx(78.4, abs=0.1), "1.96 of 0.0573, the standard error of 40 pairs"
    won = difference([1.0] * 10)
    assert (won.value, won.high) == (inf, inf)
    assert expected_share(won.low) ** 20 == pytest.approx(0.05)
    assert difference([0.0] * 10).high == -won.low


def test_bars_hold_the_true_difference_nineteen_times_in_twenty() -> None:
    rng = Random("bars")
    inside = 0
    for _ in range(1_000):
        bars = difference([(won(rng, 0.7) + won(rng, 0.7)) / 2 for _ in range(60)])
        inside += bars.low <= elo(0.7) <= bars.high
    assert 920 <= inside <= 980


def won(rng: Random, share: float) -> float:
    return float(rng.random() < share)


def test_without_draws_the_test_is_walds() -> None:
    test = Sprt()
    results = [1.0] * 30 + [0.0] * 6
    enough, too_little = expected_share(200), expected_share(100)
    plain = 30 * log(enough / too_little) + 6 * log((1 - enough) / (1 - too_little))
    assert test.ratio(results) == pytest.approx(plain, abs=0.01)
    assert test.verdict([1.0] * 16) == "open"
    assert test.verdict([1.0] * 18) == "proved"
    assert test.verdict([0.0] * 12) == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize(("points", "wrong"), [(100, "proved"), (200, "refuted")])
def test_the_test_is_wrong_as_seldom_as_it_says(points: float, wrong: str) -> None:
    rng = Random(f"sprt {points}")
    verdicts = [sequence(rng, expected_share(points)) for _ in range(300)]
    assert verdicts.count(wrong) <= 300 * 0.05 + 3 * (300 * 0.05 * 0.95) ** 0.5
    assert "open" not in verdicts


def sequence(rng: Random, share: float) -> str:
    """The verdict on games of which a third are drawn, as soon as there is one."""
    test, results, drawn = Sprt(), list[float](), 0.2
    for _ in range(1_000):
        results.append(0.5 if rng.random() < drawn else won(rng, (share - drawn / 2) / (1 - drawn)))
        if len(results) % 4 == 0 and (verdict := test.verdict(results)) != "open":
            return verdict
    return "open"


def test_results_are_taken_as_a_sequence() -> None:
    results: Sequence[float] = (1.0, 0.5, 0.0)
    assert Sprt().ratio(results) == pytest.approx(Sprt().ratio(list(reversed(results))))
