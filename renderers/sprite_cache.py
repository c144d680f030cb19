"""A cache of sprites with a single limit in bytes. It drops the sprites that have not been used for longest.

Sprites differ in size by a factor of a thousand, and how many there are of each kind depends on the tables being played. So no
limit for each kind would be right. Small values of few kinds may as well use `functools.lru_cache`.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

from PIL import Image

from renderers.sliced_sprite import SlicedSprite

LIMIT: Final = 64_000_000
"""The largest total size of all cached sprites in bytes."""
_USED_AGAIN: Final = 0.8  # the share of the limit for sprites that were used again

P = ParamSpec("P")
T = TypeVar("T", bound="Image.Image | SlicedSprite | tuple[Any, ...]")


class SpriteCache:
    """A segmented LRU cache of sprites for all threads. Sprites that are used again outlast those used only once."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._once, self._again = _Segment(), _Segment()
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The total size of all cached sprites in bytes."""
        return self._once.size + self._again.size

    def get(self, key: Any) -> Any:
        """Return the sprite with a key, or None. It counts as used now."""
        with self._lock:
            entry = self._again.use(key)
            if entry is None:
                entry = self._once.take(key)
                if entry is None:
                    return None
                self._again.put(key, *entry)
                while self._again.size > self.limit * _USED_AGAIN:
                    self._once.put(*self._again.oldest())
            return entry[0]

    def put(self, key: Any, drawn: Any) -> None:
        """Cache a sprite. While the cache is too large, drop the least recently used one, perhaps the new one itself."""
        size = size_of(drawn)
        with self._lock:
            self._drop(key)
            self._once.put(key, drawn, size)
            while self.size > self.limit:
                (self._once if self._once.entries else self._again).oldest()

    def forget(self, kind: object) -> None:
        """Drop all sprites whose key begins with `kind`."""
        with self._lock:
            for key in [key for key in (*self._once.entries, *self._again.entries) if key[0] is kind]:
                self._drop(key)

    def _drop(self, key: Any) -> None:
        _ = self._once.take(key) or self._again.take(key)


class _Segment:
    """A segment of the cache, in the order in which its sprites were last used."""

    def __init__(self) -> None:
        self.entries: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self.size = 0

    def put(self, key: Any, drawn: Any, size: int) -> None:
        self.entries[key] = (drawn, size)
        self.size += size

    def use(self, key: Any) -> tuple[Any, int] | None:
        """Return a sprite and its size, or None, and make it the most recently used one."""
        entry = self.entries.get(key)
        if entry is not None:
            self.entries.move_to_end(key)
        return entry

    def take(self, key: Any) -> tuple[Any, int] | None:
        """Remove a sprite, and return it with its size, or None if it is not there."""
        entry = self.entries.pop(key, None)
        self.size -= entry[1] if entry else 0
        return entry

    def oldest(self) -> tuple[Any, Any, int]:
        """Remove the least recently used sprite, and return its key, the sprite and its size."""
        key, (drawn, size) = self.entries.popitem(last=False)
        self.size -= size
        return key, drawn, size


_CACHE: Final = SpriteCache()


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
    return CachedDrawing(draw, _CACHE)


def size_of(drawn: Any) -> int:
    """Return how many bytes the pixels of a sprite take."""
    if isinstance(drawn, Image.Image):
        return drawn.width * drawn.height * (1 if drawn.mode in {"L", "P"} else 4)
    if isinstance(drawn, SlicedSprite):
        return size_of((drawn.core, *drawn.strips))
    return sum(map(size_of, drawn)) if isinstance(drawn, tuple) else 0
