"""The moves of a Swap or a Spy that are worth considering, the likeliest first."""

from collections.abc import Iterator

from opponents.bunny.kernel import AREA, CARROT, OFF, PEEK, STOP, TRADE, World


def peeks(world: World) -> Iterator[int]:
    """Return the moves of a Spy: first the spaces that its Bunny can come to, then those that the other can, then the rest.

    Cards that the seat knows already are offered only if there are no others.
    """
    seat = world.chooser
    hidden = world.hidden_spaces()
    fresh = hidden & world.dark[seat] or hidden
    near = [*_ways_on(world, seat), *_ways_on(world, 1 - seat)]
    order = dict.fromkeys(space for space in [*near, *range(AREA)] if fresh >> space & 1)
    return iter([PEEK + space for space in order])


def trades(world: World) -> Iterator[int]:
    """Yield the swaps that matter, each worked out only when it is asked for.

    Swaps that bring a Carrot near the own Bunny or away from the other one come first, then all that change a way.
    """
    seat = world.chooser
    spaces = world.swappable()
    carrots = [space for space in spaces if world.cards[space] == CARROT]
    mine = [space for space in _ways_on(world, seat) if space in spaces]
    theirs = [space for space in _ways_on(world, 1 - seat) if space in spaces]
    others = [space for space in spaces if space not in carrots]
    return _pairs((mine, carrots), (carrots, others), (theirs, others), (mine, others), (spaces, spaces))


def _pairs(*groups: tuple[list[int], list[int]]) -> Iterator[int]:
    given: set[int] = set()
    for ones, others in groups:
        for one in ones:
            for two in others:
                move = TRADE + AREA * min(one, two) + max(one, two)
                if one != two and move not in given:
                    given.add(move)
                    yield move


def _ways_on(world: World, seat: int) -> list[int]:
    """Return the cards that a Bunny can come to when it moves, as far as the chooser knows the way. First cards come first."""
    dark = world.dark[world.chooser]
    firsts = world.firsts(seat)
    further = []
    for first in firsts:
        space, seen = first, 0
        while not (dark | seen) >> space & 1 and world.cards[space] < STOP:
            seen |= 1 << space
            space = world.ways[AREA * world.cards[space] + space]
            if space == OFF:
                break
            further.append(space)
    return list(dict.fromkeys([*firsts, *further]))
