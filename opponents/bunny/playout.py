"""Imagined games of Bounce Bunny Bounce: quick play, and a position's value where a game is cut off."""

from collections.abc import Callable
from math import exp
from typing import Final

from opponents.bunny.kernel import AREA, CARROT, MOVING, OFF, OVER, SHOCKING, SWAPPING, World

Draw = Callable[[], float]
"""A source of chance: returns a number from 0 up to 1."""
_CARROTS: Final = ((0.0, 1.4, 4.0), (1.4, 0.0, 2.7), (4.0, 2.7, 0.0))
_SHOCK: Final = 0.4
_TURN: Final = 0.15
_AHEAD: Final = 0.6
_BEHIND: Final = 0.25

_SPENT: Final = 0.1
_THROWN_OFF: Final = 0.5
"""The worth to a beginner who may spend a Universal Shock: of each in hand, and of the other Bunny off the field."""


def value(world: World) -> float:
    """Seat 0's chance to win, 0 to 1, at a glance: a logistic curve fitted to games of *Hard* against itself."""
    if world.phase == OVER:
        return world.result()
    near = _nearness(world, world.turn) if world.phase == MOVING else 0.0
    return _chance(_possessions(world, _SHOCK) + (near if world.turn == 0 else -near))


def beginners_value(world: World) -> float:
    """The same by both seats' possessions alone, without noticing ways to a Carrot that begin with the next hop."""
    return world.result() if world.phase == OVER else _chance(_possessions(world, _SHOCK))


def beginners_thrill(world: World) -> float:
    """The same for a beginner who may spend a Universal Shock: it is there to throw the other Bunny off the field."""
    if world.phase == OVER:
        return world.result()
    off = [place == OFF for place in world.places]
    return _chance(_possessions(world, _SPENT) + _THROWN_OFF * (off[1] - off[0]))


def _possessions(world: World, shock: float) -> float:
    """The worth to seat 0 of both seats' Carrots, and of their Universal Shocks at `shock` each."""
    mine, theirs = world.carrots
    lead = _CARROTS[mine][theirs] if mine >= theirs else -_CARROTS[mine][theirs]
    return lead + shock * (world.shocks[0] - world.shocks[1])


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-odds))


def _nearness(world: World, seat: int) -> float:
    """The worth to a seat of moving next and of Carrots that are near."""
    near = _TURN
    if carrot_ahead(world, seat) != OFF:
        near += _AHEAD
    if carrot_ahead(world, 1 - seat) != OFF:
        near -= _BEHIND
    return near


def carrot_ahead(world: World, seat: int) -> int:
    """Return a first card from which a seat knows a way to a Carrot, or `OFF`."""
    dark, cards = world.dark[seat], world.cards
    for first in world.firsts(seat):
        end = world.end(first)
        if end != OFF and cards[end] == CARROT and not world.path(first) & dark:
            return first
    return OFF


def play_on(world: World, turns: int, draw: Draw) -> None:
    """Let both seats play quickly for this many turns, each by its own knowledge."""
    while turns and world.phase != OVER:
        if world.phase == MOVING:
            turns -= 1
            world.land(world.turn, moving(world, draw))
        elif world.phase == SHOCKING:
            shocking(world, draw)
        elif world.phase == SWAPPING:
            swapping(world, draw)
        else:
            spying(world, draw)


def moving(world: World, draw: Draw) -> int:
    """Hop to a Carrot if a way is known, keep out of known loops, and otherwise go anywhere."""
    seat = world.turn
    dark, cards = world.dark[seat], world.cards
    firsts = world.firsts(seat)
    good = []
    for first in firsts:
        end = world.end(first)
        if not world.path(first) & dark:
            if end == OFF:
                continue
            if cards[end] == CARROT:
                return first
        good.append(first)
    good = good or firsts
    return good[int(draw() * len(good))]


def shocking(world: World, draw: Draw) -> None:
    """Send the other Bunny away if it knows the way to a Carrot; otherwise pass."""
    other = 1 - world.turn
    if carrot_ahead(world, other) == OFF:
        world.pass_by()
        return
    dark, cards = world.dark[world.turn], world.cards
    good = []
    for first in world.firsts(other):
        end = world.end(first)
        if world.path(first) & dark or end == OFF or cards[end] != CARROT:
            good.append(first)
    if good:
        world.shock(good[int(draw() * len(good))])
    else:
        world.pass_by()


def swapping(world: World, draw: Draw) -> None:
    """Lay a Carrot next to the own Bunny if possible; otherwise exchange any two cards."""
    seat = world.chooser
    around = [first for first in world.firsts(seat) if first not in world.places and world.cards[first] != CARROT]
    carrots = [space for space in range(AREA) if world.cards[space] == CARROT]
    if around and carrots:
        world.swap(carrots[int(draw() * len(carrots))], around[int(draw() * len(around))])
        return
    spaces = world.swappable()
    one = int(draw() * len(spaces))
    world.swap(spaces[one], spaces[one - 1])


def spying(world: World, draw: Draw) -> None:
    """Look at an unknown card next to the own Bunny, or at any that lies face down."""
    seat = world.chooser
    hidden = world.hidden_spaces()
    for first in world.firsts(seat):
        if hidden & world.dark[seat] >> first & 1:
            world.spy(first)
            return
    spaces = [space for space in range(AREA) if hidden >> space & 1]
    world.spy(spaces[int(draw() * len(spaces))])
