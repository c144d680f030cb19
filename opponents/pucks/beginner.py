"""Choices that are made without a plan: how the pieces are placed, and how the lower levels play.

The lower levels look at one action and at their own pucks alone, as people do before they learn to look at the others.
"""

from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from typing_extensions import override

from engines.game import Action
from engines.pucks.board.board import space_name
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.state import State
from engines.pucks.play.placing import free_starts, unplaced_pieces
from opponents.contract import Level
from opponents.pucks.outlook import behind, company_of, rink_for, shares_of, situation_of
from opponents.pucks.rink import FAR
from opponents.pucks.ways import Look, Looking


@dataclass(frozen=True, slots=True)
class Eye:
    """The things that a player notices.

    Attributes:
        sees: the number of slides from which they see a goal.
        follows: the chance that they see each thing about an action beyond the slide of one piece.
    """

    sees: int
    follows: float


EYES: Final = {Level.EASY: Eye(sees=2, follows=0.5), Level.MEDIUM: Eye(sees=4, follows=0.9)}
"""The eye of each of the lower levels."""


class Beginner(Looking):
    """A beginner's view of a state: their own pucks, and goals that are near. It leaves out the other seats' next actions."""

    def __init__(self, state: State, sees: int) -> None:
        super().__init__(state)
        self._sees = sees

    @override
    def seen(self, look: Look) -> tuple[float, ...]:
        self.looked += 1
        own = self.company.distances(look.rink, look.spots)[self.seat]
        near = tuple([distance if distance <= self._sees else FAR for distance in own])
        shares = [0.0] * self.state.seats
        shares[self.seat] = exp(look.after.held[self.seat] + 0.1 * max(look.after.left, 0) - behind(near))
        return tuple(shares)

    def difficulty(self, look: Look) -> int:
        """Return how many things there are to think of beyond the slide of one piece: cards, targets, and pieces bumped."""
        if look.action[0] == "play":
            return len(look.action) - 1
        moved = sum(before != after for before, after in zip(self.spots, look.spots, strict=True))
        return max(0, moved - 1)


def beginner(state: State, eye: Eye, rng: Random) -> Action | None:
    """Return a beginner's action in its turn, or None if it notices none.

    Of the actions that it notices, it takes the one after which its own pucks are nearest to goals.
    """
    view = Beginner(state, eye.sees)
    looks = sorted(view.looks(thorough=False), key=view.difficulty)
    noticed = [look for look in looks if rng.random() < eye.follows ** view.difficulty(look)] or looks[:1]
    if not noticed:
        return None
    shares = [view.seen(look)[state.to_move] for look in noticed]
    highest = max(shares)
    return rng.choice([look for look, share in zip(noticed, shares, strict=True) if share == highest]).action


_ORDER = (PieceKind.PUCK, PieceKind.ICE, PieceKind.MEEPLE)


def place(state: State, seat: int) -> Action:
    """Return the action that places a seat's next piece on the space with the best outlook. Pucks are placed first."""
    pieces = state.pieces
    piece = min(unplaced_pieces(state, seat), key=lambda index: (_ORDER.index(pieces[index].kind), index))
    rink, places = rink_for(state.table), state.table.places
    company, now = company_of(state), situation_of(state)._replace(left=1)

    def chance(space: int) -> float:
        spots = rink.spots((*places[:piece], space, *places[piece + 1 :]))
        return shares_of(company.distances(rink, spots), now)[seat]

    space = max(free_starts(state, piece), key=chance)
    known = pieces[piece]
    named = (known.shade, known.word) if state.colours > 1 else (known.word,)
    return ("place", *named, space_name(space))
