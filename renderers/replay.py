"""Draws a game as an animation with one frame for each step.

The animation is a GIF, which every Discord client plays inline. Clients from before 2025 show an animated WebP as a still. As
little changes from step to step, a GIF is also smaller: for 60 moves on a board of counters, 512 pixels wide, it takes 0.6 MB,
while a WebP takes 0.7 MB if it is lossy and 4.6 MB if it is lossless.

A long game is thinned evenly, but keeps its beginning and its end. So is any game on a slow machine: a few frames are always
drawn, and between them as many as there is time for.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import floor, inf
from typing import Final

from PIL import Image

from engines.game import Event, View
from renderers import RENDERERS, theme
from renderers.canvas import opacity
from renderers.gif import COLOURS, Film
from renderers.renderer import Renderer
from renderers.scene import Scene
from renderers.theme import EDGE, Colour, Palette

WIDTH: Final = 608
"""The width of the frames in pixels. It is that of pictures on a desktop, yet small enough for the memory of a phone."""

_OPENING: Final = 1500
_CLOSING: Final = 4000
_FASTEST, _SLOWEST = 600, 1400
_TOTAL: Final = 60_000
"""Milliseconds: for the first frame, for the last, at least and at most for each other frame, and roughly for all together."""

_KEPT_FRAMES: Final = 9
"""The number of frames, spread over the game, that are drawn however long they take. The palette is chosen from them."""
_SAMPLE_STEP: Final = 6  # the palette is chosen from every n-th pixel of every n-th row
_TOLERANCE: Final = 6  # colours that differ by no more than this in red, green and blue share an entry of the palette


@dataclass(frozen=True, slots=True)
class Shot:
    """A step of a game: the view after it, and the events that belong to it."""

    view: View
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits on the cost of a replay.

    Attributes:
        frames: the largest number of frames.
        size: the largest size of the file in bytes.
        seconds: the time for drawing, not counting a few frames that are always drawn.
        slowest: the longest time in milliseconds for which a frame is shown, except for the last.
    """

    frames: int = 120
    size: int = 7_500_000
    seconds: float = 8.0
    slowest: int = _SLOWEST


@dataclass(frozen=True, slots=True)
class Replay:
    """An animation: its file, the numbers of the steps it shows (0 is the start), and how many steps the game has."""

    gif: bytes
    frames: tuple[int, ...]
    steps: int

    @property
    def thinned(self) -> bool:
        """Whether any steps were left out."""
        return len(self.frames) < self.steps


def replay(
    game_id: str,
    steps: int,
    shot: Callable[[int], Shot],
    scene: Scene,
    *,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.monotonic,
    give_way: Callable[[], None] = lambda: None,
) -> Replay:
    """Draw a game of `steps` steps, at least 1, as an animation.

    `shot` returns a step by its number, where 0 is the start. It is called once for each step that is drawn, in any order. The
    events, prefix and options of the scene are not used. `give_way` is called between frames, every few milliseconds.

    Raises:
        KeyError: there is no such game.
    """
    limits = limits or Limits()
    palette = theme.palette(scene.high_contrast)
    renderer = RENDERERS[game_id]

    def picture(number: int) -> Image.Image:
        give_way()
        here = shot(number)
        frame = replace(scene, events=here.events, prefix=(), options=(), moving=True)
        drawn = renderer.draw(here.view, frame)
        _mark_progress(drawn, renderer.strip(here.view, frame), number, steps - 1, palette)
        return drawn

    began = clock()
    chosen = steps_shown(steps, limits)
    kept = [chosen[place] for place in _evenly_chosen(len(chosen), _KEPT_FRAMES)]
    samples = {number: picture(number) for number in kept} if renderer.shades is None else {}
    film = Film(WIDTH, _colours(renderer, palette, list(samples.values())), palette.edge)
    numbers: list[int] = []

    def time_left() -> float:
        """Return how many more frames there is time for."""
        now = clock()
        each = (now - began) / (len(numbers) + len(samples))
        return (began + limits.seconds - now) / each if each else inf

    for number in _interleave(chosen, kept, time_left):
        drawn = samples.pop(number, None)
        drawn = picture(number) if drawn is None else drawn
        film.add(drawn, opacity(drawn.size))
        numbers.append(number)
    gif, shown = _encoded_within(film, limits, give_way)
    return Replay(gif, tuple(numbers[place] for place in shown), steps)


def steps_shown(steps: int, limits: Limits) -> tuple[int, ...]:
    """Return the numbers of the steps that a replay shows if there is time and room for all of them."""
    return _evenly_chosen(steps, limits.frames)


def _encoded_within(film: Film, limits: Limits, give_way: Callable[[], None]) -> tuple[bytes, Sequence[int]]:
    """Return the animation and the frames it shows. Every other frame is dropped until the file is small enough."""
    shown: Sequence[int] = range(len(film))
    gif = film.encode(shown, _durations(len(shown), limits.slowest), give_way)
    while len(gif) > limits.size and len(shown) > 2:
        # The first and the last frame are always kept.
        shown = (*shown[:-1:2], shown[-1])
        gif = film.encode(shown, _durations(len(shown), limits.slowest), give_way)
    return gif, shown


def _evenly_chosen(steps: int, most: int) -> tuple[int, ...]:
    """Return at most `most` numbers from 0 to `steps` - 1, spread evenly, with both ends among them."""
    if steps <= most:
        return tuple(range(steps))
    return tuple(round(place * (steps - 1) / (most - 1)) for place in range(most))


def _interleave(numbers: Sequence[int], kept: Sequence[int], affordable: Callable[[], float]) -> Iterator[int]:
    """Yield the kept numbers and, between them, as many others as `affordable` allows, spread evenly."""
    left = len(numbers) - len(kept)
    yield numbers[0]
    for start, end in pairwise([numbers.index(number) for number in kept]):
        between = end - start - 1
        count = max(0, floor(min(between, affordable() * between / left))) if between else 0
        yield from (numbers[start + round(place * (end - start) / (count + 1))] for place in range(1, count + 1))
        left -= between
        yield numbers[end]


def _mark_progress(picture: Image.Image, strip: int, number: int, last: int, palette: Palette) -> None:
    """Draw a bar along the upper edge of the strip that shows how far the game has come."""
    top, left, right = picture.height - EDGE - strip, EDGE, picture.width - EDGE
    share = number / last if last else 1.0
    picture.paste(palette.line, (left, top, right, top + 8))
    picture.paste(palette.gold, (left, top, left + round((right - left) * share), top + 8))


def _colours(renderer: Renderer, palette: Palette, samples: Sequence[Image.Image]) -> list[Colour]:
    """Return the colours of all frames. They are searched for only if the renderer does not know its shades."""
    anchors = renderer.anchors(palette)
    if renderer.shades is None:
        return _chosen_colours(samples, anchors)
    return list(dict.fromkeys((*anchors, *renderer.shades(palette))))


def _chosen_colours(pictures: Sequence[Image.Image], anchors: Sequence[Colour]) -> list[Colour]:
    """Choose at most 255 colours: the anchors, and further ones for whatever no anchor can stand for."""
    colours = list(dict.fromkeys(anchors))
    small = [p.resize((p.width // _SAMPLE_STEP, p.height // _SAMPLE_STEP), Image.Resampling.NEAREST) for p in pictures]
    layer = Image.new("RGB", (small[0].width, sum(picture.height for picture in small)))
    top = 0
    for picture in small:
        layer.paste(picture, (0, top))
        top += picture.height
    found = layer.quantize(COLOURS - len(colours), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    for red, green, blue in zip(found[::3], found[1::3], found[2::3], strict=True):
        if all(max(abs(red - r), abs(green - g), abs(blue - b)) > _TOLERANCE for r, g, b in colours):
            colours.append((red, green, blue))
    return colours


def _durations(count: int, slowest: int) -> list[int]:
    """Return the duration of each frame in milliseconds. The first frame and the last are shown for longer."""
    each = max(_FASTEST, min(slowest, _TOTAL // count // 10 * 10))
    return [_OPENING, *([each] * (count - 2)), _CLOSING] if count > 1 else [_CLOSING]
