"""The opponent for games without one of their own. It tries each action in random games, and knows only `Game.choices`."""

from collections.abc import Sequence
from itertools import islice
from random import Random
from time import thread_time
from typing import Any, ClassVar, Final, TypeVar, cast

from typing_extensions import override

from engines.game import Action, Game, HasChance, legal_actions, resample
from engines.text import Text, say
from engines.values import replace
from opponents.contract import (
    Budget,
    Judgement,
    Level,
    Loss,
    Memory,
    Opponent,
    Thought,
    sampled_judgement,
    sampled_loss,
    shares,
)
from opponents.dice import Dice

LONGEST: Final = 400
"""The most actions in a random game. A game that lasts longer counts as even."""
MOST_ACTIONS: Final = 1_000
"""The most legal actions of a seat that are considered."""
S = TypeVar("S", bound=HasChance)


def random_action(game: Game[Any, Any], state: Any, seat: int, rng: Random, prefix: Action = ()) -> Action:
    """Return a random action of a seat that begins with `prefix`. Tokens are drawn one by one until the action is complete."""
    action = prefix
    while True:
        choice = rng.choice(game.choices(state, seat, action))
        action = (*action, choice.token)
        if choice.final:
            return action


def playout(game: Game[Any, Any], state: Any, rng: Random) -> tuple[float, ...]:
    """Return each seat's share of a game that is played on at random."""
    for _ in range(LONGEST):
        if not (seats := game.to_act(state)):
            break
        state = game.advance(state, seats[0], random_action(game, state, seats[0], rng))
    seats_at_table = game.view(state).seats
    return shares(game, state) or (1 / seats_at_table,) * seats_at_table


def imagined_world(game: Game[S, Any], state: S, seat: int | None, rng: Random) -> S:
    """Return a state with dice of its own that the seat cannot tell from the given one."""
    dice = Dice(rng)
    world: Any = resample(game, state, seat, dice)
    return cast("S", replace(world, chance=dice))


def shares_of_actions(
    game: Game[S, Any], state: S, seat: int, actions: Sequence[Action], budget: Budget, rng: Random
) -> dict[Action, float]:
    """Return a seat's mean share after each action. All actions get equally many random games, and at least one."""
    until = thread_time() + budget.seconds
    each, won = 0, dict.fromkeys(actions, 0.0)
    while each == 0 or ((each + 1) * len(actions) <= budget.nodes and thread_time() < until):
        for action in actions:
            world = imagined_world(game, state, seat, rng)
            won[action] += playout(game, game.advance(world, seat, action), rng)[seat]
        each += 1
    return {action: total / each for action, total in won.items()}


class Playouts(Opponent[S]):
    """The opponent that tries every action in equally many random games. Its budgets count these games."""

    budgets: ClassVar[dict[Level, Budget]] = {
        Level.EASY: Budget(4),
        Level.MEDIUM: Budget(40),
        Level.HARD: Budget(200),
        Level.EXPERT: Budget(800),
    }

    @override
    def _choose(self, state: S, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        found = self._thoughts(state, seat, (), budget, rng)
        return max(found, key=lambda thought: thought.chance_to_win)

    @override
    def _judge(self, state: S, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        """Choose with half of the games, and play the other half from the best action and from this one in the same worlds."""
        half = replace(budget, nodes=max(1, budget.nodes // 2))
        found = self._thoughts(state, seat, action, half, rng)
        played = next(thought for thought in found if thought.action == action)
        best = max([played, *found], key=lambda thought: thought.chance_to_win)
        if best is played:
            return Judgement(played, played)
        return sampled_judgement(best, played, self._differences(state, seat, (best.action, action), half, rng))

    @override
    def _rival(self, state: S, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        others = (thought for thought in self._thoughts(state, seat, (), budget, rng) if thought.action != action)
        return max(others, key=lambda thought: thought.chance_to_win, default=None)

    @override
    def _compare(
        self, state: S, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        return sampled_loss(self._differences(state, seat, actions, budget, rng))

    def _differences(self, state: S, seat: int, actions: tuple[Action, Action], budget: Budget, rng: Random) -> list[float]:
        """Return, for each of at least two worlds, by how much the seat did better in a random game after the first action."""
        until = thread_time() + budget.seconds
        differences: list[float] = []
        while len(differences) < 2 or (len(differences) < budget.nodes // 2 and thread_time() < until):
            stream = str(rng.getrandbits(64))
            shares_after = []
            for action in actions:
                dice = self._rng(stream)
                world = imagined_world(self.game, state, seat, dice)
                shares_after.append(playout(self.game, self.game.advance(world, seat, action), dice)[seat])
            differences.append(shares_after[0] - shares_after[1])
        return differences

    @override
    def _assess(self, state: S, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        games = [playout(self.game, imagined_world(self.game, state, None, rng), rng) for _ in range(budget.nodes)]
        return tuple(sum(each) / len(games) for each in zip(*games, strict=True))

    @override
    def _reason(self, state: S, seat: int, thought: Thought, memory: Memory) -> Text:
        return say("It wins most often when the rest is played at random.")

    def _thoughts(self, state: S, seat: int, also: Action, budget: Budget, rng: Random) -> list[Thought]:
        """Return the result of each action tried. At most as many are tried as there are games, plus `also` if given."""
        actions = list(islice(legal_actions(self.game, state, seat), MOST_ACTIONS))
        tried = rng.sample(actions, min(len(actions), budget.nodes))
        tried += [also] if also and also not in tried else []
        shares = shares_of_actions(self.game, state, seat, tried, budget, rng)
        return [Thought(action, share, ((seat, action),), budget.nodes) for action, share in shares.items()]
