"""The cache of pictures: what shows the same is the same picture, and nothing is drawn twice at the same time."""

import asyncio
import io
import pickle
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from hashlib import sha256
from typing import Any, Final

from engines.game import View
from renderers.scene import Scene, Translate

CACHE_BYTES: Final = 12_000_000
"""How many bytes the cached pictures may have altogether: some hundreds of boards."""

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
    """The pictures that were asked for last, as many as have at most `most` bytes altogether.

    Attributes:
        bytes: how many they have now.
    """

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._pictures: OrderedDict[Hashable, bytes] = OrderedDict()
        self._drawing: dict[tuple[Hashable, Hashable], asyncio.Future[bytes]] = {}
        self.bytes = 0

    async def picture(self, key: Hashable, draw: Callable[[], Awaitable[bytes]], hurry: Hashable = None) -> bytes:
        """The picture with this key, drawn if it is not at hand.

        Of several callers at once only the first one in the same hurry has it drawn: nobody waits for one that is drawn later.
        """
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        wanted = (key, hurry)
        running = self._drawing.get(wanted)
        if running is None:
            running = self._drawing[wanted] = asyncio.ensure_future(self._drawn(wanted, draw))
            running.add_done_callback(retrieved)
        # A caller that is cancelled does not cancel what others wait for.
        return await asyncio.shield(running)

    async def _drawn(self, wanted: tuple[Hashable, Hashable], draw: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            picture = await draw()
        finally:
            del self._drawing[wanted]
        self._keep(wanted[0], picture)
        return picture

    def _keep(self, key: Hashable, picture: bytes) -> None:
        self.bytes += len(picture) - len(self._pictures.pop(key, b""))
        self._pictures[key] = picture
        while self.bytes > self._most:
            _, oldest = self._pictures.popitem(last=False)
            self.bytes -= len(oldest)

    def clear(self) -> None:
        """Forget all pictures."""
        self._pictures.clear()
        self.bytes = 0


def retrieved(done: asyncio.Future[Any]) -> None:
    """Retrieve the error of a drawing whose callers have all been cancelled; asyncio would warn that nobody did."""
    if not done.cancelled():
        done.exception()
