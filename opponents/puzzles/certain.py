"""Plans of Bounce Bunny Bounce that surely reach a Carrot, whatever lies face down and whatever the other Bunny does.

This is an and-or search. A card that lies face down may be any card that was not seen elsewhere. Which one it is gets decided
only when somebody meets it, in every possible way, so all layouts that fit the seat's knowledge are covered. The seat remembers
everything that is turned up on the way.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engines.bunny.position import BunnyState, hidden_spaces
from engines.game import Action
from opponents.bunny.kernel import (
    AREA,
    CARROT,
    OVER,
    PASS,
    PEEK,
    SHOCKING,
    SPACE,
    SPYING,
    STOP,
    SWAPPING,
    TRADE,
    World,
    shocking,
    tokens,
)

TURNS: Final = 2
"""The number of its own turns that a seat plans, including the current one."""
Rest = tuple[int, ...]
"""The number of cards of each kind on the spaces that the seat does not know."""


class Layouts(NamedTuple):
    """All layouts that fit what a seat knows.

    Attributes:
        world: one of them, with a Stop on each unknown space.
        unknown, rest: the unknown spaces, and the cards that lie there.
    """

    world: World
    unknown: int
    rest: Rest


class TooLarge(Exception):
    """A search has looked at as many positions as it is allowed to."""


class Plans:
    """The search for a seat's plans from what it knows about a state. It raises TooLarge beyond `most` positions.

    `looked` counts the positions that were looked at.
    """

    def __init__(self, state: BunnyState, seat: int, most: int = 200_000) -> None:
        self.seat, self.looked, self.most = seat, 0, most
        known = {*state.bunnies, state.spied[seat]}
        spaces = [SPACE[space] for space in hidden_spaces(state) if space not in known]
        world = World(state)
        rest = [0] * CARROT
        for space in spaces:
            rest[world.cards[space]] += 1
        world.deal(spaces, [STOP] * len(spaces))
        self._carrots = world.carrots[seat]
        self._known: dict[tuple[object, ...], bool] = {}
        self.start = Layouts(world, sum(1 << space for space in spaces), tuple(rest))

    def is_sure(self, layouts: Layouts, turns: int) -> bool:
        """Return whether the seat surely takes a Carrot within this many of its turns, including one that is in progress."""
        world = layouts.world
        if world.carrots[self.seat] > self._carrots:
            return True
        if world.phase == OVER or not turns:
            return False
        key = (
            tuple(world.cards), world.up, *world.places, *world.shocks, *world.carrots, world.turn, world.chooser, world.phase,
            layouts.unknown, turns,
        )  # fmt: skip
        if key not in self._known:
            self.looked += 1
            if self.looked > self.most:
                raise TooLarge
            choices = (self.holds(layouts, after, turns) for _, after in self.moves(layouts))
            self._known[key] = any(choices) if world.chooser == self.seat else all(choices)
        return self._known[key]

    def holds(self, before: Layouts, after: Iterator[Layouts], turns: int) -> bool:
        """Return whether a Carrot is still sure after a move, whatever the move turns up."""
        return all(self.is_sure(each, self.turns_after(before, each, turns)) for each in after)

    def turns_after(self, before: Layouts, after: Layouts, turns: int) -> int:
        """Return how many turns the seat has left after a move."""
        return turns - (before.world.turn == self.seat != after.world.turn)

    def sure_moves(self, layouts: Layouts, turns: int) -> list[int]:
        """Return the seat's moves after which a Carrot is still sure."""
        return [move for move, after in self.moves(layouts) if self.holds(layouts, after, turns)]

    def moves(self, layouts: Layouts) -> Iterator[tuple[int, Iterator[Layouts]]]:
        """Yield every move of the seat that chooses, with the layouts after it for each way unknown cards may turn out."""
        world = layouts.world
        if world.phase == SWAPPING:
            yield from self._swaps(layouts)
        elif world.phase == SPYING:
            yield from self._peeks(layouts)
        else:
            if world.phase == SHOCKING:
                yield PASS, iter([_played(layouts, PASS)])
            mover = 1 - world.turn if world.phase == SHOCKING else world.turn
            for move in world.movements(mover):
                yield move, self._landings(layouts, mover, move)

    def _landings(self, layouts: Layouts, mover: int, move: int) -> Iterator[Layouts]:
        world = layouts.world
        met = world.path(world.first(mover, move)) & layouts.unknown
        if not met:
            yield _played(layouts, move)
            return
        for turned_up in _turned_up(layouts, met.bit_length() - 1):
            yield from self._landings(turned_up, mover, move)

    def _swaps(self, layouts: Layouts) -> Iterator[tuple[int, Iterator[Layouts]]]:
        spaces = layouts.world.swappable()
        for place, one in enumerate(spaces):
            for two in spaces[place + 1 :]:
                both, unknown = 1 << one | 1 << two, layouts.unknown
                if (unknown & both).bit_count() == 1:
                    unknown ^= both
                move = TRADE + AREA * one + two
                yield move, iter([_played(layouts, move)._replace(unknown=unknown)])

    def _peeks(self, layouts: Layouts) -> Iterator[tuple[int, Iterator[Layouts]]]:
        """Yield the peeks. It makes no difference which card the other seat sees, or which known card this seat sees."""
        world = layouts.world
        hidden = [space for space in range(AREA) if world.hidden_spaces() >> space & 1]
        mine = [space for space in hidden if layouts.unknown >> space & 1] if world.chooser == self.seat else []
        for space in mine:
            yield PEEK + space, (_played(turned_up, PEEK + space) for turned_up in _turned_up(layouts, space))
        others = [space for space in hidden if space not in mine]
        if others:
            yield PEEK + others[0], iter([_played(layouts, PEEK + others[0])])


def _played(layouts: Layouts, move: int) -> Layouts:
    world = layouts.world.copy()
    world.play(move)
    return layouts._replace(world=world)


def _turned_up(layouts: Layouts, space: int) -> Iterator[Layouts]:
    """Yield the layouts after the card on an unknown space is turned up, one for each card that it may be."""
    for kind, count in enumerate(layouts.rest):
        if count:
            world = layouts.world.copy()
            world.deal([space], [kind])
            rest = tuple(number - (card == kind) for card, number in enumerate(layouts.rest))
            yield Layouts(world, layouts.unknown & ~(1 << space), rest)


def action_of(layouts: Layouts, move: int) -> Action:
    """Return a move as an action of the game."""
    return shocking(move) if layouts.world.phase == SHOCKING else tokens(move)
