"""Composed puzzles of Bouncers, for which pieces are put down at random until one move may be far better than all others."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from engines.bouncers import State
from engines.bouncers.state import SETUPS, Setup
from opponents.bouncers.opponent import BouncersOpponent
from opponents.contract import Level
from opponents.puzzles.puzzle import Proof
from opponents.search import WIN, WINNING
from tools.puzzles.bouncers_nodes import ENOUGH, FILTER, GAME, GLANCE, LEAST_MOVES, Node, fresh
from tools.puzzles.miner import Find, seeded

PIECES: Final = (2, 7)
"""The fewest and the most pieces of one side in a composed position. The other side has as many, or one more."""
KINGS: Final = 0.3
"""The share of kings among the pieces, in variants in which the game goes on after a counter has reached the last rank."""
BALANCED: Final = (0.25, ENOUGH)
"""The least and the greatest chance to win of a composed position, as judged by a level that does not see through it."""
SECOND: Final = 0.6
"""The greatest chance to win with the second-best move if the best one wins. Both are judged by a short search."""
_DRAWN: Final = 20_000
"""The most positions that are composed in one place."""
KINGS_OF_ENDING: Final = 0.8
"""The share of kings in an ending."""
_ENDINGS_DRAWN: Final = 200_000
"""The most endings that are drawn in one place. They are looked up in the tables, which takes next to no time."""


@dataclass(frozen=True, slots=True)
class BouncersTarget:
    """The kind of composed puzzle that is looked for.

    Attributes:
        unseen: a level that must not always solve the puzzle although its win is proved, or None if there is no such level.
        own: the least number of moves by the solver.
    """

    unseen: Level | None = None
    own: int = 1

    def fits(self, find: Find) -> bool:
        """Return whether a find is of this kind."""
        if self.unseen is not None and (find.solved[self.unseen] == 1 or find.puzzle.proof is Proof.SEARCHED):
            return False
        return len(find.puzzle.own) >= self.own


_KINDS: Final = (BouncersTarget(own=2), BouncersTarget(Level.MEDIUM), BouncersTarget(), BouncersTarget(Level.HARD))
"""The kinds that take turns in variants in which a counter on the last rank wins.

In the other variants, all kinds but the plain one are rare.
"""
_LEAST_PLIES: Final = 3
"""The fewest plies of a win that is found by a short search."""
MOST_PLIES: Final = 7
"""The most plies of a win that a level has to overlook. Such wins can still be proved by looking at every reply."""
_PIECES_OF_ENDING: Final = 3
"""The number of pieces in an ending, counting both sides. It is as many as the tables of endings cover."""
_LONG: Final = 7
"""The fewest plies to the win in an ending. Nearly all levels see shorter wins."""


def kind_of(variant: str, number: int) -> BouncersTarget:
    """Return the kind of puzzle that is composed in a place."""
    return _KINDS[number % len(_KINDS)] if SETUPS[variant].terminal else BouncersTarget()


def compositions(variant: str, number: int, kind: BouncersTarget) -> Iterator[State]:
    """Yield composed positions in which one move may be far better than all others, and which a level does not see through."""
    rng = seeded(f"{GAME.id} composed {variant} {number}")
    for _ in range(_DRAWN):
        state = _put_down(SETUPS[variant], variant, rng)
        if state is not None and GAME.outcome(state) is None:
            node = Node(state)
            if len(node.afters) >= LEAST_MOVES and (_wins_by_one(node) if kind.unseen is None else _turns(node, kind.unseen)):
                yield state


def _put_down(setup: Setup, variant: str, rng: Random) -> State | None:
    """Return a position with pieces put down at random, or None if a counter stands on its last rank."""
    own = rng.randint(*PIECES)
    squares = [1 << square for square in rng.sample(range(setup.size * setup.size), own + own + rng.randrange(2))]
    kings = 0 if setup.terminal else sum(square for square in squares if rng.random() < KINGS)
    sides, to_move = [sum(squares[:own]), sum(squares[own:])], rng.randrange(2)
    if to_move:
        sides.reverse()
    if any(side & ~kings & rank for side, rank in zip(sides, setup.board.last_ranks, strict=True)):
        return None
    return fresh(State(variant, (sides[0], sides[1]), kings, to_move))


def _wins_by_one(node: Node) -> bool:
    """Return whether exactly one move wins, though not at once, by a search as short as that of Medium."""
    best = node.best(_nodes(Level.MEDIUM))
    if best.value < WINNING or WIN - best.value < _LEAST_PLIES:
        return False
    second = node.other(best.line[0], _nodes(Level.MEDIUM))
    return second is not None and node.chance(second) <= SECOND


def _turns(node: Node, level: Level) -> bool:
    """Return whether a position seems balanced both at a glance and to a level, while a deeper search finds a quick win."""
    least, most = BALANCED
    balanced = all(least < node.chance(node.best(nodes).value) < most for nodes in (GLANCE, _nodes(level)))
    return balanced and node.best(FILTER).value >= WIN - MOST_PLIES


def endings(variant: str, number: int) -> Iterator[State]:
    """Yield endings in which exactly one move wins by the tables, but so slowly that hardly any level sees it."""
    setup, rng = SETUPS[variant], seeded(f"{GAME.id} ending {variant} {number}")
    for _ in range(_ENDINGS_DRAWN):
        squares = [1 << square for square in rng.sample(range(setup.size * setup.size), _PIECES_OF_ENDING)]
        kings = sum(square for square in squares if rng.random() < KINGS_OF_ENDING)
        sides = (squares[0] | squares[1], squares[2])
        if any(side & ~kings & rank for side, rank in zip(sides, setup.board.last_ranks, strict=True)):
            continue
        state = fresh(State(variant, sides, kings, 0))
        if GAME.outcome(state) is None and _wins_late(Node(state)):
            yield state


def _wins_late(node: Node) -> bool:
    """Return whether exactly one move wins by the tables of endings, and only in many plies."""
    value = node.known
    if value is None or not WINNING <= value <= WIN - _LONG or len(node.afters) < LEAST_MOVES:
        return False
    return sum(node.wins_with(after) for after in node.afters) == 1


def _nodes(level: Level) -> int:
    return BouncersOpponent.budgets[level].nodes
