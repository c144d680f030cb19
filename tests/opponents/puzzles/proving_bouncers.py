"""Puzzles of Bouncers proved again by the slow reading of the rules, which shares no code with the miner.

A forced win is proved by looking at every reply; that no other move is as good, by showing that none wins in as many plies. A
puzzle from a search is searched again, by counting pieces. Endings of three pieces are looked up in the tables, whose every
value `tests/opponents/bouncers/test_tables.py` proves by the same slow rules.
"""

from collections.abc import Iterator
from typing import Final

from engines.position_codes import Line
from opponents.puzzles.puzzle import Goal, Proof, Puzzle
from tests.engines.bouncers.slow import Board, Man, Result, Square, moves, read, won
from tests.opponents.bouncers.solving_slowly import looked_up

LONGEST: Final = 7
"""The most plies of a win that is proved."""
Key = tuple[frozenset[tuple[Square, Man]], str]


def key(board: Board) -> Key:
    return frozenset(board.men.items()), board.to_move


def results(board: Board) -> list[Board]:
    """The boards after all moves, those that end alike once, those with the fewest enemies first."""
    found = {key(result.board): result.board for result in moves(board)}
    return sorted(found.values(), key=lambda after: (len(after.men), sorted(after.men)))


class Prover:
    """Proves wins by force, and remembers them."""

    def __init__(self) -> None:
        self._known: dict[tuple[Key, int], bool] = {}

    def wins(self, board: Board, plies: int) -> bool:
        """Whether the side to move wins with the last of so many plies, or earlier, against any defence."""
        if plies < 1:
            return False
        known = key(board), plies
        if known not in self._known:
            after = results(board)
            self._known[known] = any(self.loses(each, fewer) for fewer in range(0, plies, 2) for each in after)
        return self._known[known]

    def loses(self, board: Board, plies: int) -> bool:
        """Whether the side to move has lost, or loses within so many plies whatever it plays."""
        if won(board):
            return True
        known = key(board), plies
        if known not in self._known:
            after = results(board)
            self._known[known] = not after or (plies > 0 and all(self.wins(each, plies - 1) for each in after))
        return self._known[known]


def worth(board: Board, colour: str) -> int:
    """A colour's pieces less those of the other; a king counts two."""
    return sum((1 + man.king) * (1 if man.colour == colour else -1) for man in board.men.values())


def gain(board: Board, depth: int, low: int = -1000, high: int = 1000) -> int:
    """What the side to move is ahead by after so many plies of best play; a win is worth 100."""
    if won(board):
        return -100
    after = results(board)
    if not after:
        return -100
    if not depth:
        return worth(board, board.to_move)
    best = low
    for each in after:
        best = max(best, -gain(each, depth - 1, -high, -best))
        if best >= high:
            break
    return best


def boards_of(line: Line) -> Iterator[tuple[Board, Board]]:
    """The board before and after each move of a line. Fails if the slow rules have no such move."""
    board = read(line.start.game.position(line.start.state))
    for _, action in line.actions:
        found: list[Result] = [result for result in moves(board) if result.squares == action]
        assert found, f"{action} is no move"
        yield board, found[0].board
        board = found[0].board


def prove(puzzle: Puzzle) -> None:
    steps = list(boards_of(puzzle.line))
    first, last = steps[0][0], steps[-1][1]
    assert len(results(first)) >= 3
    captures = [each for each in results(first) if len(each.men) < len(first.men)]
    assert len(captures) != 1 or key(captures[0]) != key(steps[0][1]), "it is the only capture"
    prover = Prover()
    plies = _plies(prover, puzzle, first)
    if puzzle.goal is Goal.FORCE:
        assert plies == 2 * puzzle.moves - 1, "it takes another number of moves"
    if puzzle.goal is Goal.WIN:
        assert won(last) or not results(last)
        assert plies == len(steps), "it takes another number of moves"
    for place in range(0, len(steps), 2):
        before, after = steps[place]
        others = [each for each in results(before) if key(each) != key(after)]
        assert others, "there is no other move"
        _prove_alone(prover, puzzle.proof, after, others, None if plies is None else plies - place)


def _plies(prover: Prover, puzzle: Puzzle, board: Board) -> int | None:
    """The plies in which the side to move wins by force, if known."""
    if puzzle.proof is Proof.TABLES:
        return looked_up(board)
    if puzzle.proof is Proof.SEARCHED:
        return None
    return next(plies for plies in range(1, LONGEST + 1, 2) if prover.wins(board, plies))


def _prove_alone(prover: Prover, proof: Proof, after: Board, others: list[Board], plies: int | None) -> None:
    """Fail unless a move is better than all others."""
    if proof is Proof.TABLES:
        assert won(after) or _is_lost(after)
        assert not any(won(other) or _is_lost(other) for other in others)
    elif plies is not None:
        assert prover.loses(after, plies - 1), "it does not win"
        assert not any(prover.loses(other, plies - 1) for other in others), "another move wins as soon"
    else:
        assert any(-gain(after, depth) > max(-gain(other, depth) for other in others) for depth in (2, 3, 4))


def _is_lost(board: Board) -> bool:
    value = looked_up(board)
    return value is not None and value % 2 == 0
