"""Positions of a puzzle of Bouncers, and what searches find in them: the best move, the best of the others, and proved wins."""

from functools import cached_property
from random import Random
from typing import Final

from typing_extensions import override

from engines.bouncers import Bouncers, State
from engines.bouncers.state import count_position, placement
from engines.game import Action
from engines.values import replace
from opponents.bouncers.evaluation import Position as Placement
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.opponent import BouncersOpponent, chance_of
from opponents.bouncers.paths import paths_of, position_of
from opponents.bouncers.tables import Endings
from opponents.contract import LONGEST, Level
from opponents.puzzles.puzzle import HARDEST
from opponents.search import IDLE, WIN, WINNING, Move, Search, SearchResult
from tools.puzzles.miner import UNSAFE

GAME: Final = Bouncers()

ABOVE: Final = 0.40
"""The least lead of the best move over any other, in chance to win, at each of the solver's moves."""
ENOUGH: Final = 0.85
"""The least chance to win with the best move."""
LEAST_MOVES: Final = 3
"""The fewest legal moves at the solver's first move. Paths that end alike count as one."""
GLANCE: Final = 300
"""The number of positions searched to judge each position of a game and to play on from it."""
FILTER: Final = 16_000
"""The number of positions searched for a candidate."""
DEEP: Final = 4 * BouncersOpponent.budgets[Level.EXPERT].nodes
"""The number of positions searched to confirm a line: four times as many as an expert searches."""
PROVED: Final = 20_000
"""The most positions that a proof looks at."""


def fresh(state: State) -> State:
    """Return a state that has forgotten earlier positions and quiet moves."""
    here = placement(state.setup.size, state.sides, state.kings, state.to_move)
    return replace(state, seen=count_position(here, ()), quiet_plies=0)


class Others(Kernel):
    """The moves of a variant, with some of the root's moves left out."""

    def __init__(self, variant: str, root: Placement, left: list[Move[Placement]], rng: Random | None = None) -> None:
        super().__init__(variant, rng)
        self._root, self._left = root, left

    @override
    def moves(self, position: Placement) -> list[Move[Placement]]:
        return self._left if position == self._root else super().moves(position)


class Node:
    """A position in which the solver or the other side is to move. `position` is the same in the form of the search."""

    def __init__(self, state: State) -> None:
        self.state, self.position = state, position_of(state)
        self._endings = Endings(state)

    @cached_property
    def afters(self) -> dict[Placement, Action]:
        """The positions to which the moves lead, each with its shortest path."""
        return paths_of(self.state)

    def after(self, position: Placement) -> State:
        """Return the state after the move to a position."""
        return GAME.advance(self.state, self.state.to_move, self.afters[position])

    @property
    def known(self) -> int | None:
        """The value of the position in the tables of endings, as the search counts, or None if they do not have it."""
        return self._endings.value(self.position, self.state.quiet_plies)

    def wins_with(self, position: Placement) -> bool:
        """Return whether the move to a position wins, either at once or later by the tables of endings."""
        after = self.after(position)
        if (outcome := GAME.outcome(after)) is not None:
            return bool(outcome.winners)
        value = Node(after).known
        return value is not None and value <= -WINNING

    def unaided(self, nodes: int, depth: int = 64) -> Placement:
        """Return the best move by a search without the tables of endings."""
        search = Search(Kernel(self.state.variant), self.position, nodes=nodes, seconds=UNSAFE)
        return search.best(depth).line[0]

    def best(self, nodes: int, rng: Random | None = None) -> SearchResult[Placement]:
        """Return the best move and its value, by a search of this many nodes."""
        return self._search(Kernel(self.state.variant, rng), nodes).best()

    def unseen(self, best: Placement) -> int:
        """Return at how many of the depths below `HARDEST` a search without tables does not consider a move the best."""
        return sum(self.unaided(DEEP // 4, depth) != best for depth in range(1, HARDEST))

    def value(self, nodes: int, rng: Random | None = None) -> int:
        """Return the value for the side to move. An only move is played first, since a search would not look far beyond it."""
        if not self.afters:
            return -WIN
        if len(self.afters) > 1:
            return self.best(nodes, rng).value
        (after,) = self.afters
        state = self.after(after)
        if (outcome := GAME.outcome(state)) is not None:
            return WIN - 1 if outcome.winners else 0
        value = -Node(state).value(nodes, rng)
        return value - (abs(value) >= WINNING) * (1 if value > 0 else -1)

    def other(self, best: Placement, nodes: int, rng: Random | None = None) -> int | None:
        """Return the value of the best of the other moves, or None if there are no others."""
        kernel, left = Kernel(self.state.variant, rng), list[Move[Placement]]()
        score = kernel.score(self.position)
        for after in self.afters:
            if after != best:
                state = self.after(after)
                if (outcome := GAME.outcome(state)) is not None and outcome.winners:
                    return WIN - 1
                left.append((-kernel.score(after) - score, IDLE if state.quiet_plies else 0, after))
        if len(left) > 1:
            return self._search(Others(self.state.variant, self.position, left, rng), nodes).best().value
        return -Node(self.after(left[0][2])).value(nodes, rng) if left else None

    def _search(self, kernel: Kernel, nodes: int) -> Search[Placement]:
        seconds = max(LONGEST, UNSAFE)
        return Search(
            kernel, self.position, nodes=nodes, seconds=seconds, idle=self.state.quiet_plies, solved=self._endings.value
        )

    def chance(self, value: int) -> float:
        """Return the chance to win that a value stands for, 0 to 1."""
        return chance_of(Kernel(self.state.variant), value)

    def is_alone(self, best: Placement, nodes: int, value: int | None = None, rng: Random | None = None) -> bool:
        """Return whether a move is good enough, and far better than all others.

        It searches `nodes` for the move and as many for the others. If no value is given, the move is searched and has to be
        the best. `rng` shifts the evaluation a little.
        """
        if value is None:
            found = self.best(nodes, rng)
            if found.line[0] != best:
                return False
            value = found.value
        if self.chance(value) < ENOUGH:
            return False
        other = self.other(best, nodes, rng)
        return other is not None and self.chance(value) - self.chance(other) >= ABOVE


class Wins:
    """Wins that are proved by looking at every reply, in an and-or search with the moves of the kernel.

    Draws by repetition and by quiet moves are left out, because they take more moves than it looks at.
    """

    def __init__(self, variant: str) -> None:
        self._kernel = Kernel(variant)
        self._known: dict[tuple[Placement, int], bool] = {}
        self._limit = 0

    def plies(self, node: Node, most: int) -> int | None:
        """Return the fewest plies in which the side to move wins against any defence, or None if more than `most` or unknown.

        Positions that the tables of endings cover are looked up, whatever `most` says.
        """
        if (value := node.known) is not None:
            return WIN - value if value >= WINNING else None
        self._limit = len(self._known) + PROVED
        try:
            return next((plies for plies in range(1, most + 1, 2) if self._wins(node.position, plies)), None)
        except TimeoutError:
            return None

    def _wins(self, position: Placement, plies: int) -> bool:
        if plies < 1:
            return False
        key = position, plies
        if key not in self._known:
            if len(self._known) > self._limit:
                raise TimeoutError
            moves = sorted(self._kernel.moves(position), reverse=True)
            self._known[key] = any(gain >= WINNING or self._loses(after, plies - 1) for gain, _, after in moves)
        return self._known[key]

    def _loses(self, position: Placement, plies: int) -> bool:
        key = position, plies
        if key not in self._known:
            moves = self._kernel.moves(position)
            self._known[key] = not moves or (
                plies > 0 and all(gain < WINNING and self._wins(after, plies - 1) for gain, _, after in moves)
            )
        return self._known[key]
