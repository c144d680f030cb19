"""What the engines say can be said again in another language and with the players' names."""

import doctest
import pickle

import pytest

from engines import text
from engines.text import SEAT_COLOURS, Text, join, plain, render, say, say_n, seat_name

GERMAN = {
    "{who} plays {move}.": "{who} zieht {move}.",
    "One piece is captured.": "Ein Stein ist geschlagen.",
    "{n} pieces are captured.": "{n} Steine sind geschlagen.",
    "{who} captures {n} piece with {what}.": "{who} schlägt {n} Stein mit {what}.",
    "{who} captures {n} pieces with {what}.": "Mit {what} schlägt {who} {n} Steine.",
    "a king": "einer Dame",
    "Red": "Rot",
    "Blue": "Blau",
}


def german(text: Text) -> str:
    template = text.template if text.plural is None or text.number == 1 else text.plural
    assert template is not None, "only what has a template is translated"
    return GERMAN[template]


def test_the_examples_in_the_docstrings_run():
    results = doctest.testmod(text)
    assert results.attempted >= 3
    assert results.failed == 0


@pytest.mark.parametrize(
    "words", ["", " \t\n", "\u200b\u200d\ufe0f", "\u3164", "\u2800", "\u115f", "\uffa0", "\u0301", "\ufeff\u2066", "\xad"]
)
def test_some_words_show_nothing(words):
    assert not text.is_visible(words)


@pytest.mark.parametrize("words", ["a", "…", "\u3164.", "🦊", "꧁", "ㅋ", "\U0001fae9", "က"])
def test_other_words_show_something(words):
    assert text.is_visible(words)


def test_a_text_is_an_ordinary_english_string_that_remembers_its_template_and_values():
    text = say("{who} plays {move}.", who=seat_name(0), move="c2-c3")
    assert text == "Red plays c2-c3."
    assert text.render() == "Red plays c2-c3."
    assert len(text) == 16
    text = say("{who} plays {move}.", who=seat_name(1), move="c7-c6")
    assert (text.template, text.plural, text.number, text.seat) == ("{who} plays {move}.", None, None, None)
    assert dict(text.values) == {"who": "Blue", "move": "c7-c6"}


def test_names_take_the_place_of_colours_and_are_no_templates():
    text = say("{who} plays {move}.", who=seat_name(0), move="c2-c3")
    assert text.render(name={0: "Ann", 1: "Ben"}.get) == "Ann plays c2-c3."
    assert text.render(name={1: "Ben"}.get) == "Red plays c2-c3."
    text = say("{who} plays {move}.", who=seat_name(0), move="{c2}")
    assert text.render(name={0: "{who} {0} {"}.get) == "{who} {0} { plays {c2}."


def test_a_translation_may_put_the_values_in_another_order():
    text = say_n(
        "{who} captures {n} piece with {what}.",
        "{who} captures {n} pieces with {what}.",
        3,
        who=seat_name(1),
        what=say("a king"),
    )
    assert text == "Blue captures 3 pieces with a king."
    assert text.render(german) == "Mit einer Dame schlägt Blau 3 Steine."
    assert text.render(german, {1: "Ben"}.get) == "Mit einer Dame schlägt Ben 3 Steine."


def test_a_colour_without_a_name_is_translated():
    assert seat_name(0).render(german) == "Rot"
    assert seat_name(0).render(german, {1: "Ben"}.get) == "Rot"
    assert seat_name(0).render(german, {0: "Ann"}.get) == "Ann"


@pytest.mark.parametrize(
    ("n", "english", "translated"),
    [
        (1, "One piece is captured.", "Ein Stein ist geschlagen."),
        (2, "2 pieces are captured.", "2 Steine sind geschlagen."),
        (0, "0 pieces are captured.", "0 Steine sind geschlagen."),
    ],
)
def test_the_plural_follows_the_number(n, english, translated):
    text = say_n("One piece is captured.", "{n} pieces are captured.", n)
    assert (text, text.render(), text.render(german)) == (english, english, translated)
    assert text.number == n


def test_parts_are_translated_one_by_one():
    text = join(
        [
            say("{who} plays {move}.", who=seat_name(0), move="c2xc3"),
            say_n("One piece is captured.", "{n} pieces are captured.", 1),
        ],
        " ",
    )
    assert text == "Red plays c2xc3. One piece is captured."
    assert text.render(german, {0: "Ann"}.get) == "Ann zieht c2xc3. Ein Stein ist geschlagen."


def test_parts_stand_on_lines_of_their_own_unless_told_otherwise():
    assert join(["a", "b"]) == "a\nb"
    assert join(iter(["a", "b"]), ", ") == "a, b"
    assert join([]) == ""


def test_every_seat_has_a_colour_and_plain_words_are_the_same_in_every_language():
    assert plain("c2-c3") == plain("c2-c3").render(german) == "c2-c3"
    assert plain("{c2}").render(german) == "{c2}"
    assert [seat_name(seat) for seat in range(6)] == list(SEAT_COLOURS)
    assert [seat_name(seat).seat for seat in range(6)] == list(range(6))


def test_what_is_no_text_is_given_back_as_it_is():
    assert render("Red", german) == "Red"
    assert render(7) == 7
    assert render(seat_name(0), german) == "Rot"


def test_a_placeholder_without_a_value_is_a_mistake():
    with pytest.raises(KeyError):
        say("{who} plays.")


def test_a_text_can_be_kept_like_a_string():
    text = say("{who} plays {move}.", who=seat_name(0), move="c2-c3")
    kept: dict[str, int] = {text: 1}
    assert kept["Red plays c2-c3."] == 1
    assert pickle.loads(pickle.dumps(text)).render(german) == "Rot zieht c2-c3."
