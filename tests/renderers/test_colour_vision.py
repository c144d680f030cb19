"""The measure of colours: CIELAB, CIEDE2000, and the sight of colour-blind people."""

import math

import pytest

from tests.renderers.colour_vision import SIGHTS, chroma, ciede2000, difference, hue, lab

# The pairs that Sharma, Wu and Dalal (2005) published for tests of implementations, with their differences.
PAIRS = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425), ((50.0, 3.1571, -77.2803), (50.0, 0.0, -82.7485), 2.8615),
    ((50.0, 2.8361, -74.0200), (50.0, 0.0, -82.7485), 3.4412), ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, -1.1848, -84.8006), (50.0, 0.0, -82.7485), 1.0000), ((50.0, -0.9009, -85.5211), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669), ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0009), 7.1792), ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0010), 7.1792),
    ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195), ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0012), 7.2195),
    ((50.0, -0.0010, 2.4900), (50.0, 0.0009, -2.4900), 4.8045), ((50.0, -0.0010, 2.4900), (50.0, 0.0010, -2.4900), 4.8045),
    ((50.0, -0.0010, 2.4900), (50.0, 0.0011, -2.4900), 4.7461), ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492), ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
    ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030), ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
    ((50.0, 2.5, 0.0), (50.0, 3.1736, 0.5854), 1.0000), ((50.0, 2.5, 0.0), (50.0, 3.2972, 0.0), 1.0000),
    ((50.0, 2.5, 0.0), (50.0, 1.8634, 0.5757), 1.0000), ((50.0, 2.5, 0.0), (50.0, 3.2592, 0.3350), 1.0000),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((61.2901, 3.7196, -5.3901), (61.4292, 2.2480, -4.9620), 1.8731),
    ((35.0831, -44.1164, 3.7933), (35.0232, -40.0716, 1.5901), 1.8645),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((36.4612, 47.8580, 18.3852), (36.2715, 50.5065, 21.2231), 1.4146),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "published"), PAIRS)
def test_a_difference_is_as_published_whichever_colour_comes_first(one, other, published):
    assert ciede2000(one, other) == pytest.approx(published, abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(published, abs=5e-5)


def test_the_primaries_are_where_cielab_has_them():
    assert lab((255, 255, 255)) == pytest.approx((100, 0, 0), abs=1e-3)
    assert lab((0, 0, 0)) == pytest.approx((0, 0, 0), abs=1e-9)
    for colour, there in {
        (255, 0, 0): (53.241, 80.092, 67.203), (0, 255, 0): (87.735, -86.183, 83.179), (0, 0, 255): (32.297, 79.188, -107.860),
    }.items():  # fmt: skip
        assert lab(colour) == pytest.approx(there, abs=0.01)


def test_a_hue_is_an_angle_and_grey_has_no_chroma():
    assert hue((255, 0, 0)) == pytest.approx(40.0, abs=0.01)
    assert hue((0, 0, 255)) == pytest.approx(306.3, abs=0.05)
    assert chroma((128, 128, 128)) == pytest.approx(0, abs=1e-3)
    assert chroma((255, 0, 0)) == pytest.approx(math.hypot(80.092, 67.203), abs=0.01)


@pytest.mark.parametrize("sight", SIGHTS)
def test_grey_is_grey_to_everybody(sight):
    for value in (0, 60, 128, 255):
        assert difference((value, value, value), (value, value, value), sight) == 0
        assert lab((value, value, value), sight) == pytest.approx(lab((value, value, value)), abs=0.01)


@pytest.mark.parametrize(
    ("sight", "one", "other"),
    [("protan", (186, 60, 0), (95, 88, 0)), ("deutan", (200, 90, 0), (125, 116, 0)), ("tritan", (0, 150, 170), (60, 148, 148))],
)
def test_some_distant_colours_look_alike_to_colour_blind_people(sight, one, other):
    assert difference(one, other) > 3 * difference(one, other, sight)
