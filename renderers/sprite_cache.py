"""A cache of sprites with limits in bytes. Those that have not been used for longest are compressed, and at last dropped.

Sprites differ in size by a factor of a thousand, and how many there are of each kind depends on the tables being played. So no
limit for each kind would be right. Small values of few kinds may as well use `functools.lru_cache`.

Compressed, sprites take a twelfth of their size. To unpack one takes 1 ms for each megabyte, which is far less than drawing it.
But many tables at once would unpack large sprites for every picture, so most are packed only when nobody plays (`pack`).
"""

import pickle
from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

from PIL import Image
from zlib_ng import zlib_ng

from renderers.sliced_sprite import SlicedSprite

AT_HAND: Final = 56_000_000
"""The most bytes that the sprites at hand may take."""
AT_REST: Final = 16_000_000
"""The bytes of sprites that stay at hand while nobody plays: what a few tables need."""
PACKED: Final = 8_000_000
"""The most bytes that the compressed sprites may take."""
_COMPRESSION: Final = 1  # the next level of zlib-ng takes twice as long for a fifth less

P = ParamSpec("P")
T = TypeVar("T", bound="Image.Image | SlicedSprite | tuple[Any, ...]")


class SpriteCache:
    """A cache of sprites for all threads. What does not fit into `at_hand` bytes is compressed, up to `packed` bytes."""

    def __init__(self, at_hand: int = AT_HAND, packed: int = PACKED) -> None:
        self._limit, self._packed_limit = at_hand, packed
        self._unpacked, self._packed = _Tier(), _Tier()
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The total size of all cached sprites in bytes."""
        return self._unpacked.size + self._packed.size

    def get(self, key: Any) -> Any:
        """Return the sprite with a key, or None. It counts as used now."""
        with self._lock:
            found = self._unpacked.use(key)
            if found is None and (small := self._packed.use(key)) is not None:
                found = pickle.loads(zlib_ng.decompress(small))  # noqa: S301 - it was packed here
                self._put(key, found)
            return found

    def put(self, key: Any, drawn: Any) -> None:
        """Cache a sprite. Those that have not been used for longest make room for it, perhaps the new one itself."""
        with self._lock:
            self._drop(key)
            self._put(key, drawn)

    def pack(self, at_rest: int = AT_REST) -> None:
        """Compress those that have not been used for longest until the sprites at hand take no more than `at_rest` bytes."""
        with self._lock:
            self._make_room(at_rest)

    def _put(self, key: Any, drawn: Any) -> None:
        self._unpacked.put(key, drawn, size_of(drawn))
        self._make_room(self._limit)

    def _make_room(self, limit: int) -> None:
        while self._unpacked.size > limit:
            key, drawn = self._unpacked.oldest()
            if self._packed.use(key) is None:  # it has never been packed, or was dropped since
                small = packed(drawn)
                self._packed.put(key, small, len(small))
        while self._packed.size > self._packed_limit:
            self._packed.oldest()

    def forget(self, kind: object) -> None:
        """Drop all sprites whose key begins with `kind`."""
        with self._lock:
            for key in [key for key in (*self._unpacked.entries, *self._packed.entries) if key[0] is kind]:
                self._drop(key)

    def _drop(self, key: Any) -> None:
        self._unpacked.take(key)
        self._packed.take(key)


class _Tier:
    """Values in the order in which they were last used."""

    def __init__(self) -> None:
        self.entries: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self.size = 0

    def put(self, key: Any, value: Any, size: int) -> None:
        self.entries[key] = (value, size)
        self.size += size

    def oldest(self) -> tuple[Any, Any]:
        """Remove the least recently used value, and return it after its key."""
        key, (value, size) = self.entries.popitem(last=False)
        self.size -= size
        return key, value

    def use(self, key: Any) -> Any:
        """Return a value, or None, and make it the most recently used one."""
        found = self.entries.get(key)
        if found is None:
            return None
        self.entries.move_to_end(key)
        return found[0]

    def take(self, key: Any) -> Any:
        """Remove a value and return it, or None if it is not there."""
        value, size = self.entries.pop(key, (None, 0))
        self.size -= size
        return value


CACHE: Final = SpriteCache()
"""The cache of all sprites of this process."""


class CachedDrawing(Generic[P, T]):
    """A drawing function whose sprites are cached."""

    def __init__(self, draw: Callable[P, T], cache: SpriteCache) -> None:
        self._draw, self._cache = draw, cache
        update_wrapper(self, draw)

    def __call__(self, *args: P.args, **named: P.kwargs) -> T:
        """Return the sprite for these values from the cache, or draw it if it is not there."""
        key = (self, args, *named.items())
        found: T | None = self._cache.get(key)
        if found is None:
            found = self._draw(*args, **named)
            self._cache.put(key, found)
        return found

    def cache_clear(self) -> None:
        """Drop all sprites that this function has drawn."""
        self._cache.forget(self)


def cache_sprite(draw: Callable[P, T]) -> CachedDrawing[P, T]:
    """Cache what a function draws from hashable values. All threads get the same object, which must not be drawn on."""
    return CachedDrawing(draw, CACHE)


def packed(drawn: Any) -> bytes:
    """Compress a sprite."""
    return zlib_ng.compress(pickle.dumps(drawn, pickle.HIGHEST_PROTOCOL), _COMPRESSION)


def size_of(drawn: Any) -> int:
    """Return how many bytes the pixels of a sprite take."""
    if isinstance(drawn, Image.Image):
        return drawn.width * drawn.height * (1 if drawn.mode in {"L", "P"} else 4)
    if isinstance(drawn, SlicedSprite):
        return size_of((drawn.core, *drawn.strips))
    return sum(map(size_of, drawn)) if isinstance(drawn, tuple) else 0
