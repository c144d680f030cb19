"""Pictures of tables. Pictures that no person waits for yield to the others."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.drawing.lanes import drawing
from bot.i18n.language import Language
from bot.messages.builder import TEXT_LIMIT, Picture, escape
from bot.messages.game.marks import TEXT_MARKS
from bot.messages.game.perspective import Perspective
from bot.messages.game.picture_cache import PictureCache, shown
from bot.sessions import Snapshot, in_background
from engines.game import Action, Choice, Event, View, hand_of
from engines.text import join, say
from renderers import draw
from renderers.scene import Finale, Scene
from storage.schema.records import Ending

CACHE: Final = PictureCache()
"""The cache of the process: a picture belongs to no client."""


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
        perspective: the perspective of the reader.
        events: the latest events; those that the reader may not know of are left out.
        prefix: the tokens picked so far, while an action is being picked.
        options: the tokens that may come next.
        after: a future state to be shown in place of the present one; None: the present one.
        posted: whether it is for a public message, to which answers to clicks are preferred.
    """
    history = snapshot.playing
    game, state = history.game, history.state if after is None else after
    # Without secrets all seats share one picture: the board that was previewed is the one that is posted.
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
    png = await CACHE.picture(
        shown(game.id, view, scene),
        lambda: drawing(draw, game.id, view, scene, slow=slow, yielding=posted),
        hurry=(slow, posted),
        table=snapshot.table.id,
    )
    name = _name(snapshot) if after is None else f"{_stem(snapshot)}-{history.version}-preview.png"
    alt = _words(snapshot, perspective, view)
    return picture_or_words(name, png, alt, perspective.language, lambda: words_of(snapshot, perspective, view))


def picture_or_words(
    name: str, content: bytes | None, alt: str, language: Language, words: Callable[[], str] | None = None
) -> Picture:
    """A picture, or the words in its place if it could not be drawn.

    Args:
        name: its file name.
        content: its bytes; None: it could not be drawn.
        alt: its description.
        language: the language of its readers.
        words: returns the picture in words, in Discord's Markdown; None: the description takes their place.
    """
    if content is not None:
        return Picture(name, content, alt)
    return Picture(name, b"", alt, _stand_in(language, escape(alt) if words is None else words()))


def _stand_in(language: Language, words: str) -> str:
    """The text in the place of a picture: a note that it could not be drawn, and below it the picture in words."""
    note = language(say("-# The picture couldn’t be drawn. Here it is in words:"))
    return f"{note}\n{words}"


def words_of(snapshot: Snapshot, perspective: Perspective, view: View, room: int = TEXT_LIMIT) -> str:
    """A view of a table in Discord's Markdown: the board, then the reader's hand.

    If the names make it longer than `room`, marks take their places.
    """
    game = snapshot.playing.game
    hand = hand_of(game, view)
    told = join([game.describe(view)] if hand is None else [game.describe(view), hand])
    for who in (tuple(map(escape, snapshot.names)), TEXT_MARKS[: len(snapshot.names)]):
        words = perspective.language(told, who)
        if len(words) <= room:
            break
    return words


def _finale(snapshot: Snapshot) -> Finale | None:
    """The result for the banner over the last board; None while the game goes on, or if a moderator has closed it."""
    ended = snapshot.table.outcome
    if ended is None or ended.how is Ending.CLOSED or snapshot.playing.version < snapshot.table.version:
        return None
    changes = snapshot.rating_changes
    return Finale(winners=ended.winners, drawn=snapshot.is_drawn, ratings=changes if any(changes) else ())


def picture_without_content(snapshot: Snapshot, perspective: Perspective, *, in_words: bool = False) -> Picture:
    """The picture of a game without its content, for a message that has the file already; or the words in its place."""
    view = snapshot.playing.view(perspective.seat)
    words = _stand_in(perspective.language, words_of(snapshot, perspective, view)) if in_words else None
    return Picture(_name(snapshot), b"", _words(snapshot, perspective, view), words)


def _words(snapshot: Snapshot, perspective: Perspective, view: View) -> str:
    """The description of a picture: the reader's hand, and the board."""
    game = snapshot.playing.game
    told = [text for text in (hand_of(game, view), game.describe(view)) if text is not None]
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
