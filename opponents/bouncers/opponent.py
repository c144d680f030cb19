"""A computer player of Bouncers."""

from math import exp
from random import Random
from typing import ClassVar, Final

from typing_extensions import override

from engines.bouncers import State
from engines.bouncers.state import winner_on_board
from engines.game import Action, check, legal_actions
from engines.text import Text
from opponents.bouncers import words
from opponents.bouncers.easy import glance
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import Side, line_of, paths_of, position_of, seen_twice, side_of, stood_before
from opponents.bouncers.tables import Endings
from opponents.contract import Budget, Judgement, Level, Loss, Memory, Opponent, Thought
from opponents.search import WIN, WINNING, Search, SearchResult

LOST: Final = 0.05
"""The chance to win at or below which a game may be given up."""
EVEN: Final = 0.1
"""The largest distance of the chance to win from one half at which a draw is right."""
IDLE: Final = 40
"""The number of moves without a capture or a counter's step after which an even game is unlikely to be decided any more."""
ABOUT_AS_GOOD: Final = 0.05
"""The largest drop in the chance to win that is accepted in order to avoid a move that only goes back."""


class BouncersOpponent(Opponent[State]):
    """The computer player of Bouncers. The easy level looks at one move, as a beginner does; the other levels search.

    The nodes of its budgets are positions visited. The expert level and all judgements use the tables of endings.
    """

    budgets: ClassVar = {
        Level.EASY: Budget(200),
        Level.MEDIUM: Budget(600),
        Level.HARD: Budget(4_500),
        Level.EXPERT: Budget(25_000),
    }

    @override
    def _choose(self, state: State, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        check(self.game, state, seat, next(legal_actions(self.game, state, seat), ()))
        kernel = Kernel(state.variant, rng)
        if self.level is Level.EASY:
            return self._glance(state, kernel, rng)
        if self.level is not Level.EXPERT:
            return _thought_of(state, kernel, _search(state, kernel, budget, playing=True).best())
        endings = Endings(state)
        return _thought_of(state, kernel, endings.settle(_search(state, kernel, budget, endings, playing=True).best()))

    def _glance(self, state: State, kernel: Kernel, rng: Random) -> Thought:
        paths, position = paths_of(state), position_of(state)
        value, after = glance(kernel, position, paths, rng, stood_before(state))
        # The gain of a move does not undo a loss that the answer brings.
        decided_now = 2 * abs(value) > WINNING
        chance = float(value > 0) if decided_now else chance_of(kernel, kernel.score(position) + value)
        return Thought(paths[after], chance, ((state.to_move, paths[after]),), len(paths))

    @override
    def _judge(self, state: State, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        check(self.game, state, seat, action)
        kernel, endings = Kernel(state.variant), Endings(state)
        search = _search(state, kernel, budget, endings)
        best = endings.settle(search.best())
        after = self.game.advance(state, seat, action)
        reached = position_of(after)
        if best.line[0] == reached:
            played = best
        elif winner_on_board(after) == seat:
            played = SearchResult(WIN - 1, (reached,), 1, best.nodes)
        else:
            played = endings.settle(search.of(reached, after.quiet_plies))
        told = _thought_of(state, kernel, played, action)
        return Judgement(told if played.value >= best.value else _thought_of(state, kernel, best), told)

    @override
    def _rival(self, state: State, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        kernel, endings = Kernel(state.variant), Endings(state)
        search = _search(state, kernel, budget, endings)
        if not search.leave_out(position_of(self.game.advance(state, seat, action))):
            return None
        return _thought_of(state, kernel, endings.settle(search.best()))

    @override
    def _compare(
        self, state: State, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        """Search both moves to the same depths. Odd and even ones differ, so the sure loss is the smaller of the last two."""
        kernel, endings = Kernel(state.variant), Endings(state)
        search = _search(state, kernel, budget, endings)
        after = [self.game.advance(state, seat, action) for action in actions]
        won = [winner_on_board(reached) == seat for reached in after]
        values = search.compare(
            [None if done else (position_of(reached), reached.quiet_plies) for reached, done in zip(after, won, strict=True)]
        )
        losses = [better - worse for better, worse in ([chance_of(kernel, value) for value in pair] for pair in values)]
        return Loss(losses[-1], min(losses[-2:]))

    @override
    def _assess(self, state: State, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        kernel, endings = Kernel(state.variant), Endings(state)
        chance = chance_of(kernel, endings.settle(_search(state, kernel, budget, endings).best()).value)
        return (chance, 1 - chance) if state.to_move == 0 else (1 - chance, chance)

    @override
    def _reason(self, state: State, seat: int, thought: Thought, memory: Memory) -> Text | None:
        return words.reason(self.game, state, thought)

    @override
    def hopeless(self, state: State, thought: Thought) -> bool:
        """Return whether the game is as good as lost, and the side to move has fewer than half the other side's pieces."""
        own, enemy = state.sides[state.to_move], state.sides[1 - state.to_move]
        return thought.chance_to_win <= LOST and 2 * own.bit_count() < enemy.bit_count()

    @override
    def drawn(self, state: State, thought: Thought) -> bool:
        """Return whether kings have moved to and fro for a long time and neither side is ahead."""
        return state.quiet_plies >= IDLE and abs(thought.chance_to_win - 0.5) <= EVEN


def _search(
    state: State, kernel: Kernel, budget: Budget, endings: Endings | None = None, *, playing: bool = False
) -> Search[Position]:
    """Return the search from a state. With `playing`, the result is going to be played, so it should make progress."""
    stood, seat = stood_before(state) if playing else frozenset[Side](), state.to_move
    return Search(
        kernel,
        position_of(state),
        nodes=budget.nodes,
        seconds=budget.seconds,
        idle=state.quiet_plies,
        twice=seen_twice(state),
        stale=(lambda after: side_of(after, seat) in stood) if stood else None,
        reluctance=round(4 * ABOUT_AS_GOOD * kernel.weights.spread),
        solved=None if endings is None else endings.value,
    )


def chance_of(kernel: Kernel, value: int) -> float:
    """Return the chance to win that a value stands for. Forced wins and losses are certain."""
    if abs(value) >= WINNING:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + exp(-value / kernel.weights.spread))


def _thought_of(state: State, kernel: Kernel, found: SearchResult[Position], action: Action | None = None) -> Thought:
    """Return a search's result in terms of the game. `action`, if given, is the first move, by whichever path it takes."""
    line = tuple(line_of(state, found.line))
    if action is not None:
        line = ((state.to_move, action), *line[1:])
    return Thought(line[0][1], chance_of(kernel, found.value), line, found.nodes)
