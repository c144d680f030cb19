"""Offers that players make one another, as they are stored."""

from dataclasses import dataclass, replace
from typing import Final

from storage.schema.kinds import Level, OfferKind
from storage.schema.strict import STRICT


@STRICT
@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An offer to which everybody who is still in the game has to agree.

    Attributes:
        by: the seat that made it.
        agreed: the seats that have agreed so far, in ascending order, including `by`.
        version: the version of the board that it was made on, with which it lapses; None for one that does not.
    """

    by: int
    agreed: tuple[int, ...]
    version: int | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class Handover:
    """A seat that is offered to a person who does not play yet.

    Attributes:
        by: the seat that offers it.
        seat: the seat that is offered.
        to: the id of the user it is offered to.
    """

    by: int
    seat: int
    to: int


@STRICT
@dataclass(frozen=True, kw_only=True)
class Relief(Proposal):
    """A proposal that a computer takes a seat that was left, on the board on which it was left.

    Attributes:
        seat: the seat.
        level: how well the computer plays.
    """

    seat: int
    level: Level


@STRICT
@dataclass(frozen=True, kw_only=True)
class Offers:
    """The open offers at a table, at most one of each kind."""

    draw: Proposal | None = None
    undo: Proposal | None = None
    substitute: Handover | None = None
    computer: Relief | None = None

    def of(self, kind: OfferKind) -> Proposal | Handover | None:
        """Return the open offer of this kind, or None."""
        offer: Proposal | Handover | None = getattr(self, kind)
        return offer

    def without(self, *kinds: OfferKind) -> "Offers":
        """Return the offers except those of these kinds."""
        return replace(self, **dict.fromkeys(kinds))


NOTHING: Final = Offers()
"""The offers at a table where nothing is on offer."""
