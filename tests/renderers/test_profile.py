"""The pictures of the bot's own profile."""

import io
from collections.abc import Callable

import pytest
from PIL import Image

from renderers import profile, theme

LIMIT = 1 << 20  # the greatest size of a picture that the bot uploads, in bytes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "size"), [(profile.avatar, (profile.AVATAR_SIDE, profile.AVATAR_SIDE)), (profile.banner, profile.BANNER_SIZE)]
)
def test_both_are_opaque_and_always_the_same(draw: Callable[[], bytes], size: tuple[int, int]) -> None:
    file = draw()
    image = Image.open(io.BytesIO(file))
    assert (image.size, image.mode) == (size, "RGB")
    assert len(file) < LIMIT
    assert draw() == file


def colour_at(image: Image.Image, x: int, y: int) -> theme.Colour:
    red, green, blue = image.crop((x, y, x + 1, y + 1)).tobytes()
    return red, green, blue


def test_the_avatar_is_told_from_its_ground_at_the_size_of_a_list_of_members() -> None:
    """Discord shows it 32 pixels wide there: piece, plate and ground stay three colours, and the plate stands out the most."""
    small = Image.open(io.BytesIO(profile.avatar())).resize((32, 32), Image.Resampling.LANCZOS)
    piece, plate, ground = (colour_at(small, x, y) for x, y in ((11, 12), (16, 18), (3, 16)))
    assert theme.contrast(plate, ground) > 3
    assert theme.contrast(piece, plate) > 3
    assert abs(piece[0] - ground[0]) > 100, "the one is orange, the other green"


def test_the_banner_leaves_the_corner_free_that_the_avatar_covers() -> None:
    covered = Image.open(io.BytesIO(profile.banner())).crop((0, 300, 250, 480)).getcolors(1 << 16)
    assert covered is not None
    assert all(colour not in {theme.WARM.ink, theme.WARM.paper, theme.WARM.gold} for _, colour in covered)
