"""What a picture shows beside the view."""

from collections.abc import Callable
from dataclasses import dataclass

from engines.game import Action, Choice, Event

Translate = Callable[[str], str]
"""Puts a text into the language of a picture's readers. What is no text stays as it is."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """All that a picture depends on beside the view; two equal views and scenes give the same picture.

    Attributes:
        names: the players' names by seat, as they call themselves (any script, emoji, any length).
        events: what just happened, oldest first; only what the picture's reader may know.
        prefix: the tokens picked so far, while an action is being picked.
        options: the tokens that may come next; each is marked on the board with its own word.
        seen_from: the seat from whose side the board is drawn.
        high_contrast: whether to draw with the high-contrast palette.
        translate: the language of the picture's readers. Whatever is written in the picture goes through it.
    """

    names: tuple[str, ...]
    events: tuple[Event, ...] = ()
    prefix: Action = ()
    options: tuple[Choice, ...] = ()
    seen_from: int = 0
    high_contrast: bool = False
    translate: Translate = str
