"""Tree search over sampled worlds, for games with secrets, dice or several players.

Each world is a state that the seat cannot tell from the true one, and has a tree of its own. A node's value is that of the
child that is best for whoever chooses there: max^n, which J. Nijssen and M. Winands found the best in Monte-Carlo trees for
several players ("Search Policies in Multi-Player Games", ICGA Journal 36, 2013). What a position is worth at first sight comes
from the game. Trees grow towards what looks good (UCT), and try the less promising ways of a position the later (progressive
widening: R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007). What an action is worth is its mean over
all worlds.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Final, Generic, NamedTuple, TypeVar

from engines.game import Action

P = TypeVar("P")

Shares = tuple[float, ...]
"""How likely each seat is to win."""

EXPLORING: Final = 0.06
"""How much a chance to win that is not known yet may add to one that is."""

WIDENING: Final = 1.0
"""How many ways of a position are tried after its first visit; their number grows with the square root of the visits."""


class Way(NamedTuple):
    """An action, and how likely each seat is to win after it, at first sight."""

    action: Action
    shares: Shares


class Looked(NamedTuple):
    """What a position offers: who chooses, the ways, the best for that seat first, and what it took to find them."""

    seat: int
    ways: Sequence[Way]
    nodes: int


class Imagined(ABC, Generic[P]):
    """A game as it is imagined: only positions in which there is something to choose."""

    @abstractmethod
    def look(self, position: P, first: bool) -> Looked:
        """What a position offers; `first`: it is the one that is thought about, so everything is worth a look."""

    @abstractmethod
    def after(self, position: P, action: Action) -> P:
        """The next position in which there is something to choose, or the last one."""

    @abstractmethod
    def ended(self, position: P) -> Shares | None:
        """What each seat has of a game that is over, or None while it goes on."""


@dataclass(slots=True)
class _Node(Generic[P]):
    """A position of the tree. Without children it has not been looked at."""

    position: P
    shares: Shares
    seat: int = 0
    over: bool = False
    visits: int = 0
    ways: Sequence[Way] = ()
    children: "list[_Node[P]]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found out about an action.

    Attributes:
        action: the action.
        shares: how likely each seat is to win with it.
        visits: how often it was tried.
        line: how the game goes on, beginning with the action, in the first world.
    """

    action: Action
    shares: Shares
    visits: int
    line: tuple[tuple[int, Action], ...]


class Search(Generic[P]):
    """A search from one position, in several worlds.

    Attributes:
        nodes: how much has been thought: what `Imagined.look` counts, and one for each position that was come to.

    Args:
        imagined: the game.
        worlds: the position in each world.
    """

    def __init__(self, imagined: Imagined[P], worlds: Sequence[P]) -> None:
        self.nodes = 0
        self._imagined = imagined
        self._roots = [_Node(world, ()) for world in worlds]
        for root in self._roots:
            self._expand(root, first=True)

    def think(self, nodes: int) -> None:
        """Think until so many nodes have been looked at, in each world as often as in every other."""
        while self.nodes < nodes and not all(self._is_settled(root) for root in self._roots):
            for root in self._roots:
                self._visit(root)

    @staticmethod
    def _is_settled(root: _Node[P]) -> bool:
        """Whether there is nothing to find out: the game is over, or there is one way alone, and it has been tried."""
        return root.over or (len(root.ways) == 1 and bool(root.children))

    def found(self) -> list[Found]:
        """What is known about each action, the best first: about those that were tried, or if none was, at first sight."""
        at: dict[Action, list[tuple[Shares, int, _Node[P] | None]]] = {}
        for root in self._roots:
            for i, way in enumerate(root.ways[: len(root.children) or None]):
                child = root.children[i] if root.children else None
                known = (way.shares, 1, None) if child is None else (child.shares, child.visits, child)
                at.setdefault(way.action, []).append(known)
        seat = self._roots[0].seat
        found = []
        for action, known_of in at.items():
            visits = sum(visits for _, visits, _ in known_of)
            line = () if known_of[0][2] is None else self._line(known_of[0][2])
            found.append(Found(action, _mean([(one, weight) for one, weight, _ in known_of]), visits, ((seat, action), *line)))
        most = max((one.visits for one in found), default=0)
        return sorted(found, key=lambda one: (4 * one.visits < most, -one.shares[seat]))

    def shares(self) -> Shares:
        """How likely each seat is to win."""
        return _mean([(root.shares, 1) for root in self._roots])

    def line(self) -> tuple[tuple[int, Action], ...]:
        """How the game is expected to go on in the first world."""
        return self._line(self._roots[0])

    def _line(self, node: _Node[P]) -> tuple[tuple[int, Action], ...]:
        line: list[tuple[int, Action]] = []
        while node.children:
            best = max(range(len(node.children)), key=lambda i: node.children[i].shares[node.seat])
            line.append((node.seat, node.ways[best].action))
            node = node.children[best]
        return tuple(line)

    # --- the tree ------------------------------------------------------------------------------------------------------

    def _visit(self, root: _Node[P]) -> None:
        """Follow what is most worth it to a position that has not been looked at, and bring its value back."""
        self.nodes += 1
        path, node = [root], root
        while node.ways and not node.over:
            node = self._next(node)
            path.append(node)
            if not node.visits:
                break
        if not node.ways and not node.over:
            self._expand(node, first=False)
        for node in reversed(path):
            node.visits += 1
            if node.children:
                seat = node.seat
                node.shares = max((child.shares for child in node.children if child.visits), key=lambda shares: shares[seat])

    def _next(self, node: _Node[P]) -> _Node[P]:
        """The child to be followed: a new one if it is time to try one more way."""
        if len(node.children) < len(node.ways) and len(node.children) <= WIDENING * sqrt(node.visits):
            way = node.ways[len(node.children)]
            child = _Node(self._imagined.after(node.position, way.action), way.shares)
            node.children.append(child)
            return child
        seat, known = node.seat, log(node.visits + 1)
        return max(node.children, key=lambda child: child.shares[seat] + EXPLORING * sqrt(known / child.visits))

    def _expand(self, node: _Node[P], first: bool) -> None:
        ended = self._imagined.ended(node.position)
        if ended is not None:
            node.shares, node.over = ended, True
            return
        looked = self._imagined.look(node.position, first)
        self.nodes += looked.nodes
        node.seat, node.ways = looked.seat, looked.ways
        if node.ways:
            node.shares = node.ways[0].shares
        else:
            node.over = True


def _mean(weighed: Sequence[tuple[Shares, int]]) -> Shares:
    """The mean of several outlooks by their weights."""
    total = sum(weight for _, weight in weighed)
    return tuple([sum(shares[seat] * weight for shares, weight in weighed) / total for seat in range(len(weighed[0][0]))])
