"""Imagined games of Bounce Bunny Bounce: quick play, and the value of the position where such a game is cut off."""

from collections.abc import Callable
from math import exp
from typing import Final

from opponents.bunny.kernel import AREA, CARROT, MOVING, OFF, OVER, SHOCKING, SWAPPING, World

Draw = Callable[[], float]
"""A source of chance, which returns a number from 0 up to but not including 1."""
_CARROTS: Final = ((0.0, 1.4, 4.0), (1.4, 0.0, 2.7), (4.0, 2.7, 0.0))
_SHOCK: Final = 0.4
_TURN: Final = 0.15
_AHEAD: Final = 0.6
_BEHIND: Final = 0.25

_SPENT: Final = 0.1
_THROWN_OFF: Final = 0.5
"""The worth to a beginner with a Universal Shock of having the other Bunny off the field. `_SPENT` is the worth of a shock."""


def value(world: World) -> float:
    """Return seat 0's chance to win, 0 to 1, at a glance, by a logistic curve fitted to games of *Hard* against itself."""
    if world.phase == OVER:
        return world.result()
    near = _nearness(world, world.turn) if world.phase == MOVING else 0.0
    return _chance(_possessions(world, _SHOCK) + (near if world.turn == 0 else -near))


def beginners_value(world: World) -> float:
    """Return seat 0's chance to win by both seats' possessions alone, without noticing Carrots that the next hop can reach."""
    return world.result() if world.phase == OVER else _chance(_possessions(world, _SHOCK))


def beginners_thrill(world: World) -> float:
    """Return seat 0's chance to win as seen by a beginner who would use a Universal Shock to throw the other Bunny off."""
    if world.phase == OVER:
        return world.result()
    off = [place == OFF for place in world.places]
    return _chance(_possessions(world, _SPENT) + _THROWN_OFF * (off[1] - off[0]))


def _possessions(world: World, shock: float) -> float:
    """Return the worth to seat 0 of both seats' Carrots and Universal Shocks, where each Universal Shock counts `shock`."""
    mine, theirs = world.carrots
    lead = _CARROTS[mine][theirs] if mine >= theirs else -_CARROTS[mine][theirs]
    return lead + shock * (world.shocks[0] - world.shocks[1])


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-odds))


def _nearness(world: World, seat: int) -> float:
    """Return the worth to a seat of moving next and of the Carrots that either seat can reach with its next hop."""
    near = _TURN
    if carrot_ahead(world, seat) != OFF:
        near += _AHEAD
    if carrot_ahead(world, 1 - seat) != OFF:
        near -= _BEHIND
    return near


def carrot_ahead(world: World, seat: int) -> int:
    """Return a first card from which a seat knows a way to a Carrot, or `OFF` if it knows none."""
    dark, cards = world.dark[seat], world.cards
    for first in world.firsts(seat):
        end = world.end(first)
        if end != OFF and cards[end] == CARROT and not world.path(first) & dark:
            return first
    return OFF


def play_on(world: World, turns: int, draw: Draw) -> None:
    """Let both seats play quickly for this many turns. Each uses only what it knows."""
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
    """Return the card to hop to: one that leads to a Carrot by a known way, or else any that does not begin a known loop."""
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
    """If the other seat knows a way to a Carrot, send its Bunny elsewhere. Otherwise pass."""
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
    """Lay a Carrot next to the Bunny of the seat that chooses if possible, or else exchange any two cards."""
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
    """Look at an unknown card next to the Bunny of the seat that chooses, or else at any card that lies face down."""
    seat = world.chooser
    hidden = world.hidden_spaces()
    for first in world.firsts(seat):
        if hidden & world.dark[seat] >> first & 1:
            world.spy(first)
            return
    spaces = [space for space in range(AREA) if hidden >> space & 1]
    world.spy(spaces[int(draw() * len(spaces))])
