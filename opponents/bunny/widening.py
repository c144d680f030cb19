"""The moves of a Swap or a Spy that are worth thinking of, the likeliest first."""

from collections.abc import Iterator

from opponents.bunny.kernel import AREA, CARROT, OFF, PEEK, STOP, TRADE, World


def peeks(world: World) -> Iterator[int]:
    """The spaces that a Spy can look at: those that its Bunny can come to, those that the other one can, then the others.

    Cards that the seat knows come only where there are no others.
    """
    seat = world.chooser
    hidden = world.hidden_spaces()
    fresh = hidden & world.dark[seat] or hidden
    near = [*_ways_on(world, seat), *_ways_on(world, 1 - seat)]
    order = dict.fromkeys(space for space in [*near, *range(AREA)] if fresh >> space & 1)
    return iter([PEEK + space for space in order])


def trades(world: World) -> Iterator[int]:
    """The swaps: first those that bring a Carrot near the own Bunny or away from the other one, then all that change a way.

    They are made as they are asked for.
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
    """The cards that a Bunny comes to when it moves, as far as the chooser knows the way: first ones first."""
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
