"""The computer player of Bounce Bunny Bounce. Its four levels differ in how far they look ahead and how much they remember."""

from dataclasses import replace
from random import Random
from typing import ClassVar, Final

from typing_extensions import override

from engines.bunny import BunnyState
from engines.bunny.field import SPACES
from engines.game import Action, check
from engines.text import Text
from opponents.bunny.kernel import number
from opponents.bunny.knowledge import Belief
from opponents.bunny.reasons import plainer, reason
from opponents.bunny.search import Edge, Mind, Search, action
from opponents.contract import Budget, Judgement, Level, Loss, Memory, Opponent, Thought, sampled_judgement, sampled_loss

_MINDS: Final = {
    Level.EASY: Mind(span=4, depth=1, turns=0, beginner=True),
    Level.MEDIUM: Mind(span=4, depth=2, turns=0),
    Level.HARD: Mind(span=None, depth=None, turns=4),
    Level.EXPERT: Mind(span=None, depth=None, turns=4),
}

_DRAWISH: Final = 60
"""The number of turns in a row without a Carrot after which a draw may be plainly right."""


_ABOUT_AS_GOOD: Final = 0.03
"""The most chance to win that advice may give away to name a move whose use is plain, where the use of the best one is not."""


class BunnyOpponent(Opponent[BunnyState]):
    """The computer player of Bounce Bunny Bounce. Its budgets count imagined games."""

    budgets: ClassVar[dict[Level, Budget]] = {
        Level.EASY: Budget(40),
        Level.MEDIUM: Budget(400),
        Level.HARD: Budget(80),
        Level.EXPERT: Budget(8_000),
    }

    @override
    def _choose(self, state: BunnyState, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        self._check(state, seat)
        search = self._search(state, seat, budget, memory, rng)
        return self._thought_of(search, search.root.best())

    @override
    def _advise(self, state: BunnyState, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        """Choose a move. If its use is not plain, prefer the likeliest move with a plain use, provided it is about as good."""
        self._check(state, seat)
        belief = Belief(state, seat, memory)
        search = self._search(state, seat, budget, memory, rng)
        best = search.root.best()
        plain = [search.root.edge(move) for move in plainer(belief.certain(), seat, best.move)]
        if not plain:
            return self._thought_of(search, best)
        other, half = max(plain, key=lambda edge: (edge.visits, edge.total)), replace(budget, nodes=max(1, budget.nodes // 2))
        search.grow(replace(half, nodes=max(0, min(half.nodes, best.visits - other.visits))), lambda: other)
        chosen, plainer_one = self._thought_of(search, best), self._thought_of(search, other)
        loss = self._compare(state, seat, (chosen.action, plainer_one.action), half, memory, rng)
        return plainer_one if loss.least <= 0 or loss.mean <= _ABOUT_AS_GOOD else chosen

    @override
    def _judge(self, state: BunnyState, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        """Think as for a choice, try the action until it has had as many tries as the best one, and then compare the two.

        Half of the budget goes into comparing them in new worlds, because the best one was lucky in those of the tree.
        """
        check(self.game, state, seat, action)
        half = replace(budget, nodes=max(1, budget.nodes // 2))
        search = self._search(state, seat, half, memory, rng)
        best, played = search.root.best(), search.root.edge(number(action))
        if played is best:
            found = self._thought_of(search, best)
            return Judgement(found, found)
        search.grow(replace(half, nodes=max(0, best.visits - played.visits)), lambda: played)
        differences = search.compare(best, played, half)
        return sampled_judgement(self._thought_of(search, best), self._thought_of(search, played), differences)

    @override
    def _rival(
        self, state: BunnyState, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random
    ) -> Thought | None:
        search = self._search(state, seat, replace(budget, nodes=0), memory, rng)
        if not search.root.leave_out(number(action)):
            return None
        search.grow(budget)
        return self._thought_of(search, search.root.best())

    @override
    def _compare(
        self, state: BunnyState, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        """Grow a new tree from both actions alone with half of the budget, and then play both on in pairs, as `_judge` does."""
        half, quarter = (replace(budget, nodes=max(1, budget.nodes // parts)) for parts in (2, 4))
        search = self._search(state, seat, replace(budget, nodes=0), memory, rng)
        better, worse = (search.root.edge(number(action)) for action in actions)
        for edge in (better, worse):
            search.grow(quarter, lambda edge=edge: edge)  # type: ignore[misc]
        return sampled_loss(search.compare(better, worse, half))

    @override
    def _assess(self, state: BunnyState, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        search = self._search(state, None, budget, memory, rng)
        chance = search.root.best().mean
        return (chance, 1 - chance) if search.root.seat == 0 else (1 - chance, chance)

    @override
    def _reason(self, state: BunnyState, seat: int, thought: Thought, memory: Memory) -> Text:
        return reason(Belief(state, seat, memory), seat, thought)

    @override
    def recall(self, state: BunnyState, seat: int, memory: Memory) -> BunnyState:
        """Return the field with every card that the seat has seen face up, wherever the card has been swapped to since."""
        known = Belief(state, seat, memory).known
        field = tuple(known.get(space, card) for space, card in zip(SPACES, state.field, strict=True))
        return replace(state, field=field, face_up=state.face_up | known.keys())

    @override
    def drawn(self, state: BunnyState, thought: Thought) -> bool:
        """Return whether the seats have equally many Carrots and about even chances, and neither has got a Carrot for long."""
        one, two = state.carrots
        return one == two and state.quiet_turns >= _DRAWISH and abs(thought.chance_to_win - 0.5) < 0.1

    def _check(self, state: BunnyState, seat: int) -> None:
        if seat not in self.game.to_act(state):
            check(self.game, state, seat, ())

    def _search(self, state: BunnyState, seat: int | None, budget: Budget, memory: Memory, rng: Random) -> Search:
        mind = _MINDS[self.level]
        search = Search(Belief(state, seat, memory, mind.span), mind, rng)
        search.grow(budget)
        return search

    def _thought_of(self, search: Search, edge: Edge) -> Thought:
        return Thought(action(search.root.phase, edge.move), edge.mean, search.line(edge), search.games)
