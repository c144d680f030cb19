"""The computer player of BOUNCE, which plays exactly when it is alone, and practically exactly with others.

The faceplant is the only choice in the game, and it is always right. With 14 jumps, on spot 3 or 2 on the way down, a roll of 3
or more brings up the cake, and both a 1 and a 2 are three times as likely with the coin as with the die, wherever the others
are. So the levels differ only in whether they see it: *easy* overlooks the coin, *medium* takes it only right above the mat,
and *hard* and *expert* always take it.

A lone player's chance to win is worked out backwards from the last jump, over all places and jumps (`landings`). With several
players, an expectimax search goes through the next turns, including bumps. Its leaves are races of lone players.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from random import Random
from time import process_time
from typing import ClassVar, Final, NamedTuple

from typing_extensions import override

from engines.game import Action, check
from engines.text import Text, join, plain, say
from engines.trampoline.game import FACEPLANT, ROLL, TrampolineState
from engines.trampoline.track import CYCLE, LAST_JUMP, Jumper, Place, dice_for, may_faceplant, take_turn, winning_rolls
from opponents.contract import Budget, Judgement, Level, Loss, Memory, Opponent, Thought

Chances = tuple[float, ...]
"""Each seat's chance to win. A game may end without a winner."""
_NO_LONGER: Final = 1e-12
"""The chance below which a result is ignored."""
MOST_TOTALS: Final = 16
"""The number of different totals of three dice."""
_FORCED: Final = Budget(100)
"""The budget for working out the chances where there is nothing to choose."""
_OVERLOOKED: Final[Mapping[Level, frozenset[Place]]] = {
    Level.EASY: frozenset({Place(2, "down"), Place(3, "down")}),
    Level.MEDIUM: frozenset({Place(3, "down")}),
}
"""The places at which each level overlooks the coin."""


class Turns(NamedTuple):
    """The start of a search: all the tokens, the seats that share a spot, and the seat whose turn it is."""

    tokens: tuple[Jumper, ...]
    sharing: tuple[int, ...]
    to_move: int


class OutOfTime(Exception):
    """A search has used up all its seconds."""


@cache
def totals(dice: int, sides: int = 6) -> tuple[tuple[int, float], ...]:
    """Return every total of a number of dice, with its probability."""
    counts = Counter(sum(faces) for faces in product(range(1, sides + 1), repeat=dice))
    return tuple((total, count / counts.total()) for total, count in counts.items())


def rolls_of(jumper: Jumper, action: Action) -> tuple[tuple[int, float], ...]:
    """Return the numbers of moves that an action can give a token, with their probabilities."""
    return totals(1, 2) if action == (FACEPLANT,) else totals(dice_for(jumper))


def actions_of(jumper: Jumper) -> tuple[Action, ...]:
    """Return a player's actions, the faceplant first where it is allowed."""
    return ((FACEPLANT,), (ROLL,)) if may_faceplant(jumper) else ((ROLL,),)


@cache
def landings() -> Mapping[Jumper, Chances]:
    """Return, for each token still jumping, its chance to land with its next turn, with the turn after that, and so on.

    The chances are for a lone player who plays well. They are worked out backwards, since a turn only leads further round or to
    more jumps.
    """
    known: dict[Jumper, Chances] = {}
    for jumps in reversed(range(LAST_JUMP)):
        for place in reversed(CYCLE[:-1]):
            known[Jumper(place, jumps)] = _landings(Jumper(place, jumps), known)
    known[Jumper()] = _landings(Jumper(), known)
    return known


def _landings(jumper: Jumper, known: Mapping[Jumper, Chances]) -> Chances:
    return max((_landings_by(jumper, action, known) for action in actions_of(jumper)), key=sum)


def _landings_by(jumper: Jumper, action: Action, known: Mapping[Jumper, Chances]) -> Chances:
    chances = [0.0] * (1 + max(map(len, known.values()), default=0))
    for total, often in rolls_of(jumper, action):
        after = take_turn((jumper,), (), 0, (total,)).tokens[0]
        if after.landed:
            chances[0] += often
        elif not after.out:
            for turn, chance in enumerate(known[after], 1):
                chances[turn] += often * chance
    while chances and chances[-1] < _NO_LONGER:
        chances.pop()
    return tuple(chances)


def alone(jumper: Jumper, action: Action | None = None) -> float:
    """Return a lone player's chance to land by playing well, or by taking `action` now and playing well from then on."""
    return sum(landings()[jumper] if action is None else _landings_by(jumper, action, landings()))


def race(turns: Turns) -> Chances:
    """Return each seat's chance to win if there are no more bumps."""
    seats = len(turns.tokens)
    order = [(turns.to_move + step) % seats for step in range(seats)]
    order = [seat for seat in order if not turns.tokens[seat].out]
    tables = [landings()[turns.tokens[seat]] for seat in order]
    won = [0.0] * len(order)
    jumping = [1.0] * len(order)  # each player's chance not to have landed yet
    for turn in range(max(map(len, tables))):
        for place, table in enumerate(tables):
            lands = table[turn] if turn < len(table) else 0.0
            won[place] += lands * prod(jumping[:place]) * prod(jumping[place + 1 :])
            jumping[place] -= lands
    by_seat = dict(zip(order, won, strict=True))
    return tuple(by_seat.get(seat, 0.0) for seat in range(seats))


def final_shares(tokens: Sequence[Jumper]) -> Chances | None:
    """Return each seat's share of a game that is over, or None if it is not over."""
    landed = [jumper.landed for jumper in tokens]
    if any(landed):
        return tuple(has / sum(landed) for has in landed)
    return (0.0,) * len(tokens) if all(jumper.out for jumper in tokens) else None


class Expectimax:
    """A search of all rolls of the next turns, in which each player maximizes their own chance.

    After the given seconds of one core it raises `OutOfTime`. It counts the rolls that it has worked out (`nodes`), and the
    races at its leaves.
    """

    def __init__(self, seconds: float) -> None:
        self.nodes = self.races = 0
        self._ends = process_time() + seconds
        self._known: dict[tuple[Turns, int], Chances] = {}

    def chances(self, turns: Turns, depth: int) -> Chances:
        """Return each seat's chance to win, searched `depth` turns ahead."""
        if depth == 0:
            self.races += 1
            return race(turns)
        known = self._known.get((turns, depth))
        if known is None:
            acting = turns.to_move
            found = (self.after(turns, action, depth) for action in actions_of(turns.tokens[acting]))
            known = self._known[turns, depth] = max(found, key=lambda chances: chances[acting])
        return known

    def after(self, turns: Turns, action: Action, depth: int) -> Chances:
        """Return each seat's chance to win after an action of the player whose turn it is, searched `depth` turns ahead."""
        mean = [0.0] * len(turns.tokens)
        for after, often in self._following(turns, action):
            chances = final_shares(after.tokens) or self.chances(after, depth - 1)
            for seat, chance in enumerate(chances):
                mean[seat] += often * chance
        return tuple(mean)

    def _following(self, turns: Turns, action: Action) -> Iterator[tuple[Turns, float]]:
        if process_time() > self._ends:
            raise OutOfTime
        tokens, shared, acting = turns
        for total, often in rolls_of(tokens[acting], action):
            self.nodes += 1
            turn = take_turn(tokens, shared, acting, (total,))
            seats = len(tokens)
            order = ((acting + step) % seats for step in range(1, seats + 1))
            following = next((seat for seat in order if not turn.tokens[seat].out), acting)
            yield Turns(turn.tokens, turn.sharing, following), often


class TrampolineOpponent(Opponent[TrampolineState]):
    """The computer player of BOUNCE. Its budgets count the rolls that it works out."""

    budgets: ClassVar[dict[Level, Budget]] = {
        Level.EASY: Budget(100),
        Level.MEDIUM: Budget(300),
        Level.HARD: Budget(3_000),
        Level.EXPERT: Budget(6_000),
    }

    @override
    def _choose(self, state: TrampolineState, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        jumper = state.tokens[seat]
        possible = actions_of(jumper)
        if jumper.place in _OVERLOOKED.get(self.level, ()):
            possible = ((ROLL,),)
        chances, nodes = weigh_actions(state, budget if len(possible) > 1 else _FORCED)
        return best_of(chances, seat, possible, nodes)

    @override
    def _judge(
        self, state: TrampolineState, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random
    ) -> Judgement:
        check(self.game, state, seat, action)
        chances, nodes = weigh_actions(state, budget)
        return Judgement(best_of(chances, seat, list(chances), nodes), best_of(chances, seat, (action,), nodes))

    @override
    def _rival(
        self, state: TrampolineState, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random
    ) -> Thought | None:
        chances, nodes = weigh_actions(state, budget)
        others = [other for other in chances if other != action]
        return best_of(chances, seat, others, nodes) if others else None

    @override
    def _compare(
        self, state: TrampolineState, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        chances, _ = weigh_actions(state, budget)
        better, worse = (chances[action][seat] for action in actions)
        return Loss(better - worse, better - worse)

    @override
    def _assess(self, state: TrampolineState, budget: Budget, memory: Memory, rng: Random) -> Chances:
        found, _ = weigh_actions(state, budget)
        return max(found.values(), key=lambda chances: chances[state.to_move])

    @override
    def _reason(self, state: TrampolineState, seat: int, thought: Thought, memory: Memory) -> Text:
        jumper = state.tokens[seat]
        if may_faceplant(jumper):
            coin, die = (round(100 * alone(jumper, action)) for action in actions_of(jumper))
            return say("The coin gets you down safely {coin} times in 100, the die only {die}.", coin=coin, die=die)
        wins = winning_rolls(state.tokens, state.sharing, seat)
        if not wins:
            return say("Nothing to choose yet: just roll.")
        possible = join([plain(str(total)) for total in wins], ", ")
        return say("Nothing to choose: just roll, and hope for {totals}.", totals=possible)


def weigh_actions(state: TrampolineState, budget: Budget) -> tuple[dict[Action, Chances], int]:
    """Return the chances after each action of the player to move, by the deepest search within the budget, and its nodes."""
    turns = Turns(state.tokens, state.sharing, state.to_move)
    possible = actions_of(state.tokens[state.to_move])
    search = Expectimax(budget.seconds)
    found = {action: race(turns) for action in possible}
    depth, last = 1, 0
    # A turn has 16 totals at most, so looking a turn further takes at most 16 times as long.
    while depth == 1 or search.nodes + MOST_TOTALS * last <= budget.nodes:
        nodes, races = search.nodes, search.races
        try:
            found = {action: search.after(turns, action, depth) for action in possible}
        except OutOfTime:
            break
        depth, last = depth + 1, search.nodes - nodes
        if len(turns.tokens) == 1 or search.races == races:
            break  # The race of a lone player is exact; without a race, the search saw every game to its end.
    return found, search.nodes


def best_of(chances: Mapping[Action, Chances], seat: int, possible: Sequence[Action], nodes: int) -> Thought:
    """Return the best of some actions."""
    best = max(possible, key=lambda action: chances[action][seat])
    return Thought(best, chances[best][seat], ((seat, best),), nodes)
