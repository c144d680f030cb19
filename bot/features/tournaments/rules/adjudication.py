"""Adjudication: the places in a game that is not over when its round ends."""

from collections.abc import Sequence


def adjudicate(used: Sequence[float], finished: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the place of each seat, from 1.

    Players who have finished keep their order and come first. The others follow by the time they have used, the least first;
    those who have used equally much share a place. In a game of two, whoever has used more time loses.

    Args:
        used: the seconds that each seat has used.
        finished: the place of each seat that has finished already, and 0 for the others. Empty: nobody has.
    """
    if finished and len(finished) != len(used):
        raise ValueError("places are given for each seat, or for none")
    ranks = [
        (0, float(place)) if place else (1, seconds) for place, seconds in zip(finished or [0] * len(used), used, strict=True)
    ]
    return tuple(1 + sum(other < mine for other in ranks) for mine in ranks)
