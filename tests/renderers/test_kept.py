"""What was drawn is kept within a number of bytes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from renderers.kept import Kept, Store, kept, size_of
from renderers.slab import slab

SQUARE = 10 * 10 * 4


def drawing(limit: int) -> tuple[Kept, list[tuple[int, str]], Store]:
    """A function that draws squares and is kept within a limit, the squares that it has drawn, and where they are kept."""
    drawn: list[tuple[int, str]] = []

    def square(number: int, *, colour: str = "red") -> Image.Image:
        """A square."""
        drawn.append((number, colour))
        return Image.new("RGBA", (10, 10), colour)

    store = Store(limit)
    return Kept(square, store), drawn, store


def test_the_same_is_drawn_once():
    square, drawn, _ = drawing(5 * SQUARE)
    assert square(1) is square(1)
    assert square(1, colour="blue") is not square(1)
    assert drawn == [(1, "red"), (1, "blue")]


def test_what_was_not_used_for_longest_goes_first():
    square, drawn, store = drawing(2 * SQUARE)
    for number in (1, 2, 1, 3, 1, 2):
        square(number)
    assert [number for number, _ in drawn] == [1, 2, 3, 2]
    assert store.size == 2 * SQUARE


def test_what_was_used_again_outlasts_any_number_of_things_that_are_seen_once():
    square, drawn, store = drawing(5 * SQUARE)
    for number in (1, 2, 1, 2, *range(10, 30), 1, 2):
        square(number)
    assert [number for number, _ in drawn] == [1, 2, *range(10, 30)]
    assert store.size == 5 * SQUARE


def test_what_was_used_again_long_ago_makes_room_for_what_is_used_again_now():
    square, drawn, _ = drawing(5 * SQUARE)
    for number in (1, 1, *(number for new in range(10, 30) for number in (new, new)), 1):
        square(number)
    assert [number for number, _ in drawn] == [1, *range(10, 30), 1]


def test_what_is_larger_than_the_limit_is_drawn_each_time():
    square, drawn, store = drawing(SQUARE - 1)
    square(1)
    square(1)
    assert len(drawn) == 2
    assert store.size == 0


def test_what_one_function_has_drawn_can_be_forgotten():
    square, drawn, store = drawing(5 * SQUARE)
    other = Kept(lambda number: Image.new("L", (10, 10), number), store)
    square(1)
    other(1)
    square.cache_clear()
    assert store.size == 100
    square(1)
    assert len(drawn) == 2


def test_two_functions_do_not_get_what_the_other_has_drawn():
    one, other = kept(lambda number: Image.new("L", (1, 1), number)), kept(lambda number: Image.new("L", (2, 2), number))
    assert one(1).size != other(1).size
    assert one(1) is one(1)


def test_many_threads_are_given_what_they_ask_for_and_the_limit_holds():
    square, _, store = drawing(7 * SQUARE)
    colours = [f"#{number:06x}" for number in range(20)] * 100
    with ThreadPoolExecutor(8) as threads:
        images = list(threads.map(lambda colour: square(0, colour=colour), colours))
    assert [image.getpixel((5, 5))[2] for image in images] == [int(colour[1:], 16) for colour in colours]
    assert store.size == 7 * SQUARE


@pytest.mark.parametrize(
    ("drawn", "size"),
    [
        (Image.new("RGB", (3, 5)), 60),
        (Image.new("P", (3, 5)), 15),
        ((Image.new("L", (3, 5)), (7, 8), None), 15),
        (slab(Image.new("RGBA", (3, 5), "red")), 60),
        (slab(Image.new("RGBA", (3, 5), (1, 2, 3, 4))), 60),
    ],
)
def test_the_size_is_that_of_the_pixels(drawn, size):
    assert size_of(drawn) == size


def test_a_kept_function_says_what_it_is():
    square, _, _ = drawing(0)
    assert square.__doc__ == "A square."
