"""Tree search over sampled worlds of Bounce Bunny Bounce.

This is an information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
2012). Each imagined game is played in a world drawn from the seat's belief. All games share one tree, whose branches are the
moves and the cards that they show, so that no decision depends on a card that nobody has seen. Below the tree, both seats play
quickly for a few turns. A Swap or a Spy has many moves: the more often such a position has been visited, the more of them are
looked at (progressive widening), the likeliest first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import log, sqrt
from random import Random
from time import thread_time
from typing import Final

from engines.bunny.position import CARROTS_TO_WIN
from engines.game import Action
from opponents.bunny.kernel import CARROT, MOVING, OFF, OVER, PASS, SHOCKING, SPYING, SWAPPING, World, shocking, tokens
from opponents.bunny.knowledge import Belief
from opponents.bunny.playout import beginners_thrill, beginners_value, play_on, value
from opponents.bunny.widening import peeks, trades
from opponents.contract import Budget

WIDE: Final = 6
"""The number of moves of a Swap or a Spy that are tried at first. The square root of the visits is added to this number."""
_GLANCES: Final = 256
"""The number of games imagined between two looks at the clock, and the most games imagined where there is nothing to choose."""


@dataclass(frozen=True, slots=True)
class Mind:
    """The way in which a level thinks.

    Attributes:
        span: the number of actions for which it remembers cards that were turned up, or None if it never forgets.
        depth: the number of turns that it plans ahead, or None if only the budget limits it.
        turns: the number of turns of quick play after that.
        beginner: whether it judges only by what lies on the table, and keeps out of known loops by a rule.
        curiosity: how much it prefers moves that it has seldom tried; this is the constant of UCB1.
    """

    span: int | None
    depth: int | None
    turns: int
    beginner: bool = False
    curiosity: float = 0.6


class Edge:
    """A move in the tree, with the number of its tries, the sum of their results for the choosing seat, and the nodes after."""

    __slots__ = ("after", "move", "total", "visits")

    def __init__(self, move: int) -> None:
        self.move = move
        self.visits = 0
        self.total = 0.0
        self.after: dict[int, TreeNode] = {}

    @property
    def mean(self) -> float:
        """The chance to win, 0 to 1, of the seat that chooses the move."""
        return self.total / self.visits if self.visits else 0.0


class TreeNode:
    """A position as it looks to a seat that has seen the cards on the branches leading to it."""

    __slots__ = ("edges", "phase", "seat", "visits", "waiting")

    def __init__(self, world: World) -> None:
        self.seat = world.chooser
        self.phase = world.phase
        self.visits = 0
        self.edges: list[Edge] = []
        self.waiting = _moves(world)
        if world.phase not in {SWAPPING, SPYING}:
            self.edges = [Edge(move) for move in self.waiting]

    def chosen(self, curiosity: float) -> Edge:
        """Return the move to try next: one that is still untried, or else the one with the highest upper confidence bound."""
        if self.phase in {SWAPPING, SPYING} and len(self.edges) < WIDE + sqrt(self.visits):
            move = next(self.waiting, None)
            if move is not None:
                self.edges.append(Edge(move))
        best, highest = self.edges[0], -1.0
        curious = curiosity * sqrt(log(self.visits + 1))
        for edge in self.edges:
            if not edge.visits:
                return edge
            bound = edge.total / edge.visits + curious / sqrt(edge.visits)
            if bound > highest:
                best, highest = edge, bound
        return best

    def avoid_loops(self, world: World, rng: Random) -> None:
        """Drop the hops that are known to end in a loop, unless there is no other hop, and shuffle the rest."""
        if self.phase != MOVING:
            return
        dark, firsts = world.dark[self.seat], {edge: world.first(self.seat, edge.move) for edge in self.edges}
        good = [edge for edge, first in firsts.items() if world.path(first) & dark or world.end(first) != OFF]
        self.edges = good or self.edges
        rng.shuffle(self.edges)

    def leave_out(self, move: int) -> bool:
        """Leave out a move of a position that has not been visited yet. Return whether other moves are left."""
        self.edges = [edge for edge in self.edges if edge.move != move]
        if self.phase in {SWAPPING, SPYING}:
            self.edges += [Edge(other) for other in islice((other for other in self.waiting if other != move), 1)]
            self.waiting = (other for other in self.waiting if other != move)
        return bool(self.edges)

    @property
    def free(self) -> bool:
        """Whether there is anything to choose."""
        return len(self.edges) != 1 or self.phase in {SWAPPING, SPYING}

    def best(self) -> Edge:
        """Return the move that was tried most often."""
        return max(self.edges, key=lambda edge: (edge.visits, edge.total))

    def sample(self, rng: Random) -> Edge:
        """Return one of the moves at random, with a probability in proportion to how often it was tried."""
        return rng.choices(self.edges, [edge.visits for edge in self.edges])[0]

    def edge(self, move: int) -> Edge:
        """Return the edge of a move. If the move has not been tried yet, a new edge is added."""
        for edge in self.edges:
            if edge.move == move:
                return edge
        self.edges.append(Edge(move))
        return self.edges[-1]


def _moves(world: World) -> Iterator[int]:
    if world.phase == SWAPPING:
        return trades(world)
    if world.phase == SPYING:
        return peeks(world)
    if world.phase == OVER:
        return iter(())
    if world.phase == SHOCKING:
        return iter([PASS, *world.movements(1 - world.turn)])
    return iter(_winning(world) or world.movements(world.turn))


def _winning(world: World) -> list[int]:
    """Return a hop to the last Carrot needed, if both seats know the way, because then no other move is worth a thought."""
    seat, dark = world.turn, world.dark[0] | world.dark[1]
    if world.carrots[seat] + 1 < CARROTS_TO_WIN:
        return []
    for move in world.movements(seat):
        first = world.first(seat, move)
        end = world.end(first)
        if end != OFF and world.cards[end] == CARROT and not world.path(first) & dark:
            return [move]
    return []


class Search:
    """A tree that is grown by imagined games, for a seat's belief and way of thinking."""

    def __init__(self, belief: Belief, mind: Mind, rng: Random) -> None:
        self._belief = belief
        self._mind = mind
        self._rng = rng
        self.root = TreeNode(belief.world(rng))
        self._value = value
        if mind.beginner:
            self._value = beginners_thrill if self.root.phase == SHOCKING else beginners_value
            self.root.avoid_loops(belief.certain(), rng)
        self.games = 0

    def grow(self, budget: Budget, forced: Callable[[], Edge | None] = lambda: None) -> None:
        """Imagine as many games as the budget allows. Each begins with the move that `forced` returns, if it returns one."""
        until = thread_time() + budget.seconds
        for done in range(budget.nodes if self.root.free else min(budget.nodes, _GLANCES)):
            if done % _GLANCES == 0 and done and thread_time() > until:
                return
            self._imagine(forced())

    def _imagine(self, edge: Edge | None) -> None:
        world = self._belief.world(self._rng)
        node, way, begun, depth = self.root, [], world.turn, 0
        limit = self._mind.depth
        while world.phase != OVER:
            edge = edge or node.chosen(self._mind.curiosity)
            way.append((node, edge))
            seen = world.play(edge.move)
            if world.turn != begun:
                begun, depth = world.turn, depth + 1
            after = edge.after.get(seen)
            if after is None:
                after = edge.after[seen] = TreeNode(world)
                break
            if limit is not None and depth >= limit:
                break
            node, edge = after, None
        play_on(world, self._mind.turns, self._rng.random)
        won = self._value(world)
        for node, edge in way:
            node.visits += 1
            edge.visits += 1
            edge.total += won if node.seat == 0 else 1 - won
        self.games += 1

    def compare(self, one: Edge, other: Edge, budget: Budget) -> list[float]:
        """Play two moves of the root on in the same new worlds. Return by how much the first did better in each world.

        The differences are shares of the root's seat. Each world takes two games of the budget, and there are at least two
        worlds.
        """
        until = thread_time() + budget.seconds
        differences: list[float] = []
        while len(differences) < max(2, budget.nodes // 2):
            if len(differences) % _GLANCES == 2 and thread_time() > until:
                break
            world, luck = self._belief.world(self._rng), self._rng.getstate()
            first = self._follow(world.copy(), one)
            self._rng.setstate(luck)
            differences.append(first - self._follow(world, other))
        return differences

    def _follow(self, world: World, edge: Edge | None) -> float:
        """Play a game on as the tree has learned to, and quickly where it knows little. Return the share of the root's seat.

        Always playing the best move would not do: two Bunnies that throw each other off the field for ever are cut off where
        the tree ends, and whose turn it is there depends on the tree's size.
        """
        while edge is not None:
            node = edge.after.get(world.play(edge.move))
            known = node is not None and node.visits >= _WORTH_TELLING and world.phase != OVER
            edge = node.sample(self._rng) if node is not None and known else None
        play_on(world, self._mind.turns, self._rng.random)
        won = self._value(world)
        return won if self.root.seat == 0 else 1 - won

    def line(self, first: Edge) -> tuple[tuple[int, Action], ...]:
        """Return the expected course of the game after a move of the root, beginning with this move."""
        found, node, edge = [], self.root, first
        while True:
            found.append((node.seat, action(node.phase, edge.move)))
            likely = max(edge.after.values(), key=lambda after: after.visits, default=None)
            if likely is None or likely.visits < _WORTH_TELLING:
                return tuple(found)
            node, edge = likely, likely.best()


_WORTH_TELLING: Final = 8
"""The number of visits from which a position counts as known, so that the moves played there are told and followed."""


def action(phase: int, move: int) -> Action:
    """Return a move of the kernel as an action of the game."""
    return shocking(move) if phase == SHOCKING else tokens(move)
