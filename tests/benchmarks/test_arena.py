"""The arena can start, goes on where it was, and its results are on the page of the opponents."""

from math import inf
from pathlib import Path

import pytest

from benchmarks import arena
from benchmarks.arena import Bout, BoutGame, contest, elo_words, finite, named, result_of, row, stored_pairs
from benchmarks.matches import MatchResult

RANDOM = Bout("bunny", "random", "random", 0.5)


def game(share: float, turns: int = 30, *, cut: bool = False) -> BoutGame:
    return share, MatchResult((share, 1 - share), 2 * turns, turns, cut, ((0.1, 0.3), (1.0,))), (0, 1)


def test_the_page_has_the_results_as_they_were_measured() -> None:
    results = arena.newest()
    assert arena.section(results) in arena.PAGE.read_text(encoding="utf-8")
    assert [one.name for one in results] == [bout.name for bout in arena.BOUTS if bout.name in {one.name for one in results}]


@pytest.mark.slow
def test_a_bout_goes_on_where_it_was_unless_the_code_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "FOLDER", tmp_path / "arena")
    two = contest(RANDOM, 4, jobs=2)
    three = contest(RANDOM, 6, jobs=1)
    assert [[share for share, _, _ in both] for both in three[:2]] == [[share for share, _, _ in both] for both in two]
    assert three[:2] == two, "what was kept was not played again"
    code = arena.fingerprint("bunny")
    assert stored_pairs(RANDOM, code) == three
    assert stored_pairs(RANDOM, "other code") == []


def test_the_result_of_a_bout_counts_wins_draws_losses_and_seconds() -> None:
    pairs = [(game(1.0), game(0.5, 40, cut=True)), (game(1.0, 20), game(0.0))]
    result = result_of(RANDOM, pairs)
    assert (result.games, result.won, result.drawn, result.lost, result.score) == (4, 2, 1, 1, 0.625)
    assert (result.turns, result.cut) == (30, 1)
    assert result.seconds[0] == pytest.approx((0.2, 0.3, 0.3))
    assert result.seconds[1] == (1.0, 1.0, 1.0)
    assert result.aim == "≥ 50 % ✓"
    assert row(result)[:4] == ("bunny", "random – random", "4", "2 – 1 – 1")


def test_levels_are_told_apart_by_a_sequential_test() -> None:
    levels = Bout("bunny", "hard", "medium")
    assert result_of(levels, [(game(1.0), game(1.0))] * 5).aim == "≥ 100 Elo open"
    assert result_of(levels, [(game(1.0), game(1.0))] * 10).aim == "≥ 100 Elo ✓"
    assert result_of(levels, [(game(0.0), game(1.0))] * 20).aim == "≥ 100 Elo ✗"


def test_an_infinite_difference_is_given_by_its_bound() -> None:
    assert elo_words(result_of(RANDOM, [(game(1.0), game(1.0))] * 10)).startswith("> +3")
    assert elo_words(result_of(RANDOM, [(game(0.0), game(0.0))] * 10)).startswith("< -3")
    assert [finite(inf), finite(-inf), finite(2.0)] == [None, None, 2.0]


def test_bouts_are_named_whole_or_by_their_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    assert [bout.name for bout in named(["bunny/hard-medium"])] == ["bunny/hard-medium"]
    assert {bout.where for bout in named(["pucks-2"])} == {"pucks-2"}
    assert list(named([])) == list(arena.BOUTS)
    assert arena.main(["chess"]) == 2
    assert "there are: bouncers-8x8-16/medium-easy" in capsys.readouterr().err
