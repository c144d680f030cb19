"""The cards of Puck Bumpers, and hands of them."""

import pytest
from PIL import Image

from bot.i18n.language import Language, languages
from engines.pucks.board.box import box
from engines.pucks.board.deck import CardKind, card
from renderers import theme
from renderers.lettering import text_width
from renderers.pucks.cards import (
    CARD_WIDTH,
    ROOM,
    SLIM_CARD,
    colour_of,
    draw_hand,
    face,
    hand_columns,
    icon_side,
    in_short,
    lines_on,
    rows_height,
)
from renderers.pucks.picture import compose
from renderers.scene import Scene
from renderers.sliced_sprite import SlicedSprite
from tests.renderers.pixels import within
from tests.renderers.pucks.drawing import SEATS, pictured, with_hand


@pytest.mark.slow
def test_every_card_looks_different_in_every_size():
    cards = sorted(set(box().deck))
    for width, height in ((320, 100), (CARD_WIDTH, 84), (CARD_WIDTH, 60), (CARD_WIDTH, 44), (SLIM_CARD, 84), (SLIM_CARD, 44)):
        assert len({laid(face(one, str, theme.WARM, width, height)) for one in cards}) == len(cards)


def laid(drawn: SlicedSprite) -> bytes:
    """A card on a table."""
    image = Image.new("RGB", drawn.size)
    drawn.lay(image, (0, 0))
    return image.tobytes()


def told(card_id: str, translate: Language, width: int, height: int) -> str:
    """All text on a card of a hand."""
    lines = lines_on(card_id, translate, theme.WARM, width - icon_side(width, height) - 28, height - 10)
    return " ".join(line for line, *_ in lines).replace("\u00a0", " ").replace("- ", "-")


@pytest.mark.parametrize("code", sorted(languages()))
@pytest.mark.parametrize(("seats", "limit"), [(2, 7), (4, 5), (6, 5)])
def test_a_whole_hand_tells_titles_and_effects_uncut_in_every_language(code, seats, limit):
    language = languages()[code]
    cards = sorted(set(box().deck), key=lambda one: -len(language(card(one).title)))
    for start in range(0, len(cards) - limit, 3):
        view = with_hand(*cards[start : start + limit], seats=seats)
        page = compose(view, Scene(names=SEATS, translate=language))
        layout = page.layout()
        found = page.draw_panel(Image.new("RGB", (theme.WIDTH, theme.TALLEST)), layout)
        assert layout.card_width == CARD_WIDTH
        for one in view.hand:
            _, width, height = found[one]
            title, effect = language(card(one).title), language(in_short(one))
            assert told(one, language, width, height) == f"{title} {effect}"
            assert_all_fits(one, language, width, height)


def assert_all_fits(card_id: str, translate: Language, width: int, height: int) -> None:
    """No line of a card is cut, and all of them are on it."""
    room = width - icon_side(width, height) - 20
    lines = lines_on(card_id, translate, theme.WARM, room - 8, height - 10)
    assert all(text_width(line, typeface, size) <= room for line, typeface, size, _ in lines)
    assert sum(size for _, _, size, _ in lines) < height


def test_the_kinds_of_cards_have_their_own_colours():
    for palette in (theme.WARM, theme.HIGH_CONTRAST):
        assert len({colour_of(one, palette) for one in box().deck}) == len(CardKind)
        for one in box().deck:
            assert theme.contrast(colour_of(one, palette), palette.paper) > 2.5, card(one).title


@pytest.mark.parametrize("count", [1, 5, 7, 8, 12, 19, 26])
@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("least", [CARD_WIDTH, SLIM_CARD])
def test_a_hand_of_any_size_lies_within_its_place(count, beside, least):
    cards = sorted(set(box().deck))[:count]
    image = Image.new("RGB", (1024, 1024))
    width = hand_columns(count) * (least + 10) - 10 if beside else 980
    height = 640 if beside else rows_height(count, width, least)
    found = draw_hand(image, (20, 100, 20 + width, 100 + height), [*cards, cards[0]], str, theme.WARM, least)
    assert sorted(found) == cards
    for (x, y), wide, high in found.values():
        assert within((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2), (20, 100, 20 + width, 100 + height))
    assert len({middle for middle, _, _ in found.values()}) == count


def test_equal_cards_are_shown_once_with_their_number():
    assert len({pictured(with_hand(*["shift"] * count)).tobytes() for count in (1, 2, 3)}) == 3


@pytest.mark.parametrize(("width", "height"), [(CARD_WIDTH, 84), (CARD_WIDTH, 44), (SLIM_CARD, 84), (SLIM_CARD, 44)])
def test_the_number_of_equal_cards_stands_after_the_title_and_leaves_the_icon_free(width, height):
    icon = (0, 0, ROOM + 5 + icon_side(width, height), height + 2 * ROOM)
    for one in sorted(set(box().deck)):
        alone, two = (face(one, str, theme.WARM, width, height, number) for number in (1, 2))
        pictures = [Image.frombytes("RGB", drawn.size, laid(drawn)) for drawn in (alone, two)]
        assert pictures[0].crop(icon).tobytes() == pictures[1].crop(icon).tobytes()
        told = lines_on(one, str, theme.WARM, width - icon_side(width, height) - 28, height - 10, 2)
        assert "×2" in " ".join(line for line, *_ in told)
