"""The scene of a picture: all that it shows beside the view."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engines.game import Action, Choice, Event
from engines.tableau import Tableau
from engines.text import seat_name

Translate = Callable[[str], str]
"""Translates a text into the language of the readers. A plain string is returned as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finale:
    """The result of a game, for the banner above its last board.

    Attributes:
        winners: the seats that won, if any.
        drawn: whether it is a draw.
        ratings: each seat's rating before and after, as people see it, or None without a change; empty if unrated.
    """

    winners: tuple[int, ...]
    drawn: bool = False
    ratings: tuple[tuple[int, int] | None, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything a picture depends on apart from the view. Equal views and scenes give equal pictures.

    Attributes:
        names: the players' names by seat, as they write them (any script, emoji, any length).
        computers: the seats that computers play, marked beside their names.
        events: the latest events that the reader may know, oldest first.
        prefix: the tokens picked so far, while an action is being picked.
        options: the choices for the next token; each is marked on the board with its token.
        seen_from: the seat from whose side the board is drawn.
        high_contrast: whether to use the high-contrast palette.
        translate: translates all text of the picture into the readers' language.
        finale: how the game ended, for the banner, or None.
        hand: whether the reader's hand is shown in place of the board; see `Renderer.hand`.
        whole: whether the whole board is shown although something is picked on a part of it.
        moving: whether this is a frame of an animation, whose frames have one size and show the whole board.
    """

    names: tuple[str, ...]
    computers: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    prefix: Action = ()
    options: tuple[Choice, ...] = ()
    seen_from: int = 0
    high_contrast: bool = False
    translate: Translate = str
    finale: Finale | None = None
    hand: bool = False
    whole: bool = False
    moving: bool = False


def illustrating(tableau: Tableau[Any], translate: Translate = str, *, high_contrast: bool = False) -> Scene:
    """The scene of a picture on a rules page, whose players are called by their seats' colours."""
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
