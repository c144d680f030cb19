"""Pictures of tables, drawn in worker threads, off the event loop."""

import asyncio
from collections.abc import Callable, Sequence

from bot.messages.builder import Picture
from bot.messages.perspective import Perspective
from bot.sessions import Snapshot
from engines.game import Action, Choice, Event
from renderers import draw
from renderers.scene import Scene


async def picture(
    snapshot: Snapshot,
    perspective: Perspective,
    *,
    events: Sequence[Event] = (),
    prefix: Action = (),
    options: tuple[Choice, ...] = (),
    draw: Callable[..., bytes] = draw,
) -> Picture:
    """The picture of a game that has started, with its description in words.

    Args:
        snapshot: the table.
        perspective: who looks at it, and how.
        events: what just happened; events that the reader may not know of are left out.
        prefix: the tokens picked so far, while an action is being picked.
        options: the tokens that may come next.
        draw: draws a view of a game as a PNG file.
    """
    history = snapshot.playing
    view = history.view(perspective.seat)
    alt = perspective.language(history.game.describe(view), snapshot.names)
    scene = Scene(
        names=snapshot.names,
        events=tuple(event for event in events if event.known_to(perspective.seat)),
        prefix=prefix,
        options=options,
        seen_from=perspective.side,
        high_contrast=perspective.high_contrast,
        translate=perspective.language,
    )
    png = await asyncio.to_thread(draw, history.game.id, view, scene)
    return Picture(f"{history.game.id}-{snapshot.table.id}-{history.version}.png", png, alt)
