"""The track of BOUNCE as data: where a token can be, and what a turn does to the tokens."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Facing = Literal["up", "down"]

TOP: Final = 9
"""The highest spot; spot 1 is the trampoline."""

LAST_JUMP: Final = 15
"""The jump at which a player throws up."""


class Place(NamedTuple):
    """One of the 18 places: a spot from 1 (the trampoline) to 9 (the top), and the way a token on it faces."""

    spot: int
    facing: Facing


LANDED: Final = Place(1, "down")
"""On the trampoline, facing down: whose token comes to rest here is off the trampoline and has won."""


@dataclass(frozen=True, slots=True)
class Jumper:
    """One player's token and jump counter.

    Attributes:
        place: where the token is; None before the first roll, after throwing up, and for a player who has left.
        jumps: the jump counter, 0 to 15.
        left: whether the player has resigned or was removed.
    """

    place: Place | None = None
    jumps: int = 0
    left: bool = False

    @property
    def spot(self) -> int | None:
        """The spot the token is on, 1 to 9, or None."""
        return self.place.spot if self.place else None

    @property
    def facing(self) -> Facing | None:
        """The way the token faces, or None."""
        return self.place.facing if self.place else None

    @property
    def thrown_up(self) -> bool:
        """Whether the party is over for this player."""
        return self.jumps >= LAST_JUMP

    @property
    def landed(self) -> bool:
        """Whether this player is safely off the trampoline."""
        return self.place == LANDED

    @property
    def out(self) -> bool:
        """Whether this player takes no more turns without having landed."""
        return self.left or self.thrown_up


@dataclass(frozen=True, slots=True)
class Roll:
    """What the player who rolled did, before anybody was bumped.

    Attributes:
        seat: who rolled.
        dice: the dice as they fell; for a faceplant the one number of the coin, 1 or 2.
        faceplant: whether it was a coin.
        start: where the token was, or None if it came from off the board.
        path: the places it came to, one for each move that was made; fewer than rolled if the player threw up on the way.
        fell: whether the token turned to face down on the last place of the path, for free.
        jumps: the jump counter after the roll.
    """

    seat: int
    dice: tuple[int, ...]
    faceplant: bool
    start: Place | None
    path: tuple[Place, ...]
    fell: bool
    jumps: int

    @property
    def rest(self) -> Place | None:
        """Where the token came to rest before anybody was bumped; None if the player threw up."""
        if self.jumps >= LAST_JUMP:
            return None
        return Place(self.path[-1].spot, "down") if self.fell else self.path[-1]


@dataclass(frozen=True, slots=True)
class Bump:
    """One token coming to a spot where another is.

    Attributes:
        seat: who came.
        other: who was there.
        moved: which of the two the bump moved: `other`, or `seat` itself, which was set back.
        start: the place from which it was moved.
        end: the place to which it was moved.
    """

    seat: int
    other: int
    moved: int
    start: Place
    end: Place
