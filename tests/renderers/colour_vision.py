"""How different two colours look with normal and with deficient colour vision.

Differences are those of CIEDE2000: 1 is just visible when two large fields touch, and small marks with other things between
them need some 10 to be told apart at a glance.
"""

import math
from collections.abc import Mapping
from typing import Final

from renderers.theme import Colour, linear_rgb

Lab = tuple[float, float, float]
"""A colour in CIELAB, under the white point D65: lightness (0 to 100), a* (green to red) and b* (blue to yellow)."""
Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

SIGHTS: Final[Mapping[str, Matrix]] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What becomes of linear RGB without cones of one kind: the matrices of Machado, Oliveira and Fernandes (2009), severity 1."""

_XYZ: Final[Matrix] = (
    (0.4123908, 0.3575843, 0.1804808),
    (0.2126390, 0.7151687, 0.0721923),
    (0.0193308, 0.1191948, 0.9505322),
)  # from linear sRGB, IEC 61966-2-1
_WHITE: Final[Lab] = (0.9504559, 1.0, 1.0890578)  # D65: the sum of each row above


def lab(colour: Colour, sight: str = "normal") -> Lab:
    """A colour in CIELAB, as people with this sight see it."""
    seen = [min(1.0, max(0.0, value)) for value in _times(SIGHTS[sight], linear_rgb(colour))]
    x, y, z = (_root(value / white) for value, white in zip(_times(_XYZ, seen), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def hue(colour: Colour) -> float:
    """The hue angle of a colour in CIELAB, in degrees from 0 to 360."""
    _, a, b = lab(colour)
    return math.degrees(math.atan2(b, a)) % 360


def chroma(colour: Colour) -> float:
    """The chroma of a colour in CIELAB: 0 for grey."""
    _, a, b = lab(colour)
    return math.hypot(a, b)


def difference(one: Colour, other: Colour, sight: str = "normal") -> float:
    """The CIEDE2000 difference of two colours, as people with this sight see them."""
    return ciede2000(lab(one, sight), lab(other, sight))


def ciede2000(one: Lab, other: Lab) -> float:
    """The CIEDE2000 difference, by the equations of Sharma, Wu and Dalal (2005), with all weights 1."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    g = 0.5 * (1 - _saturation((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2))
    c1, c2 = math.hypot((1 + g) * a1, b1), math.hypot((1 + g) * a2, b2)
    h1, h2 = math.atan2(b1, (1 + g) * a1) % math.tau, math.atan2(b2, (1 + g) * a2) % math.tau
    turn, mean = h2 - h1, (h1 + h2) / 2
    if c1 * c2 == 0:
        turn, mean = 0.0, h1 + h2
    elif abs(turn) > math.pi:
        turn -= math.copysign(math.tau, turn)
        mean += math.pi if mean < math.pi else -math.pi
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    off = (lightness - 50) ** 2
    t = 1 - 0.17 * math.cos(mean - math.radians(30)) + 0.24 * math.cos(2 * mean)
    t += 0.32 * math.cos(3 * mean + math.radians(6)) - 0.20 * math.cos(4 * mean - math.radians(63))
    delta_l = (l2 - l1) / (1 + 0.015 * off / math.sqrt(20 + off))
    delta_c = (c2 - c1) / (1 + 0.045 * chroma)
    delta_h = 2 * math.sqrt(c1 * c2) * math.sin(turn / 2) / (1 + 0.015 * chroma * t)
    blue = math.radians(60) * math.exp(-(((math.degrees(mean) - 275) / 25) ** 2))
    rotation = -2 * _saturation(chroma) * math.sin(blue)
    return math.sqrt(delta_l**2 + delta_c**2 + delta_h**2 + rotation * delta_c * delta_h)


def _saturation(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _root(value: float) -> float:
    return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _times(matrix: Matrix, values: tuple[float, float, float] | list[float]) -> tuple[float, float, float]:
    first, second, third = (sum(part * value for part, value in zip(row, values, strict=True)) for row in matrix)
    return first, second, third
