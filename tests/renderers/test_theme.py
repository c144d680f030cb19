"""Colours that can be read and told apart."""

import pytest

from renderers import RENDERERS, theme

PALETTES = {"warm": theme.WARM, "high-contrast": theme.HIGH_CONTRAST}
# By WCAG 2.2, of level AA and AAA. For the colours of the seats see test_colour_table.
TEXT = {"warm": 4.5, "high-contrast": 7.0}


def written(palette):
    """What is written on what, at sizes that are not large."""
    return {
        "strip": (palette.ink, palette.paper),
        "strip, whose turn": (palette.paper, palette.ink),
        "strip, winner": (palette.ink, palette.gold),
        "labels of options": (palette.ink, palette.gold),
    }


def test_a_palette_says_which_of_the_two_it_is():
    assert [theme.palette(high_contrast).high_contrast for high_contrast in (False, True)] == [False, True]


@pytest.mark.parametrize("game_id", RENDERERS)
def test_each_look_has_its_own_colours_of_every_game(game_id):
    warm, high = (RENDERERS[game_id].anchors(palette) for palette in PALETTES.values())
    shared = len(theme.anchors(theme.WARM))
    assert len(warm) == len(high)
    assert warm[:shared] == theme.anchors(theme.WARM)
    assert high[:shared] == theme.anchors(theme.HIGH_CONTRAST)
    assert warm[shared:] != high[shared:] or len(warm) == shared


@pytest.mark.parametrize("name", PALETTES)
def test_text_has_contrast(name):
    for where, (text, ground) in written(PALETTES[name]).items():
        assert theme.contrast(text, ground) >= TEXT[name], where


@pytest.mark.parametrize("name", PALETTES)
def test_names_of_seats_that_are_out_can_still_be_read(name):
    assert theme.contrast(PALETTES[name].muted, PALETTES[name].paper) >= 4.5


@pytest.mark.parametrize("name", PALETTES)
def test_every_seat_has_a_mark_of_its_own(name):
    assert [look.mark for look in PALETTES[name].seats] == list(theme.Mark)


def test_nothing_is_pure_black_or_pure_white():
    for palette in PALETTES.values():
        for game_id, renderer in RENDERERS.items():
            assert not {(0, 0, 0), (255, 255, 255)} & set(renderer.anchors(palette)), game_id


def test_contrast_is_what_the_guidelines_say():
    assert theme.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert theme.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.478, abs=0.001)


def test_the_type_scale_begins_at_22_pixels():
    assert min(theme.Size) == 22
