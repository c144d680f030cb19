"""What a picture shows in addition to the view."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engines.game import Action, Choice, Event
from engines.tableau import Tableau
from engines.text import seat_name

Translate = Callable[[str], str]
"""Translates a text into the language of the readers. A plain string is returned as it is."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything a picture depends on apart from the view. Equal views and scenes give equal pictures.

    Attributes:
        names: the players' names by seat, as the players write them (any script, emoji, any length).
        events: what has just happened, oldest first; only what the reader may know.
        prefix: the tokens picked so far, while an action is being picked.
        options: the choices for the next token; each is marked on the board with its token.
        seen_from: the seat from whose side the board is drawn.
        high_contrast: whether to use the high-contrast palette.
        translate: translates into the language of the readers. All text in the picture goes through it.
    """

    names: tuple[str, ...]
    events: tuple[Event, ...] = ()
    prefix: Action = ()
    options: tuple[Choice, ...] = ()
    seen_from: int = 0
    high_contrast: bool = False
    translate: Translate = str


def illustrating(tableau: Tableau[Any], translate: Translate = str, *, high_contrast: bool = False) -> Scene:
    """The scene of a picture on a rules page, in which the players are called by the colours of their seats."""
    view = tableau.view
    return Scene(
        names=tuple(translate(seat_name(seat)) for seat in range(view.seats)),
        events=tableau.events,
        prefix=tableau.prefix,
        options=tableau.options,
        seen_from=view.seat or 0,
        high_contrast=high_contrast,
        translate=translate,
    )
