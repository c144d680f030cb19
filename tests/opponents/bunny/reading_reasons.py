"""Reads the reasons of Bounce Bunny Bounce back, and checks them hop by hop on the cards that a seat knows.

`check` fails for a sentence that is not true, and returns how many it has checked.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engines.bunny import BunnyState
from engines.bunny.field import COLUMNS, DIRECTIONS, SPACES, next_card
from engines.game import Action
from opponents import Memory, opponent

SPACE: Final = r"([a-g][1-5])"
THEN: Final = re.compile(rf"Then you can get the carrot on {SPACE} with your next hop")
STILL: Final = re.compile(rf"you can still get the carrot on {SPACE} with your next hop")
OUT: Final = re.compile(rf"could have hopped to the carrot on {SPACE} next\. Now it’s out of reach")
CAN: Final = re.compile(rf"can hop to the carrot on {SPACE} next")
BETWEEN: Final = re.compile(r"gets in the way|gets no carrot")
CANNOT: Final = re.compile(r"can’t reach a carrot with the next hop")
HARDLY: Final = re.compile(r"A shock would hardly keep")
AT_ONCE: Final = re.compile(rf"could take the carrot on {SPACE} at once")
NO_WAY: Final = re.compile(r"don’t know a way to a carrot with your next hop")
CIRCLES: Final = re.compile(r"go round in circles")
FARTHER: Final = re.compile(rf"needs more hops to reach a carrot from {SPACE}")
THEIRS: Final = re.compile(r"then needs more hops to reach a carrot")
MINE: Final = re.compile(r"your Bunny then needs fewer hops to reach a carrot")
UNKNOWN: Final = re.compile(rf"(?:don’t know the card on|turns up the card on|This leads to) {SPACE}")
PEEK: Final = re.compile(rf"From {SPACE} it’s one hop to the carrot on {SPACE}")


@dataclass(frozen=True)
class KnownTable:
    """The known cards, by space, and where both Bunnies are."""

    cards: Mapping[str, str]
    bunnies: tuple[str | None, str | None]

    def ahead(self, space: str, direction: str) -> str | None:
        field = tuple(self.cards.get(each, "hidden") for each in SPACES)
        return next_card(field, space, direction)  # type: ignore[arg-type]

    def around(self, space: str) -> set[str]:
        return {there for direction in DIRECTIONS if (there := self.ahead(space, direction)) is not None}

    def firsts(self, bunny: int) -> set[str]:
        place = self.bunnies[bunny]
        if place is not None:
            return self.around(place)
        row = {column + "1" for column in COLUMNS} - {self.bunnies[1 - bunny]}
        return {space for space in row if self.cards.get(space) != "empty"}

    def first(self, bunny: int, action: Action) -> str | None:
        if action[0] == "enter":
            return action[-1] + "1"
        place = self.bunnies[bunny]
        assert place is not None
        return self.ahead(place, action[-1])

    def follow(self, first: str) -> tuple[list[str], str | None]:
        """The way from a card, and where it ends: None after a loop."""
        way, space = [first], first
        while self.cards.get(space) in DIRECTIONS:
            there = self.ahead(space, self.cards[space])
            if there is None or there in way:
                return way, None
            way.append(there)
            space = there
        return way, space

    def goals(self, bunny: int) -> set[str]:
        ends = {self.follow(first)[1] for first in self.firsts(bunny)}
        return {end for end in ends if end is not None and self.cards.get(end) == "carrot"}

    def hops(self, bunny: int) -> int:
        """The fewest hops to a Carrot, if each unknown card may be a Stop."""
        reached, there = set[str](), self.firsts(bunny)
        for count in range(1, 99):
            ends = {end for first in there if (end := self.follow(first)[1]) is not None}
            if any(self.cards.get(end) == "carrot" for end in ends):
                return count
            there = {space for end in ends - reached for space in self.around(end)}
            reached |= ends
        return 99

    def landed(self, bunny: int, first: str) -> "KnownTable":
        way, end = self.follow(first)
        other = self.bunnies[1 - bunny]
        places = [end, None if other in way else other]
        cards = {space: "empty" if space == end and card == "carrot" else card for space, card in self.cards.items()}
        return KnownTable(cards, (places[bunny], places[1 - bunny]))

    def swapped(self, one: str, two: str) -> "KnownTable":
        there = {one: two, two: one}
        return replace(self, cards={there.get(space, space): card for space, card in self.cards.items()})


def tables(state: BunnyState, seat: int, memories: tuple[Memory, Memory]) -> tuple[KnownTable, KnownTable]:
    """What a seat knows, and what it knows that the other one knows, too."""
    known = []
    for each in (seat, 1 - seat):
        seen = opponent("bunny").recall(state, each, memories[each])
        faces = seen.face_up | {space for space in seen.bunnies if space is not None}
        cards = dict(zip(SPACES, state.field, strict=True))
        known.append({space: card for space, card in cards.items() if space in faces or card == "empty"})
    mine, theirs = known
    both = {space: card for space, card in mine.items() if space in theirs}
    return KnownTable(mine, state.bunnies), KnownTable(both, state.bunnies)


def check(words: str, state: BunnyState, seat: int, action: Action, memories: tuple[Memory, Memory]) -> int:
    """Check what is said of a seat's action; return the number of sentences."""
    mine, theirs = tables(state, seat, memories)
    other, looked = 1 - seat, 0
    for pattern, bunny, table in ((CAN, other, theirs), (AT_ONCE, seat, mine)):
        for found in pattern.finditer(words):
            assert found[1] in table.goals(bunny), words
            looked += 1
    for pattern, bunny, table in ((CANNOT, other, theirs), (NO_WAY, seat, mine)):
        if pattern.search(words):
            assert not table.goals(bunny), words
            looked += 1
    for found in UNKNOWN.finditer(words):
        assert found[1] not in mine.cards, words
        looked += 1
    for found in PEEK.finditer(words):
        assert mine.cards[found[2]] == "carrot"
        assert found[2] in mine.around(found[1]), words
        looked += 1
    if action[0] == "swap":
        return looked + _check_swap(words, (mine, theirs), seat, action)
    if action[0] == "shock":
        return looked + _check_shock(words, (mine, theirs), seat, action)
    if state.phase == "move" and AT_ONCE.search(words):
        first = mine.first(seat, action)
        assert first is not None
        assert mine.cards.get(mine.follow(first)[1] or "") != "carrot", words
    if HARDLY.search(words):
        for first in theirs.firsts(other):
            assert not _keeps_away((mine, theirs), seat, first), words
        looked += 1
    return looked


def _keeps_away(known: tuple[KnownTable, KnownTable], seat: int, first: str) -> bool:
    """Whether the other Bunny surely gets to no Carrot, neither by the shock nor with its next hop."""
    mine, theirs = known
    way, end = mine.follow(first)
    if end is not None and mine.cards.get(end, "carrot") == "carrot":
        return False
    shown = replace(theirs, cards={**theirs.cards, **{space: mine.cards[space] for space in way}})
    return not shown.landed(1 - seat, first).goals(1 - seat)


def _check_shock(words: str, known: tuple[KnownTable, KnownTable], seat: int, action: Action) -> int:
    mine, looked = known[0], 0
    first = mine.first(1 - seat, action)
    assert first is not None
    end = mine.follow(first)[1]
    if BETWEEN.search(words):
        assert _keeps_away(known, seat, first), words
        looked += 1
    if CIRCLES.search(words):
        assert end is None, words
        looked += 1
    for found in FARTHER.finditer(words):
        assert found[1] == end, words
        assert mine.cards[found[1]] == "stop", words
        assert mine.landed(1 - seat, first).hops(1 - seat) > mine.hops(1 - seat), words
        looked += 1
    return looked


def _check_swap(words: str, known: tuple[KnownTable, KnownTable], seat: int, action: Action) -> int:
    (mine, theirs), looked = known, 0
    after, left = (table.swapped(*action[1:]) for table in known)
    for found in THEN.finditer(words):
        assert found[1] in after.goals(seat), words
        assert not mine.goals(seat), words
        looked += 1
    for found in STILL.finditer(words):
        assert found[1] in after.goals(seat), words
        looked += 1
    for found in OUT.finditer(words):
        assert found[1] in theirs.goals(1 - seat), words
        assert not left.goals(1 - seat), words
        looked += 1
    for pattern, bunny in ((THEIRS, 1 - seat), (MINE, seat)):
        if pattern.search(words):
            one, two = mine.hops(bunny), after.hops(bunny)
            assert one < two if bunny != seat else two < one, words
            looked += 1
    return looked
