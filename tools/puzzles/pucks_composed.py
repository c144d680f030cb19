"""Composed turns of Puck Bumpers, with pieces put down at random and a hand for a kind of plan that is rare in games."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final

from engines.chance import Fair
from engines.pucks import Pucks
from engines.pucks.board.deck import CardId
from engines.pucks.board.state import State, grid_of
from engines.pucks.board.views import Phase
from engines.values import replace
from opponents.pucks.mats import PLAYED
from opponents.pucks.outlook import company_of, rink_for
from opponents.pucks.rink import occupied_bits
from opponents.puzzles.goals import LAYING, PLAIN_CARDS
from opponents.puzzles.puzzle import Puzzle
from tools.puzzles.miner import seeded

GAME: Final = Pucks()

MORE: Final = frozenset({"extra", "double", "take-3", "take-4"})
"""The cards that give more actions than a composed turn has."""
MATS_MOVED: Final = 6
"""The most times that a mat is moved or turned on a composed board."""
_SEATS: Final = (2, 3, 4)
"""The numbers of players, one of which is drawn for each place."""
_DRAWN: Final = 2_000
"""The most boards that are composed in one place."""
_STANDING: Final = frozenset(".PMI")
"""The marks of the spaces on which pieces may be put down, which are neither pools nor goals."""


@dataclass(frozen=True, slots=True)
class PucksTarget:
    """The kind of composed turn that is looked for.

    Attributes:
        goals: the fewest pucks that are scored.
        cards: the number of cards in the hand that leave the mats alone.
        laying: whether a card that moves or turns mats has to be played.
        actions: the number of actions in the turn.
    """

    goals: int = 1
    cards: int = 0
    laying: bool = False
    actions: int = 2

    def hand(self, rng: Random) -> tuple[CardId, ...]:
        """Return a hand drawn at random for this kind. Many pucks need cards that give more actions."""
        plain = sorted(PLAIN_CARDS if self.goals <= self.actions else MORE)
        return (*rng.sample(plain, self.cards), *rng.sample(sorted(LAYING), int(self.laying)))

    def fits(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle is of this kind."""
        played = {action[1] for action in puzzle.own if action[0] == "play"}
        return puzzle.goals >= self.goals and (not self.laying or not played.isdisjoint(LAYING))


_KINDS: Final = (
    PucksTarget(), PucksTarget(laying=True), PucksTarget(goals=2), PucksTarget(cards=1, actions=1),
    PucksTarget(goals=2, actions=3), PucksTarget(laying=True), PucksTarget(goals=2, cards=1), PucksTarget(cards=1),
    PucksTarget(goals=3, cards=1),
)  # fmt: skip
"""The kinds that take turns."""


def kind_of(number: int) -> PucksTarget:
    """Return the kind of turn that is composed in a place."""
    return _KINDS[number % len(_KINDS)]


def compositions(number: int, kind: PucksTarget) -> Iterator[State]:
    """Yield composed turns with the hand and the actions of a kind, all on the same board of mats."""
    rng = seeded(f"{GAME.id} composed {number}")
    start = GAME.start(rng.choice(_SEATS), "standard", Fair(sha256(f"composed {number}".encode()).digest()), setup="random")
    mats = start.table.mats
    for _ in range(rng.randint(0, MATS_MOVED)):
        mats = rng.choice([laid for _, laid in PLAYED[rng.choice(("shift", "twist"))](mats)])
    free = [space for space, mark in enumerate(grid_of(mats, None).marks) if mark in _STANDING]
    for _ in range(_DRAWN):
        table = replace(start.table, mats=mats, places=tuple(rng.sample(free, len(start.pieces))))
        state = replace(start, table=table, phase=Phase.ACT, to_move=rng.randrange(start.seats))
        if kind.goals - 1 <= _near(state) <= kind.goals - 1 + kind.cards:
            yield alone(state, kind.hand(rng), kind.actions)


def _near(state: State) -> int:
    rink, pucks = rink_for(state.table), company_of(state).pucks[state.to_move]
    spots = rink.spots(state.table.places)
    (ready, *_) = rink.distances(occupied_bits(spots))
    return sum(ready >> spots[puck] & 1 for puck in pucks)


def alone(state: State, hand: tuple[CardId, ...], actions: int) -> State:
    """Return a turn as a puzzle has it: the board, a hand, a number of actions, and no cards anywhere else.

    Because nobody else holds cards, nobody can answer, so that a win is final.
    """
    seat, has_cards = state.to_move, state.rules.cards
    table = replace(
        state.table, draw_rule=1, action_rule=actions if has_cards else state.rules.actions, ongoing=None, net_off=None,
        borrowed=(), previous=None, settled=None,
    )  # fmt: skip
    return replace(
        state, table=table, hands=tuple(tuple(sorted(hand)) if one == seat else () for one in range(state.seats)),
        draw_pile=(), discard=(), edge=(f"take-{actions}",) if has_cards and actions != state.rules.actions else (),
        turn_of=seat, direction=1, taken=0, extra=0, doubled=0, closed=False, last=None, winning=(), passed=(), out=(),
    )  # fmt: skip
