"""The picture of BOUNCE."""

from dataclasses import replace

import pytest
from PIL import Image

from engines.chance import Scripted
from renderers import theme
from renderers.trampoline.party import guest
from tests.renderers.pixels import change, changed, drawn, pixel
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.trampoline import GAME, tokens
from tests.renderers.scenes import after, lying

STRIP_TOP = 1000 - theme.EDGE - theme.STRIP


def board(picture: Image.Image) -> Image.Image:
    """The picture without its strip."""
    return picture.crop((0, 0, picture.width, STRIP_TOP))


def test_a_higher_spot_is_higher_in_the_picture():
    tops = []
    for spot in range(2, 10):
        alone, both = (lying(GAME, tokens((1, "up", 3), other)) for other in ((None, None, 0), (spot, "up", 1)))
        # Only the right-hand lane, without its waiting guest on the lawn.
        lane = (480, 0, 826, 780)
        tops.append(change(drawn(alone).crop(lane), drawn(both).crop(lane))[1])
    assert tops == sorted(tops, reverse=True)
    assert len(set(tops)) == len(tops)


@pytest.mark.parametrize("seat", range(4))
def test_a_guest_looks_different_after_every_jump(seat):
    looks = {guest(seat, theme.WARM, jumps, "up").tobytes() for jumps in range(15)}
    assert len(looks) == 15


def test_guests_grow_green():
    def greenness(jumps: int) -> float:
        red, green, blue, _ = pixel(guest(0, theme.WARM, jumps, "up"), (95, 100))
        return green - (red + blue) / 2

    assert greenness(14) > greenness(9) > greenness(0)


def test_up_down_waiting_landed_and_ill_look_different():
    poses = {guest(1, theme.WARM, 8, pose).tobytes() for pose in ("up", "down", "waiting", "landed", "ill")}
    assert len(poses) == 5


def test_the_dice_that_were_rolled_are_shown():
    ones, sixes = (after(GAME, tokens((2, "up", 1)), 0, ("roll",), Scripted(dice)) for dice in ((0, 0, 0), (5, 5, 5)))
    dice = (840, 300, 1000, 680)
    assert changed(drawn(ones).crop(dice), drawn(sixes).crop(dice)) is not None


def test_a_coin_is_no_die():
    at = tokens((2, "down", 14))
    coin, die = (after(GAME, at, 0, (token,), Scripted((0,))) for token in ("faceplant", "roll"))
    assert changed(drawn(coin).crop((840, 560, 1000, 680)), drawn(die).crop((840, 560, 1000, 680))) is not None


def test_who_has_left_is_no_longer_on_the_trampoline():
    position = tokens((4, "up", 3), (None, None, 3))
    position["tokens"][1]["left"] = True
    left = lying(GAME, position)
    there = lying(GAME, tokens((4, "up", 3), (6, "up", 3)))
    assert changed(board(drawn(left)), board(drawn(there))) is not None
    assert left.view.out == (1,)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_any_number_of_guests_has_room(seats):
    sample = lying(GAME, tokens(*[(9 - seat, "down", 14) for seat in range(seats)]))
    assert drawn(sample).size == (theme.WIDTH, 1000)


def test_options_are_marked_beside_the_dice_and_nowhere_else():
    sample = SAMPLES["trampoline-options"]()
    bare = replace(sample, scene=replace(sample.scene, options=()))
    marks = change(drawn(sample), drawn(bare))
    assert marks[0] > 826
    only_roll = replace(sample, scene=replace(sample.scene, options=sample.scene.options[:1]))
    assert changed(drawn(sample), drawn(only_roll)) is not None
