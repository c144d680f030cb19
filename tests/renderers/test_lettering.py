"""Names of any kind on a picture."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from renderers.lettering import can_write, text_width, write
from renderers.theme import WARM, Face, Size

ODD = (
    "",
    " \t\n ",
    "W" * 32,
    "🔥Ann🔥",
    "👩‍👩‍👧‍👦",
    "محمد علي",
    "שלום",
    "张伟",
    "Z̷̡͎a̸̢l̵g̶͇o̴" * 5,
    "a\nb\rc\x00d",
    "\u202eevil\u202c",
    "\u200b\u200d\ufe0f",
    "\ud800",
    "ﷺ" * 10,
    "é" + "\u0301" * 60,
)


def written(text, width=None, size=Size.NAME):
    """The picture of a text, and how wide `write` says it is."""
    image = Image.new("RGB", (1200, 120), WARM.paper)
    return image, write(image, (300, 60), text, Face.NAME_STRONG, size, WARM.ink, width=width)


def ink(image):
    """Where something was written."""
    return image.convert("L").point([255 if value < 200 else 0 for value in range(256)]).getbbox()


@pytest.mark.parametrize("text", ODD)
def test_odd_names_are_written_within_their_width_and_their_line(text):
    image, wide = written(text, width=160)
    assert wide <= 160
    if box := ink(image):
        assert box[0] >= 290
        assert box[2] <= 300 + 160 + 10
        assert box[1] >= 60 - 45
        assert box[3] <= 60 + 45


@settings(max_examples=120, deadline=None)
@given(st.text(max_size=80), st.integers(20, 400))
def test_no_text_breaks_the_drawing_or_overflows(text, width):
    _, wide = written(text, width=width)
    assert wide <= width


def test_what_fits_is_not_cut():
    image, wide = written("Ann", width=400)
    assert image.tobytes() == written("Ann")[0].tobytes()
    assert wide == text_width("Ann", Face.NAME_STRONG, Size.NAME)


def test_a_long_name_ends_in_an_ellipsis():
    long, cut = "Bob the Builder of Very Tall Towers", "Bob the B…"
    width = text_width(cut, Face.NAME_STRONG, Size.NAME)
    assert written(long, width=width)[0].tobytes() == written(cut)[0].tobytes()


def test_letters_in_fancy_dress_become_plain_ones():
    assert written("𝓕𝓪𝓷𝓬𝔂 Ｆｕｌｌ")[0].tobytes() == written("Fancy Full")[0].tobytes()


def test_emoji_and_marks_that_no_font_has_leave_the_name_readable():
    assert written("🔥Ann🔥")[0].tobytes() == written("Ann")[0].tobytes()
    assert written("Z̷̡͎a̸̢l̵g̶͇o̴")[0].tobytes() == written("Zalgo")[0].tobytes()


def test_an_accent_stays_on_its_letter():
    assert written("Zoe\u0308")[0].tobytes() == written("Zoë")[0].tobytes()
    assert written("Zoë")[0].tobytes() != written("Zoe")[0].tobytes()


@pytest.mark.parametrize("text", ["Ann", "Ελλάς", "Жуков", "Việt", "1", "?"])
def test_a_name_in_letters_that_the_typeface_has_can_be_written(text):
    assert can_write(text, Face.NAME)


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "👩‍👩‍👧‍👦", "\x00\x01", "\u0301"])
def test_a_name_of_nothing_that_can_be_read_cannot_be_written(text):
    assert not can_write(text, Face.NAME)


def test_lines_become_one():
    assert written("Ann\n\nand\tBob")[0].tobytes() == written("Ann and Bob")[0].tobytes()
