"""Illustrations of rules pages, as data: a position and what is played in it. Renderers draw them like any other board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.actions import Action
from engines.text import Text, join, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """What a picture on a rules page shows. A page names it in a line of its own: ``![A capture](capture)``.

    Attributes:
        position: where it begins, as `Game.from_position` reads it; None: where a game begins.
        actions: what is played then, each action with the seat that plays it. All of it has just happened.
        chance: what is drawn meanwhile, as `engines.chance.Scripted` takes it: a die that shows 4 is 3.
        seat: the seat whose view is shown; None: a spectator's.
        picking: the tokens that `seat` has picked of its next action: what may come next is marked. None: nothing is.
        variant: the variant, where `position` is None; None: the default one.
        seats: the number of seats, where `position` is None; None: as many as there can be.
    """

    position: Mapping[str, Any] | None = None
    actions: tuple[tuple[int, Action], ...] = ()
    chance: tuple[int, ...] = ()
    seat: int | None = None
    picking: Action | None = None
    variant: str | None = None
    seats: int | None = None


def figure(name: str, alt: Text) -> Text:
    """The line that puts an illustration on a page made from data (see `Pages.pages`), with its description in words."""
    return join([plain("!["), alt, plain(f"]({name})")], "")
