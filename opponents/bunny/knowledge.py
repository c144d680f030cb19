"""A seat's memory of the cards of Bounce Bunny Bounce, and the worlds that this memory allows."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from engines.bunny.field import SPACES, Bounce, Card, Space
from engines.bunny.position import BunnyState
from engines.bunny.story import Spied, Swapped
from opponents.bunny.kernel import CARD, SPACE, World
from opponents.contract import Memory


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card that was seen, the index in the memory of the step that last showed it, and whether only the seat's Spy saw it."""

    card: Card
    when: int
    alone: bool


def glimpses(memory: Memory, seat: int | None) -> tuple[dict[Space, Glimpse], frozenset[Space]]:
    """Return the cards that were seen, by their present spaces, and the spaces that only the other seat's Spy has seen."""
    seen: dict[Space, Glimpse] = {}
    theirs: set[Space] = set()
    for when, happened in enumerate(memory):
        for event in happened.events:
            if isinstance(event.detail, Bounce):
                for landing in event.detail.landings:
                    seen[landing.space] = Glimpse(landing.card, when, alone=False)
                    theirs.discard(landing.space)
            elif isinstance(event.detail, Swapped):
                _exchange(seen, theirs, event.detail)
            elif isinstance(event.detail, Spied) and event.detail.card is not None:
                seen.setdefault(event.detail.space, Glimpse(event.detail.card, when, alone=True))
            elif isinstance(event.detail, Spied) and event.detail.seat != seat and event.detail.space not in seen:
                theirs.add(event.detail.space)
    return seen, frozenset(theirs)


def _exchange(seen: dict[Space, Glimpse], theirs: set[Space], swapped: Swapped) -> None:
    places = {swapped.first: swapped.second, swapped.second: swapped.first}
    moved = {places[space]: seen.pop(space) for space in places if space in seen}
    seen.update(moved)
    peeked = {places[space] for space in places if space in theirs}
    theirs.difference_update(places)
    theirs.update(peeked)


class Belief:
    """What a seat believes about the cards that lie face down. It knows some of them; the others may lie in any order.

    Attributes:
        seat: the seat, or None for what both seats know.
        known: the remembered cards that lie face down, by space.
    """

    def __init__(self, state: BunnyState, seat: int | None, memory: Memory, span: int | None = None) -> None:
        """Build the belief from a state that the seat cannot tell from the true one, and from the steps that it has seen.

        Memories that cannot be true in this state are dropped. `span` is how many actions back the seat remembers, or None for
        all.
        """
        self.seat = seat
        seen, theirs = glimpses(memory, seat)
        since = 0 if span is None else len(memory) - span
        remembered = {space: glimpse.card for space, glimpse in seen.items() if glimpse.when >= since}
        self._world = World(state)
        self._certain(state, seat)
        self.known = self._lay_remembered(state, remembered)
        dark = self._world.dark[0]
        self._spaces = [space for space in range(len(SPACES)) if dark >> space & 1]
        self._cards = [self._world.cards[space] for space in self._spaces]
        self._share({space for space in self.known if space not in seen or seen[space].alone}, theirs)

    def _certain(self, state: BunnyState, seat: int | None) -> None:
        """Mark as known the cards under the Bunnies, and the card that the seat's Spy has just seen."""
        known = [space for space in state.bunnies if space is not None]
        self._spied = None if seat is None else state.spied[seat]
        if self._spied is not None:
            known.append(self._spied)
        for space in known:
            self._light(space)

    def _light(self, space: Space) -> None:
        mask = ~(1 << SPACE[space])
        self._world.dark = [dark & mask for dark in self._world.dark]

    def _lay_remembered(self, state: BunnyState, remembered: Mapping[Space, Card]) -> dict[Space, Card]:
        """Put each remembered card on its space in the imagined world, if it fits. Return the known cards by space."""
        known = {} if self._spied is None else {self._spied: state.field[SPACE[self._spied]]}
        world = self._world
        for space, card in remembered.items():
            dark = world.dark[0]
            if not dark >> SPACE[space] & 1:
                continue
            others = [there for there in range(len(SPACES)) if dark >> there & 1 and world.cards[there] == CARD[card]]
            if not others:
                continue
            there = SPACE[space] if SPACE[space] in others else others[0]
            world.deal([there, SPACE[space]], [world.cards[SPACE[space]], CARD[card]])
            self._light(space)
            known[space] = card
        return known

    def _share(self, secret: set[Space], theirs: frozenset[Space]) -> None:
        """Let the other seat know the remembered cards, except those that a Spy has shown to only one seat."""
        if self.seat is None:
            return
        other = self._world.dark[1 - self.seat]
        for space in secret:
            other |= 1 << SPACE[space]
        for space in theirs:
            other &= ~(1 << SPACE[space])
        self._world.dark[1 - self.seat] = other

    def certain(self) -> World:
        """Return one of the possible worlds. In it, the seat knows the cards that are not `dark`."""
        return self._world.copy()

    def world(self, rng: Random) -> World:
        """Return one of the possible worlds at random. All are equally likely."""
        world = self._world.copy()
        draw = rng.random
        world.deal(self._spaces, sorted(self._cards, key=lambda _: draw()))
        return world
