"""Alpha-beta search for two players who see everything. It finds the best move, its value, and the line of play that follows.

This is a principal-variation search (Marsland and Campbell, 1982), deepened step by step within aspiration windows. It has a
transposition table, killer and history moves (Akl and Newborn, 1977; Schaeffer, 1983), late-move reductions, futility pruning
at the last ply, and a quiescence search, which plays out captures where the depth is used up. Values are for the side to move,
in units of the board's evaluation. The table is keyed by the positions themselves, not by Zobrist numbers, because Python
hashes a tuple of integers faster than it updates such a number, and because two positions are then never confused.
"""

import time
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

P = TypeVar("P", bound=Hashable)
"""The type of positions. Positions have an order, which decides between equally good moves."""
Move = tuple[int, int, P]
"""A move: its gain for the mover's score, its number, and the position after it, in which the other side is to move.

The number says which piece goes where, so that moves can be compared across positions. Its two lowest bits are `LOUD`, `IDLE`
or neither. A move whose gain is `WINNING` wins at once.
"""
LOUD: Final = 1
"""The kind of move that has to be tried before a position can be judged, such as a capture."""
IDLE: Final = 2
"""The kind of move that brings the draw by idle moves nearer."""
WIN: Final = 1_000_000
"""The value of a win now. A later win is worth one less for each ply."""
WINNING: Final = 900_000
"""The least value of a forced win, and the least gain of a move that wins at once."""
_ALWAYS: Final = 4 * WIN
_CAPTURES: Final = 4
"""The most captures in a row that are played out where the depth is used up."""
_BROAD: Final = 3
"""The number of captures that are tried in each position where the depth is used up, beginning with those that gain most."""
_CROWD: Final = 32
"""Generating this many moves takes about as long as visiting a position, and counts as much."""
_FORCED: Final = 24
"""The ply up to which a forced move costs no depth."""
_LEARNT: Final = 60
"""The most that the history of a move counts in the ordering, in units of the evaluation."""


class SearchedGame(Protocol[P]):
    """A game, as the search sees it."""

    @property
    def idle_limit(self) -> int:
        """The number of idle moves in a row that make a draw."""
        ...

    @property
    def margin(self) -> int:
        """The margin beyond which `evaluate` and a position's score hardly ever differ."""
        ...

    @property
    def window(self) -> int:
        """The largest expected difference between the value at one depth and at the next."""
        ...

    def score(self, position: P) -> int:
        """Return the part of the evaluation that moves change by their gains, as seen by the side to move."""
        ...

    def evaluate(self, position: P, score: int) -> int:
        """Return the evaluation for the side to move, given its score, or -WINNING if it has no move and so has lost."""
        ...

    def moves(self, position: P) -> list[Move[P]]:
        """Return every move, or only one that wins at once. One of several moves that lead to the same position is enough."""
        ...

    def loud(self, position: P) -> list[Move[P]]:
        """Return the loud moves among `moves`. Those that take long to find may be missing."""
        ...


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[P]):
    """The result of a search: the value for the side to move, the line of best play, the depth completed, and the nodes."""

    value: int
    line: tuple[P, ...]
    depth: int
    nodes: int


class Enough(Exception):
    """The budget is used up."""


class Search(Generic[P]):
    """A search from one position. It keeps its tables from one question to the next.

    Args:
        board: the game.
        root: the position to be searched. The side to move must have a move in it.
        nodes: the most positions to visit. The first ply is searched at any cost.
        seconds: the most time to take, in seconds of one core.
        idle: the number of idle moves in a row just before the root.
        twice: the positions that make a draw if they come up again.
        stale: given the position after a move of the root, returns whether that move makes no progress.
        reluctance: how much better such a move has to be than another one to be chosen. Values are given without it.
        solved: returns the exact value of a position after a number of idle moves in a row, or None if it is not known.
    """

    def __init__(
        self,
        board: SearchedGame[P],
        root: P,
        *,
        nodes: int,
        seconds: float,
        idle: int = 0,
        twice: Collection[P] = (),
        stale: Callable[[P], bool] | None = None,
        reluctance: int = 0,
        solved: Callable[[P, int], int | None] | None = None,
    ) -> None:
        self.nodes = 0
        self._board, self._root, self._idle, self._twice, self._solved = board, root, idle, twice, solved
        self._limit, self._end = nodes, time.thread_time() + seconds
        self._table: dict[P, tuple[int, int, int, P | None]] = {}
        self._killers: dict[int, tuple[int, int]] = {}
        self._history: dict[int, int] = {}
        self._path: set[P] = {root}
        self._score = board.score(root)
        self._moves = sorted(board.moves(root), reverse=True)
        self._penalties = {} if stale is None else {move[2]: reluctance for move in self._moves if stale(move[2])}
        self._reached = 0

    # --- the root -----------------------------------------------------------------------------------------------------

    def best(self, depth: int = 64) -> SearchResult[P]:
        """Return the best move and the line after it, searched deeper and deeper up to `depth` or the end of the budget."""
        value, best = -_ALWAYS, self._moves[0][2]
        for reached in range(1, depth + 1):
            try:
                value, best = self._widen(reached, value)
            except Enough:
                break
            self._reached = reached
            if abs(value) >= WINNING and reached >= WIN - abs(value):
                break
            if len(self._moves) == 1 and reached >= 2:
                break
        if abs(value) < WINNING:
            value += self._penalties.get(best, 0)  # `_root_value` has taken this off
        return SearchResult(value, (best, *self._line(best)), self._reached, self.nodes)

    def of(self, after: P, idle: int) -> SearchResult[P]:
        """Return the value of one move that does not win at once, searched as deep as `best` was, at any cost.

        `after` is the position after the move, and `idle` the number of idle moves in a row by then.
        """
        self._limit, self._end = _ALWAYS, float("inf")
        value = self._value_of(after, idle, self._reached)
        return SearchResult(value, (after, *self._line(after)), self._reached, self.nodes)

    def leave_out(self, after: P) -> bool:
        """Leave out the moves of the root that lead to a position. Return whether others are left."""
        self._moves = [move for move in self._moves if move[2] != after]
        return bool(self._moves)

    def compare(self, moves: Sequence[tuple[P, int] | None]) -> list[list[int]]:
        """Return the values of some moves at each depth that was searched to its end. There is at least one such depth.

        Each move is given as the position after it and the number of idle moves in a row by then, or as None if it wins at
        once.
        """
        found: list[list[int]] = []
        for depth in range(1, 65):
            try:
                values = [WIN - 1 if move is None else self._value_of(*move, depth) for move in moves]
            except Enough:
                break
            found.append(values)
            self._reached = depth
            if all(abs(value) >= WINNING and depth >= WIN - abs(value) for value in values):
                break
        return found

    def _value_of(self, after: P, idle: int, depth: int) -> int:
        self._path = {self._root}
        return -self._search(after, self._board.score(after), max(1, depth) - 1, -_ALWAYS, _ALWAYS, 1, idle)

    def _widen(self, depth: int, expected: int) -> tuple[int, P]:
        """Return the value at this depth, looked for near the expected one first, and the position after the best move."""
        if depth < 3 or abs(expected) >= WINNING:
            return self._at_root(depth, -_ALWAYS, _ALWAYS)
        low, high = expected - self._board.window, expected + self._board.window
        value, best = self._at_root(depth, low, high)
        if value <= low:
            return self._at_root(depth, -_ALWAYS, high)
        if value >= high:
            return self._at_root(depth, low, _ALWAYS)
        return value, best

    def _at_root(self, depth: int, alpha: int, beta: int) -> tuple[int, P]:
        """Return the root's value, as `_search` does for other positions, and the position after the best move.

        If the budget runs out in between, the best move so far counts, unless it is the first one.
        """
        first, best, value, low = self._moves[0], self._moves[0], -_ALWAYS, alpha
        self._path = {self._root}
        try:
            for move in list(self._moves):
                if value == -_ALWAYS:
                    found = self._root_value(move, depth, alpha, beta)
                else:
                    found = self._root_value(move, depth, alpha, alpha + 1)
                    if alpha < found < beta:
                        found = self._root_value(move, depth, alpha, beta)
                if found > value:
                    best, value, alpha = move, found, max(alpha, found)
                if value >= beta:
                    break
        except Enough:
            if best is first or value <= -WINNING or depth == 1:
                raise
            self._limit = -1
        if value > low:
            self._moves.remove(best)
            self._moves.insert(0, best)
        return value, best[2]

    def _root_value(self, move: Move[P], depth: int, alpha: int, beta: int) -> int:
        """Return the value of a move of the root, less its penalty for making no progress. Wins and losses have no penalty."""
        penalty = self._penalties.get(move[2], 0)
        found = self._after(move, self._score, depth, alpha + penalty, beta + penalty, 0, self._idle)
        return found if abs(found) >= WINNING else found - penalty

    def _line(self, position: P) -> list[P]:
        line: list[P] = []
        known = {self._root, position}
        while (after := self._next(position)) is not None and after not in known:
            line.append(after)
            known.add(after)
            position = after
        return line

    def _next(self, position: P) -> P | None:
        """Return the position after the best move, or None if `position` was neither searched nor solved as won or lost."""
        if (entry := self._table.get(position)) is not None:
            return entry[3]
        if not self._exact(position, 0, 0):
            return None
        moves = self._board.moves(position)
        values = ((WIN if gain >= WINNING else -(self._exact(after, 0, 0) or 0), after) for gain, _, after in moves)
        return max(values)[1] if moves else None

    # --- below it -----------------------------------------------------------------------------------------------------

    def _after(self, move: Move[P], score: int, depth: int, alpha: int, beta: int, ply: int, idle: int) -> int:
        gain, number, after = move
        if gain >= WINNING:
            return WIN - ply - 1
        idle = idle + 1 if number & IDLE else 0
        return -self._search(after, -(score + gain), depth - 1, -beta, -alpha, ply + 1, idle)

    def _exact(self, position: P, idle: int, ply: int) -> int | None:
        """Return a solved position's value as seen from the root, or None if the position has to be searched."""
        value = self._solved(position, idle) if self._solved is not None else None
        return value and (value - ply if value > 0 else value + ply)  # None stays as it is, and so does 0 for a draw

    def _spend(self) -> None:
        """Count a position. Raise Enough if the budget is used up."""
        self.nodes += 1
        if self._reached and (self.nodes > self._limit or (not self.nodes & 63 and time.thread_time() > self._end)):
            raise Enough

    def _search(self, position: P, score: int, depth: int, alpha: int, beta: int, ply: int, idle: int) -> int:
        """Return the value of a position. It is exact if it lies between alpha and beta, and otherwise a bound beyond them."""
        exact = 0 if position in self._path or position in self._twice else self._exact(position, idle, ply)
        if exact is not None:
            return exact
        if depth <= 0:
            return self._quiet(position, score, alpha, beta, ply, _CAPTURES)
        self._spend()
        known = self._table.get(position)
        hint = None
        if known is not None:
            found, kind, deep, hint = known
            if found >= WINNING:
                found -= ply
            elif found <= -WINNING:
                found += ply
            if deep >= depth and (kind == 0 or (kind > 0 and found >= beta) or (kind < 0 and found <= alpha)):
                return found
        moves = self._board.moves(position)
        if not moves:
            return ply - WIN
        self.nodes += len(moves) // _CROWD
        if idle >= self._board.idle_limit:
            return 0
        self._path.add(position)
        value, best = self._try(self._order(moves, hint, ply), score, depth, alpha, beta, ply, idle)
        self._path.discard(position)
        kept = value + ply if value >= WINNING else value - ply if value <= -WINNING else value
        self._table[position] = (kept, 1 if value >= beta else -1 if value <= alpha else 0, depth, best)
        return value

    def _try(
        self, moves: Sequence[tuple[int, Move[P]]], score: int, depth: int, alpha: int, beta: int, ply: int, idle: int
    ) -> tuple[int, P | None]:
        """Try moves in order. Return the best one's value, and the position after it, or None if it is not above alpha."""
        value, best, floor = -_ALWAYS, None, score + self._board.margin
        if len(moves) == 1 and ply < _FORCED:
            depth += 1
        for index, (_, move) in enumerate(moves):
            quiet = not move[1] & LOUD
            if index and quiet and depth == 1 and floor + move[0] <= alpha:
                value = max(value, floor + move[0])
                continue
            if not index:
                found = self._after(move, score, depth, alpha, beta, ply, idle)
            else:
                less = 1 + (index > 12) if depth > 2 and index > 3 and quiet else 0
                found = self._after(move, score, depth - less, alpha, alpha + 1, ply, idle)
                if found > alpha and less:
                    found = self._after(move, score, depth, alpha, alpha + 1, ply, idle)
                if alpha < found < beta:
                    found = self._after(move, score, depth, alpha, beta, ply, idle)
            if found > value:
                value = found
                if found > alpha:
                    alpha, best = found, move[2]
                    if found >= beta:
                        if quiet:
                            self._learn(move[1], depth, ply)
                        break
        return value, best

    def _order(self, moves: list[Move[P]], hint: P | None, ply: int) -> list[tuple[int, Move[P]]]:
        """Return the moves, most promising first: the best one found here before, then by gains and success elsewhere."""
        killers, learnt = self._killers.get(ply, ()), self._history.get
        ordered = []
        for move in moves:
            gain, number, after = move
            if after == hint:
                gain += _ALWAYS
            elif not number & LOUD:
                gain += learnt(number, 0)
                if number in killers:
                    gain += _LEARNT
            ordered.append((gain, move))
        ordered.sort(reverse=True)
        return ordered

    def _learn(self, number: int, depth: int, ply: int) -> None:
        """Remember a quiet move that was so good that the others need not be tried."""
        first = self._killers.get(ply, (-1, -1))[0]
        if number != first:
            self._killers[ply] = (number, first)
        self._history[number] = min(_LEARNT, self._history.get(number, 0) + depth * depth)

    def _quiet(self, position: P, score: int, alpha: int, beta: int, ply: int, left: int) -> int:
        """Return the value of a position if only loud moves are tried, at most `left` of them in a row."""
        self._spend()
        value = self._board.evaluate(position, score)
        if value <= -WINNING:
            return ply - WIN
        if value >= beta or not left:
            return value
        alpha, floor = max(alpha, value), value + self._board.margin
        loud = self._board.loud(position)
        self.nodes += len(loud) // _CROWD
        for gain, _, after in sorted(loud, reverse=True)[:_BROAD]:
            if gain >= WINNING:
                return WIN - ply - 1
            if floor + gain <= alpha:
                break
            exact = self._exact(after, 0, ply + 1)
            found = -(self._quiet(after, -(score + gain), -beta, -alpha, ply + 1, left - 1) if exact is None else exact)
            if found > value:
                value, alpha = found, max(alpha, found)
                if found >= beta:
                    break
        return value
