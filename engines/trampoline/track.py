"""The track of BOUNCE: the places where a token can be, and what the dice, once they have fallen, do to the tokens."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Final, Literal, NamedTuple

from engines.values import replace

Facing = Literal["up", "down"]

TOP: Final = 9
"""The highest spot; spot 1 is the trampoline."""

LAST_JUMP: Final = 15


class Place(NamedTuple):
    """One of the 18 places: a spot from 1 (the trampoline) to 9 (the top), and the way a token there faces."""

    spot: int
    facing: Facing


FIRST: Final = Place(1, "up")
"""The place of a token after its first move. Every arrival here is a jump."""

LANDED: Final = Place(1, "down")
"""The place on the trampoline, facing down. A token that comes to rest here has landed, and its player wins."""

_ABOVE_THE_MAT: Final = Place(2, "up")

CYCLE: Final[tuple[Place, ...]] = (
    *(Place(spot, "up") for spot in range(1, TOP + 1)),
    *(Place(spot, "down") for spot in range(TOP, 0, -1)),
)
"""The 18 places in the order in which a token passes them, again and again."""

_NEXT: Final[dict[Place, Place]] = dict(zip(CYCLE, CYCLE[1:] + CYCLE[:1], strict=True))


@dataclass(frozen=True, slots=True)
class Jumper:
    """One player's token and jump counter, 0 to 15. `place` is None before the first roll, and once the player is out."""

    place: Place | None = None
    jumps: int = 0
    left: bool = False

    @property
    def spot(self) -> int | None:
        """The spot the token is on, 1 to 9, or None off the board."""
        return self.place.spot if self.place else None

    @property
    def facing(self) -> Facing | None:
        """The way the token faces, or None off the board."""
        return self.place.facing if self.place else None

    @property
    def thrown_up(self) -> bool:
        """Whether this player has made the fifteenth jump."""
        return self.jumps >= LAST_JUMP

    @property
    def landed(self) -> bool:
        """Whether this player has landed."""
        return self.place == LANDED

    @property
    def out(self) -> bool:
        """Whether this player has thrown up or left."""
        return self.left or self.thrown_up


@dataclass(frozen=True, slots=True)
class Roll:
    """The effect of a roll on the token of the player who rolled, before any bumps.

    Attributes:
        dice: the dice as they fell. For a faceplant, this is the one number that the coin showed, 1 or 2.
        start: the place of the token before the roll, or None if it was off the board.
        path: the places to which it came, one for each move. There are fewer than rolled if the player threw up on the way.
        fell: whether the token turned over on the last place of the path, which costs no move.
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
        """The place where the roll ended, before any bumps, or None if the player threw up."""
        if self.jumps >= LAST_JUMP:
            return None
        return Place(self.path[-1].spot, "down") if self.fell else self.path[-1]


@dataclass(frozen=True, slots=True)
class Bump:
    """A bump: the token of `seat` comes to the spot of `other`'s token, and one of the two, that of `moved`, must leave."""

    seat: int
    other: int
    moved: int
    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of a turn: the tokens after it, the seats that share a spot (see `sharing`), the roll, the bumps in order."""

    tokens: tuple[Jumper, ...]
    sharing: tuple[int, ...]
    roll: Roll
    bumps: tuple[Bump, ...]


def dice_for(jumper: Jumper) -> int:
    """Return the number of dice a player rolls: three with 0 to 4 jumps, two with 5 to 9, one with 10 to 14."""
    return 3 - min(jumper.jumps // 5, 2)


def moves_to_land(jumper: Jumper) -> int:
    """Return the number of moves that bring a token to 1↓: 18 before it is on the trampoline."""
    return len(CYCLE) if jumper.place is None else len(CYCLE) - 1 - CYCLE.index(jumper.place)


def winning_rolls(tokens: tuple[Jumper, ...], shared: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the totals with which a player lands, including those after which a bump drops the token back onto the mat."""
    jumper = tokens[seat]
    dice, here = dice_for(jumper), -1 if jumper.place is None else CYCLE.index(jumper.place)
    # A token can land only where it comes to the mat or drops back onto it, so no other total is worth working out.
    totals = [total for total in range(dice, 6 * dice + 1) if CYCLE[(here + total) % len(CYCLE)] in {LANDED, _ABOVE_THE_MAT}]
    return tuple(total for total in totals if take_turn(tokens, shared, seat, (total,)).tokens[seat].landed)


@cache
def odds(totals: tuple[int, ...], dice: int) -> Fraction:
    """Return the probability of rolling one of these totals with this many dice."""
    rolls = Counter(map(sum, product(range(1, 7), repeat=dice)))
    return Fraction(sum(rolls[total] for total in totals), 6**dice)


def may_faceplant(jumper: Jumper) -> bool:
    """Whether a player may flip the coin, which takes exactly 14 jumps and a token on spot 2 or 3 that faces down."""
    return jumper.jumps == LAST_JUMP - 1 and jumper.place in {Place(2, "down"), Place(3, "down")}


def sharing(tokens: Sequence[Jumper], order: Iterable[int]) -> tuple[int, ...]:
    """Return the seats that share a spot, from the lowest spot up and, on each spot, in `order`: the longest there first."""
    on_spot: dict[int, list[int]] = {}
    for seat in order:
        place = tokens[seat].place
        if place is not None:
            on_spot.setdefault(place.spot, []).append(seat)
    return tuple(seat for _, seats in sorted(on_spot.items()) if len(seats) > 1 for seat in seats)


def go(jumper: Jumper, moves: int) -> tuple[tuple[Place, ...], int]:
    """Return the places to which a token comes in this many moves, and its jumps by then. It stops at the fifteenth jump."""
    path: list[Place] = []
    place, jumps = jumper.place, jumper.jumps
    for _ in range(moves):
        place = FIRST if place is None else _NEXT[place]
        path.append(place)
        if place == FIRST:
            jumps += 1
            if jumps == LAST_JUMP:
                break
    return tuple(path), jumps


def take_turn(
    tokens: tuple[Jumper, ...], shared: tuple[int, ...], seat: int, dice: tuple[int, ...], *, faceplant: bool = False
) -> Turn:
    """Return the result of a roll with its bumps. `shared` is as `sharing` returns it. A faceplant has one die, its coin."""
    jumper = tokens[seat]
    path, jumps = go(jumper, sum(dice))
    falls = 10 <= jumps < LAST_JUMP and path[-1].facing == "up" and path[-1].spot > 1
    roll = Roll(seat, dice, faceplant, jumper.place, path, falls, jumps)
    after = list(tokens)
    after[seat] = replace(jumper, place=roll.rest, jumps=jumps)
    # A token that only turns over at the top stays on its spot; after any other roll it has just arrived there.
    turned = len(path) == 1 and jumper.spot == TOP == path[0].spot
    order = [*shared, *(other for other in range(len(tokens)) if other not in shared)]
    if not turned:
        order.remove(seat)
        order.append(seat)
    bumps = _bump(after, order, seat)
    return Turn(tuple(after), sharing(after, order), roll, tuple(bumps))


def _bump(tokens: list[Jumper], order: list[int], seat: int) -> list[Bump]:
    """Let a token that has come to rest bump the one there, and so on. Changes `tokens` and `order`. None is moved twice."""
    bumps: list[Bump] = []
    moved = {seat}
    comer = seat
    while (other := _bumped_by(tokens, order, comer, moved)) is not None:
        bump = _meet(tokens, comer, other)
        bumps.append(bump)
        moved.add(bump.moved)
        tokens[bump.moved] = replace(tokens[bump.moved], place=bump.end)
        if bump.end.spot == bump.start.spot:
            break  # It only turned over, at the top or on the trampoline, and so came to no other token.
        order.remove(bump.moved)
        order.append(bump.moved)
        comer = bump.moved
    return bumps


def _bumped_by(tokens: Sequence[Jumper], order: Iterable[int], comer: int, moved: set[int]) -> int | None:
    """Return the token that has been longest on the comer's spot and has not been moved this turn, or None if there is none."""
    spot = tokens[comer].spot
    if spot is None:
        return None
    return next((seat for seat in order if seat not in moved and tokens[seat].spot == spot), None)


def _meet(tokens: Sequence[Jumper], comer: int, other: int) -> Bump:
    """Return the bump of two tokens on one spot: which of them is moved, and its new place."""
    mine, theirs = tokens[comer].place, tokens[other].place
    assert mine is not None
    assert theirs is not None
    if mine.facing == theirs.facing:
        return Bump(comer, other, other, theirs, _NEXT[theirs])
    if mine.facing == "up":
        return Bump(comer, other, comer, mine, Place(mine.spot - 1, "down"))
    return Bump(comer, other, other, theirs, Place(max(theirs.spot - 1, 1), "down"))
