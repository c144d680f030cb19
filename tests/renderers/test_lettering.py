"""Names of any kind on a picture."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFont

from renderers import lettering
from renderers.fonts import FALLBACKS, MISSING, UNDRAWABLE, can_shape, font_for, has_glyph, load
from renderers.lettering import can_write, text_width, write
from renderers.theme import WARM, Face, Size
from tests.renderers.character_maps import character_map

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
    "\ufdfd",
    "\ufdfd" * 32,
    "Ann \ufdfd محمد\ufdfd\u0651 علي",
    "a\x1cb\x85c\u2028d\u2029e\u2067f",
    "กิ็์" * 20,
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
    assert written(long, width=text_width(cut, Face.NAME_STRONG, Size.NAME))[0].tobytes() == written(cut)[0].tobytes()


def test_half_a_point_is_not_written_as_a_quotient():
    assert written("2½")[0].tobytes() != written("21/2")[0].tobytes()
    assert written("2½")[1] < written("21/2")[1]


PLAIN = {
    "letters in fancy dress": ("𝓕𝓪𝓷𝓬𝔂 Ｆｕｌｌ", "Fancy Full"), "marks heaped on letters": ("Z̷̡͎a̸̢l̵g̶͇o̴", "Zalgo"),
    "several lines": ("Ann\n\nand\tBob", "Ann and Bob"), "an accent by itself": ("Zoe\u0308", "Zoë"),
}  # fmt: skip


@pytest.mark.parametrize("odd", PLAIN)
def test_odd_letters_are_written_as_plain_ones(odd):
    assert written(PLAIN[odd][0])[0].tobytes() == written(PLAIN[odd][1])[0].tobytes()


SCRIPTS = {
    "Arabic": "محمد علي",
    "Armenian": "Արամ",
    "Bengali": "সুমন বাংলা",
    "Chinese": "张伟简体",
    "Devanagari": "देवनागरी क्षि",
    "Georgian": "გიორგი",
    "Hebrew": "שלום",
    "Japanese": "さくら桜",
    "Korean": "한국어",
    "Tamil": "தமிழ்",
    "Thai": "ไทยก็ดี",
    "emoji": "👩‍💻🎉🇩🇪👍🏽🐰",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_names_of_every_script_are_written_in_their_own_letters(script):
    text = SCRIPTS[script]
    picture, wide = written(text)
    assert ink(picture) is not None
    assert wide > 40
    assert not [letter for letter in text if letter.isalpha() and font_for(letter, Face.NAME_STRONG) is None]
    runs = lettering._laid_out(text, Face.NAME_STRONG, Size.NAME, None)
    assert len({run.path for run in runs}) == 1, "one font draws the whole of it, so that letters and marks join"


FANCY = Path(__file__).with_name("fancy_names.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
"""Five hundred names as people dress them up: the alphabets of text generators, frames, scripts, emoji and kaomoji."""
DRAWN_BY_NO_FONT = {"བོད་ཡིག", "ᜊᜌ᜔ᜊᜌᜒᜈ᜔", "ⲙⲉⲧ", "ᚱᚢᚾᛖᛋ", "𓃠", *"🪾🪏🛘🫈🫍"}
"""Of these, the names of which nothing can be drawn: Tibetan, Tagalog, Coptic, runes, a hieroglyph, and the newest emoji."""


def runs_of(name, face=Face.NAME_STRONG, size=Size.HEADING):
    return lettering._laid_out(name, face, size, None)


@pytest.mark.slow
def test_no_fancy_name_is_drawn_with_a_glyph_that_its_font_lacks():
    assert len(FANCY) == len(set(FANCY)) == 500
    for face in Face:
        pieces = [(name, run.path, character) for name in FANCY for run in runs_of(name, face) for character in run.text]
        assert [piece for piece in pieces if piece[2] != " " and ord(piece[2]) not in character_map(piece[1])] == []


@pytest.mark.slow
def test_something_of_nearly_every_fancy_name_is_drawn():
    assert {name for name in FANCY if not can_write(name, Face.NAME)} == DRAWN_BY_NO_FONT
    assert {name for name in FANCY if not runs_of(name)} == DRAWN_BY_NO_FONT


@pytest.mark.parametrize("size", [Size.NAME, pytest.param(Size.HUGE, marks=pytest.mark.slow)])
def test_no_fancy_name_reaches_out_of_its_line(size):
    for name in FANCY:
        for run in runs_of(name, size=size):
            mask, (_, top) = lettering._shape(run, Face.NAME_STRONG, size)
            assert (top >= -1.2 * size, top + mask.height <= 0.6 * size) == (True, True), name


@pytest.mark.parametrize("name", ["✦ Ada ♔", "꧁Ben꧂", "☆彡Cleo彡☆", "⚔Dario⚔", "ᗴᗰᗰᗩ", "ꁕꂦ"])
def test_symbols_round_a_name_are_drawn(name):
    assert "".join(run.text for run in runs_of(name)) == name


@pytest.mark.parametrize("unknown", ["\ue000", "\U000e0fff", "ᚠ", "🫩", "\u3164", "\u2800", "\u115f", "\uffa0"])
def test_what_no_font_has_is_left_out(unknown):
    assert not can_write(unknown, Face.NAME)
    assert written(unknown)[1] == 0
    assert written(f"{unknown}Ann{unknown}{unknown} B")[0].tobytes() == written("Ann B")[0].tobytes()


def test_the_mark_of_a_letter_that_is_left_out_is_left_out_too():
    assert "".join(run.text for run in runs_of("한ཀ\u0308")) == "한"


ENGLAND, SCOTLAND = (
    "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in tags) + "\U000e007f" for tags in ("gbeng", "gbsct")
)


@pytest.mark.skipif(not can_shape(), reason="needs FriBiDi (the package libfribidi0 of Debian)")
def test_the_flags_of_england_and_scotland_are_not_the_black_one():
    assert len({written(flag)[0].tobytes() for flag in ("🏴", ENGLAND, SCOTLAND)}) == 3
    assert written(ENGLAND)[1] == written("🇩🇪")[1]
    cut = lettering._laid_out(ENGLAND * 3, Face.NAME, Size.NAME, text_width(ENGLAND + "…", Face.NAME, Size.NAME))
    assert "".join(run.text for run in cut) == ENGLAND + "…"


@pytest.mark.skipif(not can_shape(), reason="needs FriBiDi (the package libfribidi0 of Debian)")
@pytest.mark.parametrize(("emoji", "parts"), [("☝🏻", "☝"), ("🏃‍♂️", "🏃"), ("⛹🏽‍♂️", "⛹"), ("🙂‍↔️", "🙂")])
def test_an_emoji_of_several_parts_is_one_picture(emoji, parts):
    assert len(runs_of(emoji)) == 1
    assert written(emoji)[1] == written(f"{parts}\ufe0f🎉")[1] - written("🎉")[1] or written(emoji)[1] == written("🎉")[1]


@pytest.mark.parametrize("name", ["น้ำฝน", "ㅋㅋㅋ", "¯\\_(ツ)_/¯", "︵‿︵", "ヽ(´▽`)ﾉ"[:-1]])
def test_characters_that_would_be_taken_apart_are_drawn_as_they_are(name):
    assert "".join(run.text for run in runs_of(name)) == name


TOO_INTRICATE = "\ufdfd"  # A whole sentence in one character, ﷽, which FreeType gives up drawing
ARABIC = FALLBACKS[1]
ASSIGNED = (*range(0x32400), *range(0xE0000, 0xE0200), *range(0xFE000, 0xFF000))
"""All code points that Unicode has given to letters, some that it may give, and of the private planes those that a font has."""


def test_what_is_too_intricate_for_one_font_is_drawn_by_another():
    assert not has_glyph(ARABIC, TOO_INTRICATE)
    assert font_for(TOO_INTRICATE, Face.NAME) == FALLBACKS[-1]
    assert written(f"Ann {TOO_INTRICATE} علي", width=160)[1] <= 160


@pytest.mark.parametrize("face", Face)
@pytest.mark.parametrize("size", Size)
def test_letters_that_cannot_be_drawn_together_are_left_out(face, size):
    wide = lettering._width(f"محمد{TOO_INTRICATE}", ARABIC, face, size)
    mask, _ = lettering._shape(lettering._Run(f"محمد{TOO_INTRICATE}", ARABIC, wide), face, size)
    assert mask.getbbox() is None


@pytest.mark.parametrize("separator", "\n\r\x1c\x1d\x1e\x85\u2029")
def test_what_ends_a_paragraph_is_no_letter_and_breaks_no_font(separator):
    assert not any(has_glyph(path, separator) for path in FALLBACKS)
    assert lettering._width(f"a{separator}b", ARABIC, Face.NAME, Size.NAME) >= 0


def letters_of(path, code_points):
    """The letters of a font, found without shaping, which takes ten times as long; without what cannot be drawn at all."""
    plain = ImageFont.truetype(path, Size.SMALL, layout_engine=ImageFont.Layout.BASIC)
    missing = bytes(plain.getmask(MISSING))
    for letter in map(chr, code_points):
        try:
            found = bytes(plain.getmask(letter)) != missing
        except UNDRAWABLE:
            found = True
        if found and has_glyph.__wrapped__(path, letter):
            yield letter


@pytest.mark.parametrize("every", [pytest.param(29, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize("path", [*(face.value for face in Face), *FALLBACKS], ids=lambda path: Path(path).stem)
def test_every_letter_that_a_font_has_can_be_drawn_in_every_face(path, every):
    letters = list(letters_of(path, ASSIGNED[::every]))
    assert len(letters) > 50 / every
    for face in Face:
        font = load(path, Size.HUGE, face)
        for letter in letters:
            font.getmask(letter)


def test_text_of_both_directions_is_put_in_reading_order():
    def order(text):
        return "|".join(run.text.strip() for run in lettering._laid_out(text, Face.NAME_STRONG, Size.NAME, None))

    assert order("Ann (שלום) 7") == "Ann (|שלום|) 7"
    assert order("שלום Ann 🎉") == "🎉|Ann|שלום"
    assert order("أحمد 7") == "7|أحمد"


@pytest.mark.skipif(not can_shape(), reason="needs FriBiDi (the package libfribidi0 of Debian)")
def test_letters_change_with_their_neighbours_where_the_script_asks_for_it():
    def apart(text):
        return sum(text_width(letter, Face.NAME, Size.NAME) for letter in text)

    assert text_width("محمد", Face.NAME, Size.NAME) != apart("محمد")
    assert text_width("क्षि", Face.NAME, Size.NAME) < apart("क्षि")


def test_a_sentence_is_broken_before_it_has_more_letters_than_are_drawn():
    words = "Blue rolls 6+5, splashes into the puddle on stone 11, and slides back to stone 7."
    lines = lettering.break_lines(words, Face.NAME, Size.SMALL, 10_000.0)
    assert " ".join(lines) == words
    assert [lettering._drawable_line(line, Face.NAME) for line in lines] == lines


def test_an_emoji_of_several_parts_is_never_cut_apart():
    family, width = "👩‍👩‍👧", text_width("👩‍👩‍👧" + "…", Face.NAME_STRONG, Size.NAME)
    cut = lettering._laid_out(family * 3, Face.NAME_STRONG, Size.NAME, width)
    assert "".join(run.text for run in cut) == family + "…"


def test_an_accent_stays_on_its_letter():
    assert written("Zoë")[0].tobytes() != written("Zoe")[0].tobytes()


@pytest.mark.parametrize("text", ["Ann", "Ελλάς", "Жуков", "Việt", "1", "?", "👩‍👩‍👧‍👦", "张伟"])
def test_a_name_that_a_font_has_can_be_written(text):
    assert can_write(text, Face.NAME)


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "\x00\x01", "\u0301", "\u3164", "\u2800", "\u115f", "\uffa0", "🫩"])
def test_a_name_without_readable_letters_cannot_be_written(text):
    assert not can_write(text, Face.NAME)
