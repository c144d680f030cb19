"""The scene of a picture: everything that it shows besides the view."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engines.game import Action, Choice, Event
from engines.tableau import Tableau
from engines.text import seat_name

Translate = Callable[[str], str]
"""A function that translates a text into the language of the readers. It returns a plain string as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finale:
    """The result of a game, which the banner above its last board shows.

    Attributes:
        winners: the seats that won, if any.
        drawn: whether the game is a draw.
        ratings: each seat's rating before and after the game, as people see it, or None if it has not changed. It is empty if
            the game was unrated.
    """

    winners: tuple[int, ...]
    drawn: bool = False
    ratings: tuple[tuple[int, int] | None, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything a picture depends on apart from the view. Equal views and scenes give equal pictures.

    Attributes:
        names: the players' names by seat, as they write them (any script, emoji, any length).
        computers: the seats played by computers, which are marked beside their names.
        events: the latest events that the reader may know, oldest first.
        prefix: the tokens picked so far, while an action is being picked.
        options: the choices for the next token. Each is marked on the board with its token.
        seen_from: the seat from whose side the board is drawn.
        high_contrast: whether to use the high-contrast palette.
        translate: translates all text in the picture into the readers' language.
        finale: how the game ended, for the banner, or None.
        hand: whether the reader's hand is shown in place of the board. See `Renderer.hand`.
        whole: whether the whole board is shown even while something is being picked on a part of it.
        moving: whether this is a frame of an animation. Its frames all have one size, and show the whole board.
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
    """Return the scene of a picture on a rules page, in which players are named after the colours of their seats."""
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
