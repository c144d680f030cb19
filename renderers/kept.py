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

LIMIT: Final = 32_000_000
"""How many bytes of pictures are kept."""

P = ParamSpec("P")
T = TypeVar("T", bound="Image.Image | Slab | tuple[Any, ...]")


class Store:
    """What was drawn, by what it was drawn from. It may be used by several threads."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit, self.size = limit, 0
        self._entries: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def found(self, key: Any) -> Any:
        """What is kept under a key, which has been used by this; None if nothing is."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def keep(self, key: Any, drawn: Any) -> None:
        """Keep something, and let go of what was not used for longest, which may be the same."""
        size = size_of(drawn)
        with self._lock:
            self._drop(key)
            self._entries[key] = (drawn, size)
            self.size += size
            while self.size > self.limit:
                self._drop(next(iter(self._entries)))

    def forget(self, kind: object) -> None:
        """Let go of everything whose key begins with this."""
        with self._lock:
            for key in [key for key in self._entries if key[0] is kind]:
                self._drop(key)

    def _drop(self, key: Any) -> None:
        self.size -= self._entries.pop(key, (None, 0))[1]


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
