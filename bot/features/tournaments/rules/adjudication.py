"""Adjudication: the places in a game that is not over when its round ends."""

from collections.abc import Sequence


def adjudicate(used: Sequence[float], finished: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the place of each seat, from 1, by the seconds that each has used, the least first; equals share a place.

    Players who have finished come first: `finished` has their places, and 0 for the others; empty if nobody has.
    """
    if finished and len(finished) != len(used):
        raise ValueError("places are given for each seat, or for none")
    ranks = [
        (0, float(place)) if place else (1, seconds) for place, seconds in zip(finished or [0] * len(used), used, strict=True)
    ]
    return tuple(1 + sum(other < mine for other in ranks) for mine in ranks)
