"""Pictures of tables. Those that nobody waits for never stand before the others."""

from collections.abc import Sequence
from typing import Any, Final

from bot.drawing.place import drawing
from bot.messages.builder import Picture
from bot.messages.perspective import Perspective
from bot.messages.picture_cache import PictureCache, shown
from bot.sessions import Snapshot, in_background
from engines.game import Action, Choice, Event, View
from engines.text import join
from renderers import draw
from renderers.scene import Finale, Scene
from storage.records import Ending

CACHE: Final = PictureCache()
"""The pictures of the process: a picture by itself belongs to no client."""


async def picture(
    snapshot: Snapshot,
    perspective: Perspective,
    *,
    events: Sequence[Event] = (),
    prefix: Action = (),
    options: tuple[Choice, ...] = (),
    after: Any = None,
    posted: bool = False,
) -> Picture:
    """The picture of a game that has started, with its description in words.

    Args:
        snapshot: the table.
        perspective: who looks at it, and how.
        events: what just happened; events that the reader may not know of are left out.
        prefix: the tokens picked so far, while an action is being picked.
        options: the tokens that may come next.
        after: a state that has not come about yet, to be shown in place of the present one; None: the present one.
        posted: whether it is for a message to all, before which answers to clicks are drawn.
    """
    history = snapshot.playing
    game, state = history.game, history.state if after is None else after
    # Without secrets all see the same, which then is drawn once: the board that is previewed is the one that is posted.
    view = game.view(state, perspective.seat if game.secret else None)
    scene = Scene(
        names=snapshot.names,
        computers=snapshot.computers,
        events=tuple(event for event in events if event.known_to(perspective.seat)),
        prefix=prefix,
        options=options,
        seen_from=perspective.side,
        high_contrast=perspective.high_contrast,
        translate=perspective.language,
        finale=_finale(snapshot),
    )
    slow = in_background()

    async def drawn() -> bytes:
        return await drawing(draw, game.id, view, scene, slow=slow, yielding=posted)

    png = await CACHE.picture(shown(game.id, view, scene), drawn, hurry=(slow, posted))
    name = _name(snapshot) if after is None else f"{_stem(snapshot)}-{history.version}-preview.png"
    return Picture(name, png, _words(snapshot, perspective, view))


def _finale(snapshot: Snapshot) -> Finale | None:
    """How a game ended, for the banner over its last board. One that a moderator has closed has none."""
    ended = snapshot.table.outcome
    if ended is None or ended.how is Ending.CLOSED or snapshot.playing.version < snapshot.table.version:
        return None
    changes = snapshot.rating_changes
    return Finale(winners=ended.winners, drawn=snapshot.drawn, ratings=changes if any(changes) else ())


def undrawn(snapshot: Snapshot, perspective: Perspective) -> Picture:
    """The picture of a game without its content: for the edit of a message that has the file already."""
    return Picture(_name(snapshot), b"", _words(snapshot, perspective, snapshot.playing.view(perspective.seat)))


def _words(snapshot: Snapshot, perspective: Perspective, view: View) -> str:
    """What a picture shows, in words: what the reader alone may know, and the board."""
    game = snapshot.playing.game
    told = [text for text in (game.hand(view), game.describe(view)) if text is not None]
    return perspective.language(join(told), snapshot.names)


def version_shown(snapshot: Snapshot, file_name: str) -> int | None:
    """The version of a game that a picture shows, by its file name; None for a file that is no picture of this game."""
    stem, _, rest = file_name.rpartition("-")
    version, _, ending = rest.partition(".")
    return int(version) if stem == _stem(snapshot) and ending == "png" and version.isdecimal() else None


def _name(snapshot: Snapshot) -> str:
    return f"{_stem(snapshot)}-{snapshot.playing.version}.png"


def _stem(snapshot: Snapshot) -> str:
    return f"{snapshot.playing.game.id}-{snapshot.table.id}"
