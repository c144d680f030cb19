"""The picture of a hand alone."""

from dataclasses import replace as changed_scene

import pytest

from bot.i18n.language import languages
from engines.pucks.board.box import box
from engines.pucks.board.deck import CardId, card
from engines.values import replace
from renderers.lettering import text_width
from renderers.pucks.cards import in_short
from renderers.pucks.hand import draw, grid_of, room_for_words, words_on
from renderers.theme import MAX_HEIGHT, WIDTH, Face, Size
from tests.renderers.pixels import change, within
from tests.renderers.samples.pucks import SAMPLES

KINDS = sorted(set(box().deck))
SAMPLE = SAMPLES.named["hand-alone"]()


def held(*cards: CardId, options: bool = False):
    """The picture of a hand of these cards."""
    scene = SAMPLE.scene if options else changed_scene(SAMPLE.scene, options=())
    return draw(replace(SAMPLE.view, hand=cards), scene)


@pytest.mark.parametrize("code", sorted(languages()))
@pytest.mark.parametrize("count", [1, 5, 6, 7, 8, 10, 12, 20, len(KINDS)])
def test_all_words_are_on_their_cards_uncut_and_tell_the_whole_effect_of_up_to_ten_kinds(code, count):
    language = languages()[code]
    _, width, height = grid_of(count)
    for card_id in KINDS:
        title, lines, (large, small) = words_on(card_id, language, width, height)
        assert title == language(card(card_id).title)
        effect, short = language(card(card_id).effect), language(in_short(card_id))
        assert " ".join(lines) in ({effect} if count <= 10 else {effect, short})
        assert text_width(title, Face.LABEL, large) <= room_for_words(width, height)
        assert all(text_width(line, Face.NAME, small) <= room_for_words(width, height) for line in lines)
        assert large + small * len(lines) < height


def test_words_on_up_to_six_kinds_are_larger_than_in_a_hand_beside_a_board():
    for card_id in KINDS:
        _, _, sizes = words_on(card_id, str, *grid_of(6)[1:])
        assert sizes >= (Size.HEADING, Size.NAME)


@pytest.mark.parametrize("count", range(len(KINDS) + 1))
def test_a_hand_of_any_size_has_the_usual_width_and_is_not_too_high(count):
    picture = held(*KINDS[:count])
    assert picture.width == WIDTH
    assert picture.height <= MAX_HEIGHT


def test_cards_that_can_be_played_are_framed_and_equal_ones_are_counted():
    plain = held("shift", "whistle", "shift")
    assert plain.size == held("shift", "whistle").size
    first = (0, 0, WIDTH, plain.height // 2)
    assert within(change(plain, held("shift", "whistle")), first)
    options = {option.token for option in SAMPLE.scene.options}
    assert "shift" in options
    assert "whistle" not in options
    assert within(change(plain, held("shift", "whistle", "shift", options=True)), first)
