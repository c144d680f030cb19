"""Counts the calls of functions, and the pixels that Pillow handles."""

import contextlib
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final
from unittest import mock

from PIL import Image

import engines
from renderers.canvas import lay
from renderers.sliced_sprite import SlicedSprite

ROOT: Final = Path(engines.__file__).parents[1]
COUNTED: Final = (
    *(f"{ROOT}/{name}/" for name in ("bot", "competitions", "engines", "matchmaking", "opponents", "renderers", "storage")),
    *(f"/site-packages/{name}/" for name in ("PIL", "aiosqlite", "discord", "sqlalchemy")),
)
"""The folders whose functions are counted: those of the bot, and of the libraries for Discord, databases and pictures."""
PASTED: Final[Mapping[CodeType, Callable[[Mapping[str, Any]], Image.Image | None]]] = {
    lay.__code__: lambda given: given["sprite"],
    SlicedSprite.lay.__code__: lambda given: given["self"].core,
}
"""The functions that paste past `Image.paste`, and what each of them pastes."""
INLINED: Final = frozenset({"<dictcomp>", "<listcomp>", "<setcomp>"})
"""What is a function only before Python 3.12, and is never counted."""


class Profile:
    """Counts function calls in all threads. It is a profile function; see `sys.setprofile`.

    Attributes:
        pixels: the pixels of all images that Pillow has made, also on the way to others, and of what was pasted.
    """

    def __init__(self) -> None:
        self.pixels = 0
        self._calls: Counter[CodeType] = Counter()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            self._calls[frame.f_code] += 1
            if frame.f_code in PASTED:
                image = PASTED[frame.f_code](frame.f_locals)
                self.pixels += 0 if image is None else image.width * image.height

    def clear(self) -> None:
        """Forget what was counted so far."""
        self.pixels = 0
        self._calls.clear()

    @property
    def functions(self) -> int:
        """How many of the functions that count were called."""
        return sum(calls for calls, _ in self.counted())

    def counted(self) -> Iterator[tuple[int, str]]:
        """Yield the functions that count, those with the most calls first: how many calls, and a name."""
        for code, calls in Counter(self._calls).most_common():
            if code.co_name not in INLINED and any(place in code.co_filename for place in COUNTED):
                yield calls, f"{code.co_filename.removeprefix(f'{ROOT}/')}:{code.co_qualname}"


@contextlib.contextmanager
def profiled(profile: Profile) -> Iterator[None]:
    """Count what is done in this block, and in threads that begin in it."""
    make, paste = Image.Image._new, Image.Image.paste  # noqa: SLF001 - every image made from another comes from it

    def made(image: Image.Image, core: Any) -> Image.Image:
        profile.pixels += core.size[0] * core.size[1]
        return make(image, core)

    def pasted(image: Image.Image, source: Any, box: Any = None, mask: Image.Image | None = None) -> None:
        sized = source if isinstance(source, Image.Image) else mask
        if sized is not None:
            profile.pixels += sized.width * sized.height
        else:
            left, top, right, bottom = box
            profile.pixels += (right - left) * (bottom - top)
        paste(image, source, box, mask)

    with mock.patch.object(Image.Image, "_new", made), mock.patch.object(Image.Image, "paste", pasted):
        threading.setprofile(profile)
        sys.setprofile(profile)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
