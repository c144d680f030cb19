"""Encodes pictures as an animated GIF. What this costs depends on how much consecutive pictures differ.

Pictures are compared in bands. Only the parts that differ are scaled down, and a frame stores only the pixels that have
changed. All frames share one palette without dithering, so that unchanged parts keep their pixels.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from math import ceil, floor
from typing import Final

from PIL import GifImagePlugin, Image, ImageChops

from renderers.canvas import Bounds
from renderers.theme import Colour

COLOURS: Final = 255
"""The largest number of colours in an animation."""

_UNCHANGED: Final = 255  # the palette index of pixels that stay, or are transparent in the first frame
_BAND: Final = 64  # the height in pixels of the bands in which pictures are compared
_REACH: Final = 2  # how far a difference reaches when the larger picture is scaled down, in pixels of the smaller one

_EQUAL: Final = [255, *[0] * 255]
_CHANGED: Final = [*[255] * _UNCHANGED, 0]
_SEE_THROUGH: Final = [255 if opacity < 128 else 0 for opacity in range(256)]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The differences between a frame and the one before it.

    Attributes:
        size: the size of the whole frame.
        box: the part of the frame that differs.
        parts: images of palette indices, each with its top left corner. Pixels that stay are `_UNCHANGED`, as are those outside
            the parts.
    """

    size: tuple[int, int]
    box: Bounds
    parts: Sequence[tuple[Image.Image, tuple[int, int]]]

    @property
    def whole(self) -> bool:
        """Whether this frame replaces the previous one entirely."""
        return self.box == (0, 0, *self.size)


class Film:
    """The pictures of an animation, one after the other.

    Frames are `width` pixels wide, with heights in proportion. `ground` is the colour behind frames that are lower than others.
    It must be one of `colours`, of which there are at most `COLOURS`.
    """

    def __init__(self, width: int, colours: Sequence[Colour], ground: Colour) -> None:
        self._width = width
        self._ground = colours.index(ground)
        # Pillow takes a palette as it is only if no colour occurs in it twice.
        unused = (colour for blue in range(256) if (colour := (255, 0, blue)) not in colours)
        self._palette = bytes(value for colour in (*colours, *islice(unused, 256 - len(colours))) for value in colour)
        self._palette_image = Image.new("P", (1, 1))
        self._palette_image.putpalette([value for colour in colours for value in colour])
        self._frames: list[_Frame] = []
        self._outside: Image.Image | None = None  # where the first picture is transparent, at the size of a frame
        self._picture = Image.new("RGB", (0, 0))  # the last picture, as it was added
        self._indices = Image.new("P", (0, 0))  # the same picture at the size of a frame, as palette indices

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, picture: Image.Image, opacity: Image.Image) -> None:
        """Add an RGB picture, which must not change later. The background shows through where the first is transparent."""
        if picture.size != self._picture.size:
            self._frames.append(self._first_frame(picture, opacity))
        else:
            self._frames.append(self._next_frame(picture))
        self._picture = picture

    def _first_frame(self, picture: Image.Image, opacity: Image.Image) -> _Frame:
        size = (self._width, round(picture.height * self._width / picture.width))
        if self._outside is None:
            self._outside = opacity.resize(size, Image.Resampling.BOX).point(_SEE_THROUGH)
        self._indices = self._quantize(picture.resize(size, Image.Resampling.BOX))
        return _Frame(size, (0, 0, *size), [(self._indices.copy(), (0, 0))])

    def _next_frame(self, picture: Image.Image) -> _Frame:
        size = self._indices.size
        boxes = [_scale_box(box, picture.size, size) for box in _differences(self._picture, picture)]
        hull = _hull(boxes)
        before = self._indices.crop(hull)
        for box in boxes:
            self._indices.paste(self._quantize(_resize_part(picture, box, size)), box)
        changes = self._indices.crop(hull)
        changes.paste(_UNCHANGED, (0, 0), ImageChops.difference(before, changes).point(_EQUAL, "1"))
        return _Frame(size, hull, [(changes.crop(_shift(box, -hull[0], -hull[1])), box[:2]) for box in boxes])

    def _quantize(self, picture: Image.Image) -> Image.Image:
        return picture.quantize(palette=self._palette_image, dither=Image.Dither.NONE)

    def encode(self, shown: Iterable[int], durations: Sequence[int], give_way: Callable[[], None] = lambda: None) -> bytes:
        """Encode the chosen frames as a GIF file that plays for ever.

        `shown` are the numbers of the frames, ascending from 0. `durations` are in milliseconds. Frames of different heights
        are centred on the ground. If all have the same height, the transparent parts of the first picture stay transparent.
        `give_way` is called between frames.
        """
        size = (self._width, max(frame.size[1] for frame in self._frames))
        parts = (self._part(numbers, size) for numbers in _runs(shown))
        first, _ = next(parts)
        if self._outside is not None and len({frame.size for frame in self._frames}) == 1:
            first.paste(_UNCHANGED, (0, 0), self._outside)
        file = BytesIO()
        first.putpalette(self._palette)
        first.save(file, "GIF", **_params(durations[0]), loop=0, palette=self._palette, optimize=False, interlace=False)
        file.seek(-1, 2)  # the other frames go before the end marker
        for (changes, at), duration in zip(parts, durations[1:], strict=True):
            give_way()
            file.writelines(GifImagePlugin.getdata(changes, at, **_params(duration)))
        file.write(b";")
        return file.getvalue()

    def _part(self, numbers: Sequence[int], size: tuple[int, int]) -> tuple[Image.Image, tuple[int, int]]:
        """Return the combined changes of several frames, of which the last is shown, and their top left corner.

        `size` is that of the animation.
        """
        frames = [self._frames[number] for number in numbers]
        whole = max((place for place, frame in enumerate(frames) if frame.whole), default=None)
        alone = whole is None and len(frames) == 1
        left, top, right, bottom = _shift(frames[0].box, 0, _above(frames[0], size)) if alone else (0, 0, *size)
        ground = _UNCHANGED if whole is None else self._ground
        everything = Image.new("P", (right - left, bottom - top), ground)
        for frame in frames[whole or 0 :]:
            for part, (x, y) in frame.parts:
                at = (x - left, y + _above(frame, size) - top)
                everything.paste(part, at, None if alone else part.point(_CHANGED, "1"))
        return everything, (left, top)


def _above(frame: _Frame, size: tuple[int, int]) -> int:
    """Return the height of the ground above a frame in an animation of this size."""
    return (size[1] - frame.size[1]) // 2


def _runs(shown: Iterable[int]) -> Iterator[range]:
    """Yield, for each shown frame, the numbers of the frames since the previously shown one, up to and including itself."""
    done = -1
    for number in shown:
        yield range(done + 1, number + 1)
        done = number


def _params(duration: int) -> dict[str, int]:
    return {"duration": duration, "disposal": 1, "transparency": _UNCHANGED}


def _differences(one: Image.Image, other: Image.Image) -> Iterator[Bounds]:
    """Yield boxes that contain all differences between two pictures of the same size."""
    different = ImageChops.difference(one, other)
    left, above, right, below = different.getbbox() or (0, 0, 0, 0)
    for top in range(above // _BAND * _BAND, below, _BAND):
        band = different.crop((left, top, right, min(top + _BAND, below)))
        if (box := band.getbbox()) is not None:
            yield left + box[0], top + box[1], left + box[2], top + box[3]


def _shift(box: Bounds, across: int, down: int) -> Bounds:
    return box[0] + across, box[1] + down, box[2] + across, box[3] + down


def _scale_box(box: Bounds, size: tuple[int, int], new: tuple[int, int]) -> Bounds:
    """Return the part of a rescaled picture that is affected by a change in this box."""
    across, down = new[0] / size[0], new[1] / size[1]
    return (
        max(0, floor(box[0] * across) - _REACH),
        max(0, floor(box[1] * down) - _REACH),
        min(new[0], ceil(box[2] * across) + _REACH),
        min(new[1], ceil(box[3] * down) + _REACH),
    )


def _resize_part(picture: Image.Image, part: Bounds, size: tuple[int, int]) -> Image.Image:
    """Return a part of the rescaled picture. Its outermost pixels are blended with those next to it."""
    across, down = picture.width / size[0], picture.height / size[1]
    box = (part[0] * across, part[1] * down, part[2] * across, part[3] * down)
    return picture.resize((part[2] - part[0], part[3] - part[1]), Image.Resampling.BOX, box)


def _hull(boxes: Sequence[Bounds]) -> Bounds:
    if not boxes:
        return (0, 0, 1, 1)
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)
