"""The picture of BOUNCE."""

from dataclasses import replace

import pytest
from PIL import Image

from engines.chance import Scripted
from renderers import theme
from renderers.trampoline.party import guest, label
from tests.renderers.pixels import change, changed, counted, drawn, pixel
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.trampoline import GAME, tokens
from tests.renderers.scenes import after, in_scene, lying

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
    assert len({guest(seat, theme.WARM, jumps, "up").tobytes() for jumps in range(15)}) == 15


def test_guests_grow_green():
    def greenness(jumps: int) -> float:
        red, green, blue, _ = pixel(guest(0, theme.WARM, jumps, "up"), (95, 100))
        return green - (red + blue) / 2

    assert greenness(14) > greenness(9) > greenness(0)


def test_up_down_waiting_landed_and_ill_look_different():
    assert len({guest(1, theme.WARM, 8, pose).tobytes() for pose in ("up", "down", "waiting", "landed", "ill")}) == 5


def test_the_dice_that_were_rolled_are_shown():
    ones, sixes = (after(GAME, tokens((2, "up", 1)), 0, ("roll",), Scripted(dice)) for dice in ((0, 0, 0), (5, 5, 5)))
    dice = (840, 300, 1000, 680)
    assert changed(drawn(ones).crop(dice), drawn(sixes).crop(dice)) is not None


def test_a_coin_is_no_die():
    at = tokens((2, "down", 14))
    coin, die = (after(GAME, at, 0, (token,), Scripted((0,))) for token in ("faceplant", "roll"))
    assert changed(drawn(coin).crop((840, 560, 1000, 680)), drawn(die).crop((840, 560, 1000, 680))) is not None


def test_a_guest_who_has_left_is_no_longer_on_the_trampoline():
    position = tokens((4, "up", 3), (None, None, 3))
    position["tokens"][1]["left"] = True
    left = lying(GAME, position)
    assert changed(board(drawn(left)), board(drawn(lying(GAME, tokens((4, "up", 3), (6, "up", 3)))))) is not None
    assert left.view.out == (1,)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_any_number_of_guests_has_room(seats):
    assert drawn(lying(GAME, tokens(*[(9 - seat, "down", 14) for seat in range(seats)]))).size == (theme.WIDTH, 1000)


def test_options_are_marked_beside_the_dice_and_nowhere_else():
    sample = SAMPLES["trampoline-options"]()
    assert change(drawn(sample), drawn(in_scene(sample, options=())))[0] > 826
    assert changed(drawn(sample), drawn(in_scene(sample, options=sample.scene.options[:1]))) is not None


NEXT = (856, 94, 1012, 240)  # the card with what is rolled next
COLUMN = (840, 270, 1012, 700)  # where the dice lie that were rolled


@pytest.mark.parametrize("zoom", [1.0, 1.2, 1.35])
def test_the_label_below_a_guest_counts_its_jumps(zoom):
    assert len({label(0, theme.WARM, f"{jumps} of 15", zoom).tobytes() for jumps in range(16)}) == 16
    assert label(0, theme.WARM, "14 of 15", zoom).width <= 177 * zoom
    four, five = (lying(GAME, tokens((6, "up", jumps))) for jumps in (4, 5))
    assert changed(board(drawn(four)), board(drawn(five))) is not None


def test_the_words_below_a_guest_are_translated():
    sample = lying(GAME, tokens((6, "up", 4)))
    other = in_scene(sample, translate=lambda text: str(text).replace("of", "von"))
    lane = (300, 280, 640, 560)
    assert changed(drawn(sample).crop(lane), drawn(other).crop(lane)) is not None


def test_winning_rolls_are_drawn_or_else_the_way_to_go():
    assert len({drawn(lying(GAME, tokens((spot, "down", 3)))).crop(NEXT).tobytes() for spot in (9, 8, 7, 6, 5, 4)}) == 6
    far, near = (lying(GAME, tokens((spot, "up", 12))) for spot in (2, 3))
    assert (far.view.wins, far.view.away, near.view.away) == ((), 16, 15)
    assert changed(drawn(far).crop(NEXT), drawn(near).crop(NEXT)) is not None
    gold = theme.WARM.gold
    assert gold in counted(drawn(lying(GAME, tokens((9, "down", 3)))).crop(NEXT))
    assert gold not in counted(drawn(far).crop(NEXT))


def test_when_the_game_is_over_nothing_is_rolled_next():
    landed = after(GAME, tokens((4, "down", 12), (5, "up", 3)), 0, ("roll",), Scripted((2,)))
    assert landed.view.outcome is not None
    assert theme.WARM.paper not in counted(drawn(landed).crop((880, 150, 1000, 200)))


def test_spot_1_is_at_the_mat_and_its_guest_stands_on_it():
    picture = drawn(lying(GAME, tokens((5, "up", 3))))
    mat = 742
    assert counted(picture.crop((30, mat - 24, 82, mat + 24)))[theme.WARM.gold] > 400
    bottom = change(drawn(lying(GAME, tokens((1, "up", 3), (5, "up", 3)))).crop((118, 0, 470, 912)),
                    drawn(lying(GAME, tokens((9, "up", 3), (5, "up", 3)))).crop((118, 0, 470, 912)))[3]  # fmt: skip
    assert mat <= bottom <= mat + 70


def test_the_turns_of_a_whole_round_are_numbered_in_their_lanes_and_beside_their_dice():
    sample = SAMPLES["trampoline-round"]()
    rolls = [event for event in sample.scene.events if event.kind == "roll"]
    assert [event.seat for event in rolls] == [0, 1, 2, 3]
    whole = drawn(sample)
    for seat, left_out in enumerate(rolls):
        picture = drawn(in_scene(sample, events=tuple(e for e in sample.scene.events if e is not left_out)))
        lane = (118 + 177 * seat, 100, 118 + 177 * (seat + 1), 912)
        assert changed(whole.crop(lane), picture.crop(lane)) is not None
        assert changed(whole.crop(COLUMN), picture.crop(COLUMN)) is not None


def test_a_single_turn_needs_no_number():
    sample = SAMPLES["trampoline-round"]()
    rolls = [event for event in sample.scene.events if event.kind == "roll"]
    alone = drawn(in_scene(sample, events=(rolls[3],)))
    last = drawn(in_scene(sample, events=(rolls[0], rolls[3])))
    lane = (118 + 177 * 3 - 12, 100, 840, 912)
    assert changed(alone.crop(lane), last.crop(lane)) is not None
    at = (118 + 177 * 3.5 - 62, 487 - 8)
    assert pixel(last.convert("RGBA"), (round(at[0]) - 14, round(at[1]) + 10))[:3] == theme.WARM.paper
    assert pixel(alone.convert("RGBA"), (round(at[0]) - 14, round(at[1]) + 10))[:3] != theme.WARM.paper


def test_a_guest_sick_in_mid_round_is_on_the_lawn_and_its_trail_shows_the_way_there():
    sample = SAMPLES["trampoline-sick-round"]()
    assert sample.view.out == (0,)
    quiet = in_scene(sample, events=())
    lane = (118, 500, 350, 740)
    assert changed(drawn(sample).crop(lane), drawn(quiet).crop(lane)) is not None


def test_only_the_newest_turns_that_have_room_show_their_dice():
    sample = SAMPLES["trampoline-round"]()
    more = in_scene(sample, events=(*sample.scene.events, *sample.scene.events))
    below = (846, 712, 1006, 800)
    assert changed(drawn(sample).crop(below), drawn(more).crop(below)) is None
    assert changed(drawn(sample).crop(COLUMN), drawn(more).crop(COLUMN)) is not None


def test_without_counts_of_jumps_there_are_no_labels_and_without_odds_no_words_beside_the_dice():
    sample = lying(GAME, tokens((2, "down", 6), (7, "up", 3)))
    uncounted = replace(sample, view=replace(sample.view, scores=()))
    odds = (860, 98, 1004, 236)
    silent = replace(uncounted, view=replace(uncounted.view, wins=(), away=0))
    assert changed(board(drawn(sample)), board(drawn(uncounted))) is not None
    assert changed(drawn(sample).crop(odds), drawn(uncounted).crop(odds)) is None
    assert changed(drawn(uncounted).crop(odds), drawn(silent).crop(odds)) is not None
