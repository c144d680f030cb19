"""The tables of endings are right by the rules alone, and the computer plays and speaks by them."""

from itertools import islice
from random import Random

import pytest

from engines.bouncers import Bouncers, State
from engines.bouncers.position import read_position
from engines.chance import UNSEEDED
from opponents import LEVELS, Level, opponent
from opponents.bouncers import paths, tables
from opponents.bouncers.tables import Endings, layout_of, table_of
from opponents.search import WIN
from tests.engines.bouncers.slow import Board, name
from tests.opponents.bouncers.solving_slowly import (
    GEOMETRIES,
    Value,
    boards,
    lone_file,
    looked_up,
    position_of,
    random_board,
    solved,
    value_of,
)
from tools.bouncers_endings import positions, solve

GAME = Bouncers()
QUICK = (8, True)
geometries = pytest.mark.parametrize(("size", "terminal"), GEOMETRIES)


def state_of(board: Board, **more: object) -> State:
    squares = {
        f"{colour}{'_kings' if king else ''}": [name(at) for at, man in board.men.items() if man == (colour, king)]
        for colour in ("red", "blue")
        for king in (False, True)
    }
    variant = f"{board.size}x{board.size}-{20 if board.size == 10 else 16}{'-terminal' if board.terminal else ''}"
    return read_position({"variant": variant, "to_move": int(board.to_move == "blue"), **squares, **more}, UNSEEDED)


def random_states(size: int, terminal: bool, number: int) -> list[tuple[State, Value]]:
    """Positions of three pieces in which there is a move, with their values."""
    rng = Random(f"{size} {terminal}")
    found: list[tuple[State, Value]] = []
    while len(found) < number:
        board = random_board(size, terminal, 3, rng)
        if (value := looked_up(board)) != 0:
            found.append((state_of(board), value))
    return found


def check_two(size: int, terminal: bool) -> None:
    """Compare the values of all positions of two pieces with those of a search through all of them."""
    values = solved(size, terminal)
    for board in boards(size, terminal, 2):
        assert looked_up(board) == values[position_of(board)]


def check_three(size: int, terminal: bool, number: int) -> None:
    """Check that the values of random positions of three pieces follow from those after each of their moves."""
    rng = Random(f"{size} {terminal}")
    for _ in range(number):
        board = random_board(size, terminal, 3, rng)
        assert looked_up(board) == value_of(board, looked_up)


@pytest.mark.slow
def test_two_pieces_are_solved_as_the_rules_alone_say() -> None:
    check_two(*QUICK)


@pytest.mark.proof
@geometries
def test_each_position_of_two_pieces_is_solved_as_the_rules_alone_say(size: int, terminal: bool) -> None:
    check_two(size, terminal)


@geometries
def test_positions_of_three_pieces_follow_from_their_moves(size: int, terminal: bool) -> None:
    check_three(size, terminal, 100)


@pytest.mark.proof
@geometries
def test_a_hundred_thousand_positions_of_three_pieces_follow_from_their_moves(size: int, terminal: bool) -> None:
    check_three(size, terminal, 25_000)


@pytest.mark.proof
@geometries
def test_each_position_of_three_pieces_follows_from_its_moves(size: int, terminal: bool) -> None:
    """Those of Red to move, as the board can be turned, with the lone piece of a side in the left half."""
    for board in boards(size, terminal, 3, ["red"]):
        if lone_file(board) <= size // 2:
            assert looked_up(board) == value_of(board, looked_up)


@pytest.mark.proof
@geometries
def test_the_files_are_what_solving_gives(size: int, terminal: bool) -> None:
    assert solve(size, terminal) == table_of(size, terminal)


@pytest.mark.slow
def test_the_smallest_file_is_what_solving_gives() -> None:
    assert solve(*QUICK) == table_of(*QUICK)


@pytest.mark.slow
@geometries
def test_no_two_positions_share_an_index(size: int, terminal: bool) -> None:
    layout = layout_of(size, terminal)
    for matchup, block in layout.blocks.items():
        indices = [layout.index(position) for position in islice(positions(layout, matchup), 20_000)]
        assert len(set(indices)) == len(indices)
        assert all(index is not None and 0 <= index - block.start < size * size // 2 * block.width for index in indices)


@geometries
def test_an_expert_wins_in_as_many_plies_as_the_table_says(size: int, terminal: bool) -> None:
    player = opponent("bouncers", Level.EXPERT)
    for state, value in random_states(size, terminal, 20):
        if value is not None and value % 2:
            winner, plies = state.to_move, 0
            while (outcome := GAME.outcome(state)) is None:
                thought = player.choose(state, state.to_move, stream="a")
                assert thought.chance_to_win == (state.to_move == winner)
                state = GAME.advance(state, state.to_move, thought.action)
                plies += 1
            assert (outcome.winners, plies) == ((winner,), value)


def test_an_expert_keeps_a_draw_and_plays_on() -> None:
    player = opponent("bouncers", Level.EXPERT)
    for state, value in random_states(8, terminal=False, number=6):
        if value is None:
            thought = player.choose(state, state.to_move, stream="a")
            after = GAME.advance(state, state.to_move, thought.action)
            assert thought.chance_to_win == 0.5
            assert thought.nodes > 100
            assert Endings(after).drawn


@pytest.mark.slow
def test_a_review_knows_draws_and_lost_wins_at_any_level() -> None:
    state = GAME.from_position(
        {"variant": "8x8-16", "to_move": 0, "red": [], "red_kings": ["d4", "a1"], "blue": [], "blue_kings": ["h8"]}
    )
    for level in LEVELS:
        player = opponent("bouncers", level)
        assert player.assess(state, stream="a") == (0.5, 0.5)
        judged = player.judge(state, 0, ("d4", "e5"), stream="a")
        assert (judged.best.chance_to_win, judged.played.chance_to_win) == (0.5, 0.5)
        blunder = player.judge(GAME.advance(state, 0, ("d4", "e5")), 1, ("h8", "g7"), stream="a")
        assert (blunder.best.chance_to_win, blunder.played.chance_to_win) == (0.5, 0.0)


def test_only_the_expert_uses_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(size: int, terminal: bool) -> bytes:
        raise FileNotFoundError

    ((state, _),) = random_states(8, terminal=False, number=1)
    monkeypatch.setattr(tables, "table_of", closed)
    for level in LEVELS[:-1]:
        opponent("bouncers", level).choose(state, state.to_move, stream="a")
    with pytest.raises(FileNotFoundError):
        opponent("bouncers", Level.EXPERT).choose(state, state.to_move, stream="a")


WON = {"variant": "8x8-16", "to_move": 0, "red": [], "red_kings": ["b2", "d4"], "blue": ["h8"], "blue_kings": []}
"""Red wins in five plies."""


def value_in(state: State, position: State) -> int | None:
    return Endings(state).value(paths.position_of(position), position.quiet_plies)


@pytest.mark.parametrize(("quiet_plies", "known"), [(0, True), (95, True), (96, False)])
def test_a_win_counts_only_if_it_comes_before_the_draw_by_quiet_moves(quiet_plies: int, known: bool) -> None:
    state = GAME.from_position({**WON, "quiet_plies": quiet_plies})
    assert value_in(state, state) == (WIN - 5 if known else None)


def test_a_win_counts_only_if_no_position_of_as_many_pieces_came_twice() -> None:
    state = GAME.from_position({**WON, "seen": {"7b/8/8/8/2R5/8/1R6/8 1": 2}})
    fewer = GAME.from_position({**WON, "red_kings": ["d4"]})
    assert value_in(state, state) is None
    assert value_in(state, fewer) == value_in(fewer, fewer) == WIN - 5


def test_the_reason_says_in_how_many_moves_it_wins() -> None:
    player, state = opponent("bouncers", Level.EXPERT), GAME.from_position(WON)
    thought = player.choose(state, 0, stream="a")
    assert len(thought.line) == 5
    assert str(player.reason(state, 0, thought)) == "It wins in 3 moves, whatever Blue does."
    for seat, action in thought.line[:2]:
        state = GAME.advance(state, seat, action)
    assert str(player.reason(state, 0, player.choose(state, 0, stream="a"))) == "It wins in 2 moves, whatever Blue does."
