"""Colours that can be read and told apart."""

from itertools import combinations

import pytest

from renderers import RENDERERS, theme

PALETTES = {"warm": theme.WARM, "high-contrast": theme.HIGH_CONTRAST}
# By WCAG 2.2: text 4.5 (level AA) or 7 (level AAA) to 1, large text and signs 3 or 4.5 to 1.
TEXT = {"warm": 4.5, "high-contrast": 7.0}
SIGNS = {"warm": 3.0, "high-contrast": 4.5}


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
def test_marks_have_contrast_with_their_colour(name):
    for look in PALETTES[name].seats:
        assert theme.contrast(look.on_colour, look.colour) >= SIGNS[name], look.mark


@pytest.mark.parametrize("name", PALETTES)
def test_every_seat_has_a_mark_and_a_colour_of_its_own(name):
    seats = PALETTES[name].seats
    assert len(seats) == 6
    assert len({look.mark for look in seats}) == 6
    for one, other in combinations(seats, 2):
        assert sum(abs(a - b) for a, b in zip(one.colour, other.colour, strict=True)) > 80


def test_the_seats_colours_are_those_of_okabe_and_ito():
    codes = ("#d55e00", "#0072b2", "#009e73", "#f0e442", "#cc79a7", "#e69f00")
    assert tuple(look.colour for look in theme.WARM.seats) == tuple(map(theme.hex_colour, codes))


def test_nothing_is_pure_black_or_pure_white():
    for palette in PALETTES.values():
        for game_id, renderer in RENDERERS.items():
            assert not {(0, 0, 0), (255, 255, 255)} & set(renderer.anchors(palette)), game_id


def test_contrast_is_what_the_guidelines_say():
    assert theme.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert theme.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.478, abs=0.001)


def test_the_type_scale_begins_at_22_pixels():
    assert min(theme.Size) == 22
