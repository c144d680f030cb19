"""Replays: a game as an animation, a picture for each of its steps.

The animation is a GIF. Every Discord client there is plays one where it stands, in a gallery too; those from before 2025 show
an animated WebP as a still picture. Nor does a GIF lose anything here: our pictures have fewer colours than it allows, and
little changes between two steps, so that it is the smaller file as well (60 moves on a board of counters, 512 pixels wide:
0.6 MB, as lossy WebP 0.7, as lossless WebP 4.6). All frames share one palette, and hold only what has changed.

A long game is thinned: what is left is spread evenly over it, with its beginning and its end. Frames are drawn from coarse to
fine, so that a machine which is too slow for all of them still shows the whole game.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from typing import Final

from PIL import Image

from engines.game import Event, View
from renderers import RENDERERS, theme
from renderers.scene import Scene
from renderers.theme import EDGE, STRIP, Colour, Palette

WIDTH: Final = 640
"""Of the frames, in pixels: as wide as Discord shows them on a desktop, and small enough for the memory of a phone."""

_OPENING: Final = 1500
_CLOSING: Final = 4000
_FASTEST, _SLOWEST = 600, 1400
_WHOLE: Final = 60_000
"""Milliseconds: for the first frame, the last one, each of the others, and about as long as all of them take together."""

_TRANSPARENT: Final = 255
_SAMPLES: Final = 9
"""The palette is chosen from so many frames, spread over the game."""
_SPARSE: Final = 4
"""… and from every so many-th pixel of theirs."""
_ALIKE: Final = 6
"""Colours that differ by no more than this in red, green and blue share a place in the palette."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One step: the view after it, and what happened in it."""

    view: View
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a replay may cost.

    Attributes:
        frames: at most so many.
        size: of the file, in bytes.
        seconds: for drawing; the first `_SAMPLES` frames are drawn whatever they take.
    """

    frames: int = 120
    size: int = 7_500_000
    seconds: float = 8.0


@dataclass(frozen=True, slots=True)
class Replay:
    """An animation.

    Attributes:
        gif: the file.
        frames: the steps that it shows, by number, from 0 for the start.
        steps: how many steps there were to be shown.
    """

    gif: bytes
    frames: tuple[int, ...]
    steps: int

    @property
    def thinned(self) -> bool:
        """Whether steps were left out."""
        return len(self.frames) < self.steps


def replay(
    game_id: str,
    steps: int,
    shot: Callable[[int], Shot],
    scene: Scene,
    *,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Replay:
    """Draw a game as an animation.

    Args:
        game_id: the game.
        steps: how many shots there are, at least one.
        shot: gives a step by its number, from 0 for the start. It is asked only for those that are drawn, in no order.
        scene: the names, the side and the palette; its events are not used.
        limits: what it may cost.
        clock: seconds, to keep to the limit of time.

    Raises:
        KeyError: the game has no renderer.
    """
    limits = limits or Limits()
    palette = theme.palette(scene.high_contrast)
    renderer = RENDERERS[game_id]
    film = _Film(renderer.anchors(palette), palette)
    chosen = _spread(steps, limits.frames)
    stop = clock() + limits.seconds
    for count, number in enumerate(chosen[place] for place in _coarse_to_fine(len(chosen))):
        if count >= _SAMPLES and clock() > stop:
            break
        here = shot(number)
        picture = renderer.draw(here.view, _with_events(scene, here.events))
        _mark_progress(picture, number, steps - 1, palette)
        film.add(number, picture)
    gif, numbers = _developed(film, limits.size)
    return Replay(gif, numbers, steps)


def _developed(film: "_Film", size: int) -> tuple[bytes, tuple[int, ...]]:
    """The animation, with every other frame left out until its file is no larger than `size`, and the steps that it shows."""
    numbers = film.numbers
    gif = film.develop(numbers)
    while len(gif) > size and len(numbers) > 2:
        # The end is kept, and so is the beginning.
        numbers = (*numbers[:-1:2], numbers[-1])
        gif = film.develop(numbers)
    return gif, numbers


def _with_events(scene: Scene, events: tuple[Event, ...]) -> Scene:
    return replace(scene, events=events, prefix=(), options=())


def _spread(steps: int, most: int) -> tuple[int, ...]:
    """At most so many of the steps, evenly spread, the first and the last among them."""
    if steps <= most:
        return tuple(range(steps))
    return tuple(round(place * (steps - 1) / (most - 1)) for place in range(most))


def _coarse_to_fine(count: int) -> Iterator[int]:
    """The numbers below `count`, so that any first part of them is spread evenly: the ends, then the middle of each gap."""
    yield from range(0, count, max(1, count - 1))
    step = 1 << max(0, count - 1).bit_length()
    while step > 1:
        yield from range(step // 2, count - 1, step)
        step //= 2


def _mark_progress(picture: Image.Image, number: int, last: int, palette: Palette) -> None:
    """Show along the upper edge of the strip how far the game has come."""
    top, left, right = picture.height - EDGE - STRIP, EDGE, picture.width - EDGE
    share = number / last if last else 1.0
    picture.paste(palette.line, (left, top, right, top + 8))
    picture.paste(palette.gold, (left, top, left + round((right - left) * share), top + 8))


class _Film:
    """Frames on their way into one file."""

    def __init__(self, anchors: tuple[Colour, ...], palette: Palette) -> None:
        self._anchors = anchors
        self._edge = palette.edge
        self._fresh: dict[int, Image.Image] = {}
        self._frames: dict[int, Image.Image] = {}
        self._colours: list[Colour] = []
        self._opacity: Image.Image | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The steps of the frames, in order."""
        return tuple(sorted({*self._fresh, *self._frames}))

    def add(self, number: int, picture: Image.Image) -> None:
        """Take a picture, a card with its soft edge, as the frame of a step."""
        size = (WIDTH, round(picture.height * WIDTH / picture.width))
        if self._opacity is None:
            self._opacity = picture.getchannel("A").resize(size, Image.Resampling.BICUBIC)
        self._fresh[number] = picture.convert("RGB").resize(size, Image.Resampling.BICUBIC)
        if self._colours or len(self._fresh) == _SAMPLES:
            self._fix()

    def _fix(self) -> None:
        """Bring the fresh frames down to the palette, which is chosen when it is needed for the first time."""
        self._colours = self._colours or _chosen_colours(list(self._fresh.values()), self._anchors)
        key = Image.new("P", (1, 1))
        key.putpalette([value for colour in self._colours for value in colour])
        for number, picture in self._fresh.items():
            self._frames[number] = picture.quantize(palette=key, dither=Image.Dither.NONE)
        self._fresh.clear()

    def develop(self, numbers: Sequence[int]) -> bytes:
        """The animation of these steps."""
        if self._fresh:
            self._fix()
        frames = self._alike(numbers)
        # Pillow takes a palette over as it is, and quickly, if no colour stands in it twice.
        unused = (colour for blue in range(256) if (colour := (255, 0, blue)) not in self._colours)
        colours = [*self._colours, *islice(unused, _TRANSPARENT + 1 - len(self._colours))]
        entries = [value for colour in colours for value in colour]
        for frame in frames:
            frame.putpalette(entries)
        file = BytesIO()
        frames[0].save(
            file, "GIF", save_all=True, append_images=frames[1:], duration=_durations(len(frames)), loop=0, disposal=1,
            transparency=_TRANSPARENT, optimize=True, palette=bytes(entries),
        )  # fmt: skip
        return file.getvalue()

    def _alike(self, numbers: Sequence[int]) -> list[Image.Image]:
        """The frames, all of one size. Outside the card nothing is drawn; if the cards differ, the edge's colour is."""
        frames = [self._frames[number] for number in numbers]
        sizes = {frame.size for frame in self._frames.values()}
        if len(sizes) == 1 and self._opacity is not None:
            outside = self._opacity.point([255 if value < 128 else 0 for value in range(256)])
            return [_masked(frame, outside) for frame in frames]
        size = (WIDTH, max(height for _, height in sizes))
        return [_on_ground(frame, size, self._colours.index(self._edge)) for frame in frames]


def _masked(frame: Image.Image, outside: Image.Image) -> Image.Image:
    masked = frame.copy()
    masked.paste(_TRANSPARENT, (0, 0), outside)
    return masked


def _on_ground(frame: Image.Image, size: tuple[int, int], ground: int) -> Image.Image:
    layer = Image.new("P", size, ground)
    layer.paste(frame, (0, (size[1] - frame.height) // 2))
    return layer


def _chosen_colours(pictures: Sequence[Image.Image], anchors: Sequence[Colour]) -> list[Colour]:
    """At most 255 colours for all frames: the theme's own, and those of these pictures that none of them can stand for."""
    colours = list(dict.fromkeys(anchors))
    small = [p.resize((p.width // _SPARSE, p.height // _SPARSE), Image.Resampling.NEAREST) for p in pictures]
    layer = Image.new("RGB", (small[0].width, sum(picture.height for picture in small)))
    top = 0
    for picture in small:
        layer.paste(picture, (0, top))
        top += picture.height
    found = layer.quantize(_TRANSPARENT - len(colours), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    for red, green, blue in zip(found[::3], found[1::3], found[2::3], strict=True):
        if all(max(abs(red - r), abs(green - g), abs(blue - b)) > _ALIKE for r, g, b in colours):
            colours.append((red, green, blue))
    return colours


def _durations(count: int) -> list[int]:
    """For how long each frame is shown, in milliseconds: the first and the last are held longer."""
    each = max(_FASTEST, min(_SLOWEST, _WHOLE // count // 10 * 10))
    return [_OPENING, *([each] * (count - 2)), _CLOSING] if count > 1 else [_CLOSING]
