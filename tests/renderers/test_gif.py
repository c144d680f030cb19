"""Animations: frames store only what differs, and show whole pictures all the same."""

import io

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageSequence

from renderers.gif import Film
from renderers.theme import Colour
from tests.renderers.pixels import frames_of

WHITE, RED, GREEN, BLUE = (250, 250, 250), (220, 40, 40), (30, 160, 60), (20, 60, 200)
COLOURS = (WHITE, RED, GREEN, BLUE)
WIDTH = 320
HEIGHT = 400

Spot = tuple[int, int, Colour]


def picture(*spots: Spot, height: int = HEIGHT) -> Image.Image:
    """A white picture with large spots, whose corners are transparent."""
    image = Image.new("RGBA", (512, height), (*WHITE, 255))
    pen = ImageDraw.Draw(image)
    for x, y, colour in spots:
        pen.ellipse((x - 30, y - 30, x + 30, y + 30), fill=(*colour, 255))
    image.paste((*WHITE, 0), (0, 0, 16, 16))
    return image


MOVES = (
    picture((100, 100, RED), (400, 300, BLUE)),
    picture((120, 100, RED), (400, 300, BLUE)),
    picture((120, 100, RED), (400, 300, GREEN), (60, 370, RED)),
    picture((120, 100, RED), (400, 300, GREEN), (60, 370, RED)),
    picture((490, 20, RED), (256, 200, GREEN), (257, 385, BLUE)),
    picture(),
)


def filmed(*pictures: Image.Image) -> Film:
    film = Film(WIDTH, COLOURS, BLUE)
    for one in pictures:
        film.add(one.convert("RGB"), one.getchannel("A"))
    return film


def alone(one: Image.Image) -> Image.Image:
    """A picture as the only frame of an animation."""
    (frame,) = frames_of(filmed(one).encode([0], [100]))
    return frame


def differing(one: Image.Image, other: Image.Image) -> int:
    """How many pixels differ. A pixel between two colours may become either, by how the scaling is rounded."""
    return sum(ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L").histogram()[1:])


def test_each_frame_is_its_picture_whatever_came_before() -> None:
    frames = frames_of(filmed(*MOVES).encode(range(len(MOVES)), [100] * len(MOVES)))
    assert len(frames) == len(MOVES)
    for frame, one in zip(frames, MOVES, strict=True):
        assert differing(frame, alone(one)) <= 4


@pytest.mark.parametrize("shown", [(0, 2, 4, 5), (0, 5), (0, 3)])
def test_frames_can_be_left_out(shown: tuple[int, ...]) -> None:
    film = filmed(*MOVES)
    frames = frames_of(film.encode(shown, [100] * len(shown)))
    for frame, number in zip(frames, shown, strict=True):
        assert differing(frame, alone(MOVES[number])) <= 4
    assert len(frames_of(film.encode(range(6), [100] * 6))) == 6


def test_a_frame_is_as_large_as_what_differs() -> None:
    animation = Image.open(io.BytesIO(filmed(*MOVES[:2]).encode([0, 1], [100, 100])))
    assert animation.info["duration"] == 100
    animation.seek(1)
    left, top, right, bottom = animation.dispose_extent  # type: ignore[attr-defined]
    assert (right - left) * (bottom - top) < 80 * 80


def test_a_frame_without_a_difference_is_held_as_long_as_the_others() -> None:
    gif = filmed(MOVES[2], MOVES[3], MOVES[3]).encode([0, 1, 2], [100, 200, 300])
    assert [frame.info["duration"] for frame in ImageSequence.Iterator(Image.open(io.BytesIO(gif)))] == [100, 200, 300]


def test_what_is_transparent_stays_so_when_something_changes_beside_it() -> None:
    frames = frames_of(filmed(picture(), picture((40, 40, RED)), picture()).encode([0, 1, 2], [100] * 3))
    assert [frame.getchannel("A").getpixel((4, 4)) for frame in frames] == [0, 0, 0]
    assert [frame.getchannel("A").getpixel((25, 25)) for frame in frames] == [255, 255, 255]


def test_pictures_of_different_heights_stand_in_the_middle() -> None:
    low = (picture((100, 100, RED), height=240), picture((300, 100, RED), height=240))
    film = filmed(low[0], low[1], MOVES[0], low[0], low[1])
    for shown in ((0, 1, 2, 3, 4), (0, 2, 4), (0, 4)):
        frames = frames_of(film.encode(shown, [100] * len(shown)))
        for frame, number in zip(frames, shown, strict=True):
            assert frame.size == (WIDTH, 250)
            above, height = ((250 - 150) // 2, 150) if number != 2 else (0, 250)
            assert frame.getchannel("A").getextrema() == (255, 255)
            assert (frame.getpixel((100, 2)) == (*BLUE, 255)) == (number != 2)
            of = MOVES[0] if number == 2 else low[number % 3 % 2]
            part = frame.crop((20, above + 20, WIDTH, above + height))
            assert differing(part, alone(of).crop((20, 20, WIDTH, height))) <= 4
