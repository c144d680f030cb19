"""The cards of Puck Bumpers, and hands of them."""

import pytest
from PIL import Image

from engines.pucks.box import box
from engines.pucks.deck import CardKind, card
from renderers import theme
from renderers.pucks.cards import ASIDE, HAND, colour_of, draw_hand, face, in_short
from tests.renderers.pixels import within
from tests.renderers.pucks.drawing import pictured, with_hand


def test_every_card_looks_different_in_every_size():
    cards = sorted(set(box().deck))
    for width, height in ((133, 172), (88, 134), (190, 82), (190, 40)):
        assert len({face(one, str, theme.WARM, width, height).tobytes() for one in cards}) == len(cards)
    assert all(in_short(one) for one in cards)


def test_the_kinds_of_cards_have_their_own_colours():
    for palette in (theme.WARM, theme.HIGH_CONTRAST):
        assert len({colour_of(one, palette) for one in box().deck}) == len(CardKind)
        for one in box().deck:
            assert theme.contrast(colour_of(one, palette), palette.paper) > 2.5, card(one).title


@pytest.mark.parametrize("count", [1, 5, 7, 8, 12, 19, 26])
@pytest.mark.parametrize("width", [980, ASIDE])
def test_a_hand_of_any_size_lies_within_its_place(count, width):
    cards = sorted(set(box().deck))[:count]
    image = Image.new("RGB", (1024, 1024))
    height = HAND if width != ASIDE else 900
    found = draw_hand(image, (20, 100, 20 + width, 100 + height), [*cards, cards[0]], str, theme.WARM)
    assert sorted(found) == cards
    for (x, y), wide, high in found.values():
        assert within((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2), (20, 100, 20 + width, 100 + height))
    middles = {middle for middle, _, _ in found.values()}
    assert len(middles) == count


def test_equal_cards_are_shown_once_with_their_number():
    pictures = {pictured(with_hand(*["shift"] * count)).tobytes() for count in (1, 2, 3)}
    assert len(pictures) == 3
