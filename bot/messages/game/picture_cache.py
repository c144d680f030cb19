"""The cache of pictures: what shows the same is the same picture, and nothing is drawn twice at the same time."""

import asyncio
import io
import math
import pickle
from collections.abc import Awaitable, Callable, Hashable
from hashlib import sha256
from typing import Final, TypeVar

import structlog

from bot.cache import Cache
from bot.messages.builder import UPLOAD_LIMIT
from bot.metrics import PICTURES_FAILED
from bot.workers.worker import WorkFailed
from engines.game import View
from renderers.scene import Scene, Translate

CACHE_BYTES: Final = 12_000_000
"""How many bytes the cached pictures may have altogether: some hundreds of boards."""

DRAWN_WITHIN: Final = 40.0
"""Seconds within which a picture has to be there, waiting for its turn included. A job of the outbox has a minute for all."""

NOT_AGAIN_FOR: Final = 300.0
"""Seconds for which a picture that could not be drawn is not tried again: others have to wait while a process hangs."""

log = structlog.get_logger(__name__)

_Drawn = TypeVar("_Drawn")

Shown = tuple[bytes, Translate]
"""Everything that a picture depends on: a digest of what is drawn, and the language."""


def shown(game_id: str, view: View, scene: Scene) -> Shown:
    """Everything that a picture of a view depends on.

    What it was made from can be read back from what is digested, so pictures with equal keys are the same picture, whoever
    looks at it; those of seats that know different things never are.
    """
    picked = (scene.prefix, scene.options)
    who = (scene.names, scene.computers)
    drawn = (game_id, view, who, scene.events, picked, scene.seen_from, scene.high_contrast, scene.finale)
    written = io.BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True  # without references to what stood before, which equal values do not share alike
    pickler.dump(drawn)
    return sha256(written.getbuffer()).digest(), scene.translate


class PictureCache:
    """The pictures that were asked for last, as many as have at most `limit` bytes altogether.

    A picture that could not be drawn is remembered for a while, too.
    """

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._pictures: Cache[Hashable, bytes] = Cache(limit, len)
        self._failed: dict[Hashable, float] = {}

    @property
    def weight(self) -> int:
        """The bytes of all cached pictures together."""
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
        """Return the picture with this key, drawn if it is not cached; None if it cannot be drawn, and for a while after that.

        Of several callers at once only the first one in the same hurry has it drawn: nobody waits for one that is drawn later.

        Args:
            key: everything that it depends on.
            draw: draws it.
            hurry: how soon it is drawn.
            kind: the kind of picture, in a word, for logs and metrics; see `or_nothing`.
            table: the table that it belongs to, for the same.
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
        """Forget all pictures, and which could not be drawn."""
        self._pictures.clear()
        self._failed.clear()


async def or_nothing(
    draw: Callable[[], Awaitable[_Drawn]], size: Callable[[_Drawn], int], *, kind: str, table: int | None = None
) -> _Drawn | None:
    """What `draw` draws; None if it cannot be drawn, whatever the reason, which then is counted and in the log.

    Args:
        draw: draws it.
        size: of how many bytes its file is: one that Discord would not take counts as not drawn.
        kind: what it shows, in a word: the label in the metrics.
        table: the number of the table that it belongs to, if it belongs to one.
    """
    try:
        async with asyncio.timeout(DRAWN_WITHIN):
            drawn = await draw()
    except TimeoutError:
        reason = "late"  # the process hangs, or the machine has too much to do, which is no fault of the program
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
