"""Keeps what was drawn for whoever needs the same again, within a number of bytes together: what was not used for longest goes.

Sprites differ in size by a thousand times, and how many there are of each kind depends on which tables are played, so that no
number for each kind suits. What is small and of few kinds may as well be kept by `functools.lru_cache`.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

from PIL import Image

from renderers.slab import Slab

LIMIT: Final = 64_000_000
"""How many bytes of pictures are kept."""
_USED_AGAIN: Final = 0.8
"""The share of them for what was used again."""

P = ParamSpec("P")
T = TypeVar("T", bound="Image.Image | Slab | tuple[Any, ...]")


class Store:
    """What was drawn, by what it was drawn from. It may be used by several threads.

    What was used again after it was drawn is kept longer than what was not: most of the arrows, for example, are seen once, and
    are not to take the places of boards that are seen all the time (this is a segmented LRU cache).
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._once, self._again = _Segment(), _Segment()
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The bytes of all that is kept."""
        return self._once.size + self._again.size

    def found(self, key: Any) -> Any:
        """What is kept under a key, which has been used by this; None if nothing is."""
        with self._lock:
            entry = self._again.take(key) or self._once.take(key)
            if entry is None:
                return None
            self._again.put(key, *entry)
            while self._again.size > self.limit * _USED_AGAIN:
                self._once.put(*self._again.oldest())
            return entry[0]

    def keep(self, key: Any, drawn: Any) -> None:
        """Keep something, and let go of what was not used for longest, which may be the same."""
        size = size_of(drawn)
        with self._lock:
            self._drop(key)
            self._once.put(key, drawn, size)
            while self.size > self.limit:
                (self._once if self._once.entries else self._again).oldest()

    def forget(self, kind: object) -> None:
        """Let go of everything whose key begins with this."""
        with self._lock:
            for key in [key for key in (*self._once.entries, *self._again.entries) if key[0] is kind]:
                self._drop(key)

    def _drop(self, key: Any) -> None:
        _ = self._once.take(key) or self._again.take(key)


class _Segment:
    """A part of what is kept, in the order of its last use."""

    def __init__(self) -> None:
        self.entries: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self.size = 0

    def put(self, key: Any, drawn: Any, size: int) -> None:
        """Put something in as what was used last."""
        self.entries[key] = (drawn, size)
        self.size += size

    def take(self, key: Any) -> tuple[Any, int] | None:
        """Take something out, with its bytes; None if it is not there."""
        entry = self.entries.pop(key, None)
        self.size -= entry[1] if entry else 0
        return entry

    def oldest(self) -> tuple[Any, Any, int]:
        """Take out what was not used for longest, with its key and its bytes."""
        key, (drawn, size) = self.entries.popitem(last=False)
        self.size -= size
        return key, drawn, size


_STORE: Final = Store()


class Kept(Generic[P, T]):
    """A function that draws, and what it has drawn."""

    def __init__(self, draw: Callable[P, T], store: Store) -> None:
        self._draw, self._store = draw, store
        update_wrapper(self, draw)

    def __call__(self, *args: P.args, **named: P.kwargs) -> T:
        """What the function draws from these values."""
        key = (self, args, *named.items())
        found: T | None = self._store.found(key)
        if found is None:
            found = self._draw(*args, **named)
            self._store.keep(key, found)
        return found

    def cache_clear(self) -> None:
        """Let go of all that it has drawn."""
        self._store.forget(self)


def kept(draw: Callable[P, T]) -> Kept[P, T]:
    """Decorates a function that draws an image, a slab, or a tuple with some of them, from values that may be keys.

    Whoever asks for the same, in any thread, gets the same object: it must not be drawn on.
    """
    return Kept(draw, _STORE)


def size_of(drawn: Any) -> int:
    """The bytes that the pixels of something drawn take up."""
    if isinstance(drawn, Image.Image):
        return drawn.width * drawn.height * (1 if drawn.mode in {"L", "P"} else 4)
    if isinstance(drawn, Slab):
        return size_of((drawn.core, *drawn.strips))
    return sum(map(size_of, drawn)) if isinstance(drawn, tuple) else 0
