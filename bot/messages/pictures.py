"""Pictures of tables from people's perspectives, and their cache. Pictures that nobody waits for yield to others."""

import asyncio
import io
import math
import pickle
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from operator import attrgetter, methodcaller
from typing import Any, Final, Protocol, TypeVar

import structlog

from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.builder import TEXT_LIMIT, UPLOAD_LIMIT, Picture, escape
from bot.messages.players import CIRCLES, names
from bot.runtime.cache import Cache
from bot.runtime.metrics import PICTURES_FAILED
from bot.workers.drawing import drawing
from bot.workers.worker import WorkFailed
from engines.game import Action, Choice, Event, Game, View, action_words, hand_of, may_act
from engines.text import Text, join, plain, say
from renderers import RENDERERS, draw
from renderers.scene import Finale, Scene, Translate
from storage.connections.priority_lock import in_background

CACHE_BYTES: Final = 12_000_000
"""The most bytes that the cached pictures may have altogether: some hundred boards."""

DRAWN_WITHIN: Final = 40.0
"""Seconds within which a picture must be drawn, including the time it waits. An outbox job has a minute for everything."""

NOT_AGAIN_FOR: Final = 300.0
"""Seconds until a failed picture is tried again, because others have to wait while a drawing process hangs."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Perspective:
    """A person's perspective on a game.

    Attributes:
        seat: the seat whose knowledge the person shares, or None for a spectator's.
        side: the seat from whose side the board is drawn.
        language: the language of pictures and of their descriptions.
        revealed: whether everything is shown, because the game is over.
    """

    seat: int | None
    language: Language
    side: int = 0
    high_contrast: bool = False
    revealed: bool = False


class _Seen(Protocol):
    @property
    def position(self) -> Position: ...
    @property
    def perspective(self) -> Perspective: ...


class InWords:
    """Words about a position in its reader's language, with the players' names."""

    def in_words(self: _Seen, text: str) -> str:
        """Translate a text into Markdown."""
        return self.perspective.language(text, names(self.position))

    def on_button(self: _Seen, label: str) -> str:
        """Translate a label, without Markdown."""
        return self.perspective.language(label, self.position.names)


def spectator(language: Language) -> Perspective:
    """Return the perspective of everybody in the channel."""
    return Perspective(seat=None, language=language)


def looking_back(
    snapshot: Snapshot, user_id: int | None, language: Language, *, high_contrast: bool = False, turned: bool = False
) -> Perspective:
    """Return the perspective of a user, or of the public, looking back on a game that has started.

    If `turned`, the board is turned towards players and former players. In a game of memory, nobody sees more than a spectator
    does until the game is over.
    """
    own = None if user_id is None else snapshot.seat_of(user_id)
    over = snapshot.table.is_over
    seat = None if user_id is None or over or snapshot.playing.game.memory else snapshot.viewpoint(user_id)
    side = own if turned and own is not None else 0
    return Perspective(seat=seat, language=language, side=side, high_contrast=high_contrast, revealed=over)


# --- pictures -------------------------------------------------------------------------------------------------------------


async def picture(
    position: Position,
    perspective: Perspective,
    *,
    events: Sequence[Event] = (),
    prefix: Action = (),
    options: tuple[Choice, ...] = (),
    after: Any = None,
    posted: bool = False,
    hand: bool = False,
    whole: bool = False,
) -> Picture:
    """Draw a position, and describe the picture in words.

    Events that the reader may not know are left out. While an action is being picked, `prefix` holds the tokens so far and
    `options` those that may come next. `after` is a future state to show instead. A `posted` picture yields to answers to
    clicks. `hand` shows the reader's hand instead of the board. `whole` shows the whole board even if only a part of it is
    picked from.
    """
    # Without secrets all seats share one picture: the board that was previewed is the one that is posted.
    view = (position if after is None else replace(position, state=after)).view(perspective.seat)
    png = await _draw_view(
        position, perspective, view, events, prefix=prefix, options=options, posted=posted, hand=hand, whole=whole
    )  # fmt: skip
    if hand:
        held = hand_of(position.game, view) or plain("")
        name, alt = position.file_name("-hand"), perspective.language(held, position.names)
        escaped = tuple(map(escape, position.names))
        return picture_or_words(name, png, alt, perspective.language, lambda: perspective.language(held, escaped))
    name = position.file_name("" if after is None else "-preview")
    alt = " ".join(filter(None, (_picking(position, perspective, prefix, options), _words(position, perspective, view))))
    return picture_or_words(name, png, alt, perspective.language, lambda: words_of(position, perspective, view))


async def draw_into(empty: Picture, position: Position, perspective: Perspective, events: Sequence[Event]) -> Picture:
    """Draw a position for a post, and put it into its picture without content."""
    view = position.view(perspective.seat)
    png = await _draw_view(position, perspective, view, events, posted=True)
    return picture_or_words(empty.name, png, empty.alt, perspective.language, lambda: words_of(position, perspective, view))


async def _draw_view(
    position: Position,
    perspective: Perspective,
    view: View,
    events: Sequence[Event],
    *,
    prefix: Action = (),
    options: tuple[Choice, ...] = (),
    posted: bool = False,
    hand: bool = False,
    whole: bool = False,
) -> bytes | None:
    """Draw a view of a position, or take its picture from the cache; see `picture`. Return None if it cannot be drawn."""
    scene = Scene(
        names=position.names[: view.seats],
        computers=position.computers,
        events=tuple(event for event in events if event.known_to(perspective.seat)),
        prefix=prefix,
        options=options,
        seen_from=perspective.side,
        high_contrast=perspective.high_contrast,
        translate=perspective.language,
        finale=None if hand else finale_of(position),
        hand=hand,
        whole=whole,
    )
    game, slow = position.game, in_background()
    return await CACHE.picture(
        shown(game.id, view, scene),
        lambda: drawing(draw, game.id, view, scene, slow=slow, yielding=posted),
        hurry=(slow, posted),
        kind=position.kind,
        table=position.table,
    )


def has_hand_picture(position: Position, seat: int) -> bool:
    """Whether a seat's hand has a picture of its own, because the hand is not empty and the game can draw it."""
    hand = hand_of(position.game, position.view(seat))
    return RENDERERS[position.game.id].hand is not None and hand is not None and "\n" in hand


def picture_or_words(
    name: str, content: bytes | None, alt: str, language: Language, words: Callable[[], str] | None = None
) -> Picture:
    """Return a picture or, if `content` is None, its Markdown from `words`, or else the picture's description."""
    if content is not None:
        return Picture(name, content, alt)
    return Picture(name, b"", alt, _stand_in(language, escape(alt) if words is None else words()))


def _stand_in(language: Language, words: str) -> str:
    """Return the text in place of a picture: a note that it could not be drawn, and the picture in words."""
    note = language(say("-# I couldn’t draw the picture. Here it is in words:"))
    return f"{note}\n{words}"


def words_of(position: Position, perspective: Perspective, view: View, room: int = TEXT_LIMIT) -> str:
    """Put a view into Markdown: usually the board, then the hand. If it is longer than `room`, marks replace the names."""
    told = _told(position, view, hand_first=position.hand_first)
    for who in (tuple(map(escape, position.names)), CIRCLES[: len(position.names)]):
        words = perspective.language(told, who)
        if len(words) <= room:
            break
    return words


def finale_of(position: Position) -> Finale | None:
    """Return the result for the banner over the last board, or None while the game goes on or if it has no result."""
    ended = position.ended
    return None if ended is None else Finale(winners=ended.winners, drawn=ended.drawn, ratings=ended.ratings)


def picture_without_content(position: Position, perspective: Perspective, *, in_words: bool = False) -> Picture:
    """Return a position's picture for a message that already has the file, or the words in its place if `in_words`."""
    view = position.view(perspective.seat)
    words = _stand_in(perspective.language, words_of(position, perspective, view)) if in_words else None
    return Picture(position.file_name(), b"", _words(position, perspective, view), words)


def _words(position: Position, perspective: Perspective, view: View) -> str:
    """Describe a picture: the reader's hand, and then the board."""
    return perspective.language(_told(position, view, hand_first=True), position.names)


def _told(position: Position, view: View, *, hand_first: bool) -> Text:
    told = [text for text in (hand_of(position.game, view), position.game.describe(view)) if text is not None]
    return join(told if hand_first else told[::-1])


def _picking(position: Position, perspective: Perspective, prefix: Action, options: Sequence[Choice]) -> str:
    """Put what is picked and marked in a picture into words; "" if the picture only shows a board."""
    game, state, seat = position.game, position.state, perspective.seat
    if not (prefix or options):
        return ""
    if seat not in game.to_act(state) and seat not in (acting := may_act(game, state)):
        seat = next(iter(acting), None)
    if seat is None:
        return ""
    told = picking_words(game, state, seat, prefix, options)
    return perspective.language(told, position.names)


def picking_words(game: Game[Any, Any], state: Any, seat: int, prefix: Action, options: Sequence[Choice]) -> Text:
    """Put a seat's picks and the marked choices into words: "Picked: b2 → b3. Marked: a4, b4."; "" if there are neither."""
    told = []
    if prefix:
        told.append(say("Picked: {action}.", action=action_words(game, state, seat, prefix)))
    if options:
        told.append(say("Marked: {choices}.", choices=join([choice.label for choice in options], ", ")))
    return join(told, " ")


def version_shown(snapshot: Snapshot, file_name: str) -> int | None:
    """Return the version that a picture shows, judging by its file name, or None if it is no picture of this game."""
    stem, _, rest = file_name.rpartition("-")
    version, _, ending = rest.partition(".")
    own = f"{snapshot.playing.game.id}-{snapshot.table.id}"
    return int(version) if stem == own and ending == "png" and version.isdecimal() else None


# --- the cache ------------------------------------------------------------------------------------------------------------


_Drawn = TypeVar("_Drawn")

Shown = tuple[bytes, Translate]
"""Everything that a picture depends on: a digest of what is drawn, and the language."""


def shown(game_id: str, view: View, scene: Scene) -> Shown:
    """Return everything that a picture of a view depends on. Equal keys mean the same picture and reveal the same secrets."""
    picked = (scene.prefix, scene.options)
    who = (scene.names, scene.computers)
    kind = (scene.finale, scene.hand, scene.whole)
    drawn = (game_id, view, who, scene.events, picked, scene.seen_from, scene.high_contrast, kind)
    written = io.BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCED
    pickler.fast = True  # no references to earlier objects, which equal values may share differently
    pickler.dump(drawn)
    return sha256(written.getbuffer()).digest(), scene.translate


class _Reduced(dict[type, Callable[[Any], Any]]):
    """Says how values are written for a digest: a dataclass as its fields, which its own `__getstate__` takes long to list."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else []
        if issubclass(kind, type):
            self[kind] = attrgetter("__qualname__")  # a class is written as its name
        elif len(names) < 2:  # of these, `attrgetter` would return no tuple
            self[kind] = methodcaller("__reduce_ex__", pickle.HIGHEST_PROTOCOL)
        else:
            values = attrgetter(*names)
            self[kind] = lambda value: (kind, values(value))
        return self[kind]


_REDUCED: Final = _Reduced()


class PictureCache:
    """Caches the most recently used pictures, up to `limit` bytes, and for a while remembers which could not be drawn."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._pictures: Cache[Hashable, bytes] = Cache(limit, len)
        self._failed: dict[Hashable, float] = {}

    @property
    def weight(self) -> int:
        """The number of bytes of all cached pictures together."""
        return self._pictures.weight

    async def picture(
        self,
        key: Hashable,
        draw: Callable[[], Awaitable[bytes]],
        hurry: Hashable = None,
        *,
        kind: str = "board",
        table: int | None = None,
    ) -> bytes | None:
        """Return the picture with this key, drawing it if it is not cached, or None if that fails or has failed recently.

        Of simultaneous callers, the first in each `hurry` has it drawn. `kind` and `table` are for logs and metrics.
        """
        cached = self._pictures.get(key)
        if cached is not None:
            return cached
        clock = asyncio.get_running_loop().time
        if self._failed.get(key, -math.inf) > clock():
            return None

        async def attempt() -> bytes | None:
            picture = await or_nothing(draw, len, kind=kind, table=table)
            if picture is None:
                self._failed = {failed: until for failed, until in self._failed.items() if until > clock()}
                self._failed[key] = clock() + NOT_AGAIN_FOR
            return picture

        return await self._pictures.load(key, attempt, lane=hurry)

    def clear(self) -> None:
        """Forget all pictures, and which pictures could not be drawn."""
        self._pictures.clear()
        self._failed.clear()


async def or_nothing(
    draw: Callable[[], Awaitable[_Drawn]], size: Callable[[_Drawn], int], *, kind: str, table: int | None = None
) -> _Drawn | None:
    """Return what `draw` returns, or None if it fails or returns too much. Failures are logged, and counted by `kind`."""
    try:
        async with asyncio.timeout(DRAWN_WITHIN):
            drawn = await draw()
    except TimeoutError:
        reason = "late"  # the process hangs or the machine is too busy, neither of which is a fault in the program
        log.warning("a picture could not be drawn", kind=kind, table=table, reason=reason)
    except Exception as error:
        reason = "died" if isinstance(error, WorkFailed) else "error"
        log.exception("a picture could not be drawn", kind=kind, table=table, reason=reason)
    else:
        if size(drawn) <= UPLOAD_LIMIT:
            return drawn
        reason = "large"
        log.error("a picture could not be drawn", kind=kind, table=table, reason=reason, bytes=size(drawn))
    PICTURES_FAILED.labels(kind, reason).inc()
    return None


CACHE: Final = PictureCache()
"""The cache of this process. It is shared, since a picture belongs to no client."""
