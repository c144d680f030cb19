"""Each game has one palette per look for all of its pictures."""

import pytest

from engines import GAMES
from renderers import RENDERERS, png, theme
from tests.renderers.shades import amiss, broad, cards

PALETTES = {"warm": theme.WARM, "high-contrast": theme.HIGH_CONTRAST}
WITH_SHADES = [game_id for game_id, renderer in RENDERERS.items() if renderer.shades is not None]
AT_MOST = 232
"""What a palette has room for beside the rim."""


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("look", PALETTES)
def test_the_shades_of_a_game_suit_all_its_pictures(game_id, look):
    # Else: python -m tests.renderers.shades --write GAME
    for card in cards(game_id, PALETTES[look]):
        off, far_off = amiss(card, RENDERERS[game_id].encode(card, PALETTES[look]))
        assert off < 0.05  # colours searched in each picture alone left up to 0.065 and 0.013
        assert far_off < 0.002


@pytest.mark.slow
@pytest.mark.parametrize("game_id", WITH_SHADES)
@pytest.mark.parametrize("look", PALETTES)
def test_large_areas_have_exactly_the_colour_in_which_they_were_drawn(game_id, look):
    renderer, palette = RENDERERS[game_id], PALETTES[look]
    assert renderer.shades is not None
    exact = {*renderer.anchors(palette), *renderer.shades(palette)}
    for card in cards(game_id, palette):
        assert len(broad(card)) > 1
        assert broad(card) <= exact


@pytest.mark.parametrize("game_id", WITH_SHADES)
@pytest.mark.parametrize("look", PALETTES)
def test_a_palette_has_room_for_the_shades_of_a_game(game_id, look):
    renderer, palette = RENDERERS[game_id], PALETTES[look]
    assert renderer.shades is not None
    shades = renderer.shades(palette)
    anchors = renderer.anchors(palette)
    assert len({*anchors, *shades}) == len({*anchors}) + len(shades) <= AT_MOST


@pytest.mark.slow
def test_the_shades_of_one_look_do_not_suit_the_other():
    card = cards("bouncers", theme.WARM)[0]
    off, _ = amiss(card, RENDERERS["bouncers"].encode(card, theme.HIGH_CONTRAST))
    assert off > 0.2


def test_a_game_without_shades_has_them_chosen_from_each_picture():
    card = cards("bouncers", theme.WARM)[1]
    anchors = RENDERERS["bouncers"].anchors(theme.WARM)
    colours = png.choose_colours(card, anchors)
    assert set(anchors) < set(colours)
    off, far_off = amiss(card, png.encode(card, theme.WARM.edge, colours))
    assert off < 0.08
    assert far_off < 0.02
