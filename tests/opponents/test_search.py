"""The search on games that are small enough to be known to the end."""

from functools import cache
from itertools import combinations_with_replacement

import pytest

from opponents.search import IDLE, LOUD, WIN, WINNING, Move, Search, SearchResult

Heaps = tuple[int, ...]


class Nim:
    """Heaps, from one of which a player takes as much as they like; the last to take wins. Taking a whole heap is loud."""

    idle_limit = 100
    margin = 10
    window = 5

    def score(self, position: Heaps) -> int:
        return 0

    def evaluate(self, position: Heaps, score: int) -> int:
        return score if position else -WINNING

    def moves(self, position: Heaps) -> list[Move[Heaps]]:
        found = []
        for index, heap in enumerate(position):
            for left in range(heap):
                rest = (*position[:index], *([left] if left else []), *position[index + 1 :])
                found.append((0, heap << 8 | left << 2 | (0 if left else LOUD), tuple(sorted(rest))))
        return found

    def loud(self, position: Heaps) -> list[Move[Heaps]]:
        return [move for move in self.moves(position) if move[1] & LOUD]


@cache
def plies_to_win(position: Heaps) -> int:
    """Positive: the plies until the side to move has won, if the other holds out; negative: until it has lost."""
    after = [plies_to_win(reached) for _, _, reached in Nim().moves(position)]
    if lost := [plies for plies in after if plies <= 0]:
        return 1 - max(lost)
    return -1 - max(after) if after else 0


def searched(position: Heaps, nodes: int = 10**6) -> SearchResult[Heaps]:
    return Search(Nim(), position, nodes=nodes, seconds=60).best()


HEAPS = [heaps for count in (1, 2, 3) for heaps in combinations_with_replacement(range(1, 5), count)]


@pytest.mark.parametrize("position", HEAPS, ids=str)
def test_small_games_are_solved(position: Heaps) -> None:
    found, truth = searched(position), plies_to_win(position)
    assert (found.value > 0) == (truth > 0)
    assert abs(found.value) >= WINNING
    assert WIN - abs(found.value) >= abs(truth)
    if truth > 0:
        assert plies_to_win(found.line[0]) <= 0


def solved(position: Heaps, idle: int) -> int | None:
    """The value of a position of at most two heaps."""
    plies = plies_to_win(position)
    return None if len(position) > 2 else WIN - plies if plies > 0 else -WIN - plies


@pytest.mark.parametrize("position", HEAPS, ids=str)
def test_solved_positions_are_not_searched(position: Heaps) -> None:
    truth, plain = plies_to_win(position), searched(position)
    found = Search(Nim(), position, nodes=10**6, seconds=60, solved=solved).best()
    assert found.value == (WIN - truth if truth > 0 else -WIN - truth)
    assert len(found.line) == abs(truth)
    assert found.nodes <= plain.nodes if len(position) > 2 else not found.nodes


def test_a_move_is_valued_like_the_best_one() -> None:
    search = Search(Nim(), (1, 2, 4), nodes=10**6, seconds=60)
    best = search.best()
    for _, _, after in Nim().moves((1, 2, 4)):
        value = search.of(after, 0).value
        assert value <= best.value
        assert (value > 0) == (plies_to_win(after) <= 0)


def test_the_same_question_has_the_same_answer_and_costs_what_it_may() -> None:
    found = searched((4, 5, 6), 500)
    assert found == searched((4, 5, 6), 500)
    assert found.nodes <= 501


def test_time_is_a_net_below_the_nodes() -> None:
    found = Search(Nim(), (5, 6, 7), nodes=10**9, seconds=0).best()
    assert found.depth >= 1
    assert found.nodes < 2_000


class Circle(Nim):
    """A token goes round a circle of nine places, one or two at a time; nobody ever wins. All moves are idle."""

    idle_limit = 6

    def evaluate(self, position: Heaps, score: int) -> int:
        return 50

    def moves(self, position: Heaps) -> list[Move[Heaps]]:
        return [(0, position[0] << 4 | step << 2 | IDLE, ((position[0] + step) % 9,)) for step in (1, 2)]


def test_a_repeated_position_is_a_draw() -> None:
    assert Search(Circle(), (0,), nodes=1_000, seconds=60).best(1).value == -50
    assert Search(Circle(), (0,), nodes=1_000, seconds=60, twice={(1,)}).best(1).value == 0
    assert Search(Circle(), (0,), nodes=1_000, seconds=60, twice={(1,), (2,)}).best(1).value == 0


def test_too_many_idle_moves_are_a_draw() -> None:
    assert Search(Circle(), (0,), nodes=1_000, seconds=60, idle=2).best(3).value == -50
    assert Search(Circle(), (0,), nodes=1_000, seconds=60, idle=4).best(3).value == 0
