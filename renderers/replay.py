"""Draws a game as an animation with one frame for each step.

The animation is a GIF, which every Discord client plays inline, in galleries too. Clients from before 2025 show an animated
WebP as a still picture. Nothing is lost by this: the pictures have fewer colours than a GIF allows, and as little changes from
step to step, GIF files are also smaller (60 moves on a board of counters, 512 pixels wide: 0.6 MB, against 0.7 MB as a lossy
and 4.6 MB as a lossless WebP). All frames share one palette, and each stores only what has changed.

A long game is thinned: the frames that remain are spread evenly over the game and include its beginning and its end. They are
drawn from coarse to fine, so that a machine too slow to draw all of them still shows the whole game.
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
"""The width of the frames in pixels: as wide as Discord shows them on a desktop, yet small enough for the memory of a phone."""

_OPENING: Final = 1500
_CLOSING: Final = 4000
_FASTEST, _SLOWEST = 600, 1400
_TOTAL: Final = 60_000
"""Durations in milliseconds: of the first frame, the last, each of the others (the limits), and about all together."""

_TRANSPARENT: Final = 255
_SAMPLE_FRAMES: Final = 9
"""The number of frames from which the palette is chosen, spread over the game."""
_SAMPLE_STEP: Final = 4
"""Of these frames, every n-th pixel of every n-th row is looked at."""
_TOLERANCE: Final = 6
"""Colours that differ by no more than this in red, green and blue share an entry of the palette."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One step of a game: the view after it, and what happened in it."""

    view: View
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a replay may cost.

    Attributes:
        frames: the greatest number of frames.
        size: the greatest size of the file in bytes.
        seconds: the time for drawing. The first frames, from which the palette is chosen, are drawn however long they take.
        slowest: how long a frame is shown at most, in milliseconds, but for the last.
    """

    frames: int = 120
    size: int = 7_500_000
    seconds: float = 8.0
    slowest: int = _SLOWEST


@dataclass(frozen=True, slots=True)
class Replay:
    """An animation.

    Attributes:
        gif: the file.
        frames: the numbers of the steps it shows, where 0 is the start.
        steps: how many steps there are in all.
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
        game_id: the id of the game.
        steps: how many steps there are, at least 1.
        shot: returns the step with a number, where 0 is the start. It is called in no particular order, for drawn steps only.
        scene: the names, the side and the palette. Its events, prefix and options are not used.
        limits: what the replay may cost.
        clock: returns a time in seconds, to keep to the limit of time.

    Raises:
        KeyError: no renderer is registered for the game.
    """
    limits = limits or Limits()
    palette = theme.palette(scene.high_contrast)
    renderer = RENDERERS[game_id]
    frames = _Frames(renderer.anchors(palette), palette)
    chosen = _spread(steps, limits.frames)
    stop = clock() + limits.seconds
    for count, number in enumerate(chosen[place] for place in _coarse_to_fine(len(chosen))):
        if count >= _SAMPLE_FRAMES and clock() > stop:
            break
        here = shot(number)
        picture = renderer.draw(here.view, _with_events(scene, here.events))
        _mark_progress(picture, number, steps - 1, palette)
        frames.add(number, picture)
    gif, numbers = _encoded_within(frames, limits)
    return Replay(gif, numbers, steps)


def _encoded_within(frames: "_Frames", limits: Limits) -> tuple[bytes, tuple[int, ...]]:
    """The animation and the steps it shows. Every other frame is left out until the file is no larger than it may be."""
    numbers = frames.numbers
    gif = frames.encode(numbers, limits.slowest)
    while len(gif) > limits.size and len(numbers) > 2:
        # The first and the last frame are always kept.
        numbers = (*numbers[:-1:2], numbers[-1])
        gif = frames.encode(numbers, limits.slowest)
    return gif, numbers


def _with_events(scene: Scene, events: tuple[Event, ...]) -> Scene:
    return replace(scene, events=events, prefix=(), options=())


def _spread(steps: int, most: int) -> tuple[int, ...]:
    """The numbers of at most `most` steps, evenly spread and including the first and the last."""
    if steps <= most:
        return tuple(range(steps))
    return tuple(round(place * (steps - 1) / (most - 1)) for place in range(most))


def _coarse_to_fine(count: int) -> Iterator[int]:
    """Yield the numbers below `count` so that every first part is evenly spread: the ends, then the middles of gaps."""
    yield from range(0, count, max(1, count - 1))
    step = 1 << max(0, count - 1).bit_length()
    while step > 1:
        yield from range(step // 2, count - 1, step)
        step //= 2


def _mark_progress(picture: Image.Image, number: int, last: int, palette: Palette) -> None:
    """Draw a bar along the upper edge of the strip that shows how far the game has come."""
    top, left, right = picture.height - EDGE - STRIP, EDGE, picture.width - EDGE
    share = number / last if last else 1.0
    picture.paste(palette.line, (left, top, right, top + 8))
    picture.paste(palette.gold, (left, top, left + round((right - left) * share), top + 8))


class _Frames:
    """Collects frames and encodes them as one animation."""

    def __init__(self, anchors: tuple[Colour, ...], palette: Palette) -> None:
        self._anchors = anchors
        self._edge = palette.edge
        self._new: dict[int, Image.Image] = {}
        self._frames: dict[int, Image.Image] = {}
        self._colours: list[Colour] = []
        self._opacity: Image.Image | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the steps that have a frame, in order."""
        return tuple(sorted({*self._new, *self._frames}))

    def add(self, number: int, picture: Image.Image) -> None:
        """Add a picture (a card with its soft edge) as the frame of a step."""
        size = (WIDTH, round(picture.height * WIDTH / picture.width))
        if self._opacity is None:
            self._opacity = picture.getchannel("A").resize(size, Image.Resampling.BICUBIC)
        self._new[number] = picture.convert("RGB").resize(size, Image.Resampling.BICUBIC)
        if self._colours or len(self._new) == _SAMPLE_FRAMES:
            self._quantize()

    def _quantize(self) -> None:
        """Reduce the new frames to the palette, which is chosen the first time it is needed."""
        self._colours = self._colours or _chosen_colours(list(self._new.values()), self._anchors)
        key = Image.new("P", (1, 1))
        key.putpalette([value for colour in self._colours for value in colour])
        for number, picture in self._new.items():
            self._frames[number] = picture.quantize(palette=key, dither=Image.Dither.NONE)
        self._new.clear()

    def encode(self, numbers: Sequence[int], slowest: int = _SLOWEST) -> bytes:
        """The animation of these steps as a GIF file, each shown for `slowest` milliseconds at most."""
        if self._new:
            self._quantize()
        frames = self._in_one_size(numbers)
        # Pillow keeps a palette as it is, and works faster, if no colour occurs in it twice.
        unused = (colour for blue in range(256) if (colour := (255, 0, blue)) not in self._colours)
        colours = [*self._colours, *islice(unused, _TRANSPARENT + 1 - len(self._colours))]
        entries = [value for colour in colours for value in colour]
        for frame in frames:
            frame.putpalette(entries)
        file = BytesIO()
        frames[0].save(
            file, "GIF", save_all=True, append_images=frames[1:], duration=_durations(len(frames), slowest), loop=0, disposal=1,
            transparency=_TRANSPARENT, optimize=True, palette=bytes(entries),
        )  # fmt: skip
        return file.getvalue()

    def _in_one_size(self, numbers: Sequence[int]) -> list[Image.Image]:
        """The frames of these steps in one size.

        If all cards have this size, what lies outside them is transparent; else it has the colour of the edge.
        """
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
    """Choose at most 255 colours for all frames: the anchors, and colours of the pictures that no anchor can stand in for."""
    colours = list(dict.fromkeys(anchors))
    small = [p.resize((p.width // _SAMPLE_STEP, p.height // _SAMPLE_STEP), Image.Resampling.NEAREST) for p in pictures]
    layer = Image.new("RGB", (small[0].width, sum(picture.height for picture in small)))
    top = 0
    for picture in small:
        layer.paste(picture, (0, top))
        top += picture.height
    found = layer.quantize(_TRANSPARENT - len(colours), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    for red, green, blue in zip(found[::3], found[1::3], found[2::3], strict=True):
        if all(max(abs(red - r), abs(green - g), abs(blue - b)) > _TOLERANCE for r, g, b in colours):
            colours.append((red, green, blue))
    return colours


def _durations(count: int, slowest: int) -> list[int]:
    """How long each frame is shown, in milliseconds. The first and the last are shown longer."""
    each = max(_FASTEST, min(slowest, _TOTAL // count // 10 * 10))
    return [_OPENING, *([each] * (count - 2)), _CLOSING] if count > 1 else [_CLOSING]
