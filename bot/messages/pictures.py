"""Pictures of tables, drawn off the event loop."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bot.i18n.language import Language
from bot.messages.builder import Picture
from bot.sessions import Snapshot
from engines.game import Action, Choice, Event
from renderers import draw
from renderers.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How somebody looks at a table.

    Attributes:
        seat: from which seat, None for a spectator.
        language: for what is written in the picture, and for its description in words.
        events: what just happened, as far as they may know.
        prefix, options: the action that is being picked, if one is.
        turned: whether to draw the board from that seat's side.
        high_contrast: with which palette.
    """

    seat: int | None
    language: Language
    events: tuple[Event, ...] = ()
    prefix: Action = ()
    options: tuple[Choice, ...] = ()
    turned: bool = False
    high_contrast: bool = False


async def picture(snapshot: Snapshot, look: Look, draw: Callable[..., bytes] = draw) -> Picture:
    """The picture of a game that has started, with its description in words."""
    history = snapshot.playing
    view = history.view(look.seat)
    words = look.language(history.game.describe(view), snapshot.names)
    scene = Scene(
        names=snapshot.names,
        events=tuple(event for event in look.events if event.known_to(look.seat)),
        prefix=look.prefix,
        options=look.options,
        seen_from=look.seat if look.turned and look.seat is not None else 0,
        high_contrast=look.high_contrast,
        translate=look.language,
    )
    png = await asyncio.to_thread(draw, history.game.id, view, scene)
    return Picture(f"{history.game.id}-{snapshot.table.id}-{history.version}.png", png, words)
