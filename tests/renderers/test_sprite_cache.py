"""The cache of sprites packs, and at last drops, the least recently used ones beyond its bounds in bytes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from renderers.sliced_sprite import SlicedSprite, slice_sprite
from renderers.sprite_cache import CachedDrawing, SpriteCache, cache_sprite, packed, size_of

SQUARE = 10 * 10 * 4
PACKED_SQUARE = len(packed(Image.new("RGBA", (10, 10), "red")))


def drawing(limit: int, packed: int = 10_000) -> tuple[CachedDrawing, list[tuple[int, str]], SpriteCache]:
    """A cached function that draws squares, the squares it has drawn, and the cache."""
    drawn: list[tuple[int, str]] = []

    def square(number: int, *, colour: str = "red") -> Image.Image:
        """A square."""
        drawn.append((number, colour))
        return Image.new("RGBA", (10, 10), colour)

    cache = SpriteCache(limit, packed)
    return CachedDrawing(square, cache), drawn, cache


def test_equal_sprites_are_drawn_once():
    square, drawn, _ = drawing(5 * SQUARE)
    assert square(1) is square(1)
    assert square(1, colour="blue") is not square(1)
    assert drawn == [(1, "red"), (1, "blue")]


def test_sprites_that_have_not_been_used_for_longest_are_packed_and_come_back_as_they_were():
    square, drawn, cache = drawing(2 * SQUARE)
    first, second = square(1), square(2)
    square(1)
    square(3, colour="blue")
    assert len(drawn) == 3
    assert square(1) is first
    assert square(2) is not second
    assert square(2).tobytes() == second.tobytes()
    assert len(drawn) == 3
    assert 2 * SQUARE < cache.size < 3 * SQUARE


def test_packed_sprites_that_have_not_been_used_for_longest_are_dropped():
    square, drawn, cache = drawing(0, packed=2 * PACKED_SQUARE)
    for number in (1, 2, 1, 3, 1, 2):
        square(number)
    assert [number for number, _ in drawn] == [1, 2, 3, 2]
    assert cache.size == 2 * PACKED_SQUARE


def test_when_nobody_plays_all_can_be_packed_but_what_was_used_last():
    square, drawn, cache = drawing(5 * SQUARE)
    for number in range(5):
        square(number)
    last = square(2)
    cache.pack(SQUARE)
    assert square(2) is last
    assert cache.size == SQUARE + 4 * PACKED_SQUARE
    for number in range(5):
        square(number)
    assert len(drawn) == 5


@pytest.mark.parametrize("sprite", [
    Image.new("RGB", (3, 5), "red"), slice_sprite(Image.new("RGBA", (3, 5), "red")), (Image.new("L", (3, 5)), (7, 8), None)
])  # fmt: skip
def test_every_kind_of_sprite_can_be_packed(sprite):
    cache = SpriteCache(0)
    cache.put(("sprite", 1), sprite)
    found = cache.get(("sprite", 1))
    assert found is not sprite
    assert pixels(found) == pixels(sprite)


def pixels(sprite):
    """The pixels of a sprite, with everything else that it has."""
    if isinstance(sprite, Image.Image):
        return sprite.mode, sprite.size, sprite.tobytes()
    if isinstance(sprite, SlicedSprite):
        return sprite.size, sprite.solid, pixels((sprite.core, sprite.strips))
    return tuple(map(pixels, sprite)) if isinstance(sprite, tuple) else sprite


def test_without_room_each_sprite_is_drawn_each_time():
    square, drawn, cache = drawing(SQUARE - 1, packed=0)
    square(1)
    square(1)
    assert len(drawn) == 2
    assert cache.size == 0


def test_the_sprites_of_one_function_can_be_forgotten():
    square, drawn, cache = drawing(5 * SQUARE)
    other = CachedDrawing(lambda number: Image.new("L", (10, 10), number), cache)
    square(1)
    other(1)
    square.cache_clear()
    assert cache.size == 100
    square(1)
    assert len(drawn) == 2


def test_functions_do_not_share_sprites():
    one = cache_sprite(lambda number: Image.new("L", (1, 1), number))
    assert one(1).size != cache_sprite(lambda number: Image.new("L", (2, 2), number))(1).size
    assert one(1) is one(1)


def test_many_threads_are_given_what_they_ask_for_and_the_limit_holds():
    square, _, cache = drawing(7 * SQUARE, packed=0)
    colours = [f"#{number:06x}" for number in range(20)] * 100
    with ThreadPoolExecutor(8) as threads:
        images = list(threads.map(lambda colour: square(0, colour=colour), colours))
    assert [image.getpixel((5, 5))[2] for image in images] == [int(colour[1:], 16) for colour in colours]
    assert cache.size == 7 * SQUARE


SIZES = (
    (Image.new("RGB", (3, 5)), 60), (Image.new("P", (3, 5)), 15), ((Image.new("L", (3, 5)), (7, 8), None), 15),
    (slice_sprite(Image.new("RGBA", (3, 5), "red")), 60), (slice_sprite(Image.new("RGBA", (3, 5), (1, 2, 3, 4))), 60),
)  # fmt: skip


@pytest.mark.parametrize(("drawn", "size"), SIZES)
def test_the_size_is_that_of_the_pixels(drawn, size):
    assert size_of(drawn) == size


def test_a_cached_function_says_what_it_is():
    square, _, _ = drawing(0)
    assert square.__doc__ == "A square."
