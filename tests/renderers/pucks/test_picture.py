"""The picture of Puck Bumpers as a whole: who may see what of it, and whatever a game comes to."""

from dataclasses import replace

import pytest

from engines.chance import Fair
from engines.game import open_view
from renderers import RENDERERS, draw, theme
from renderers.poster import small_board
from renderers.pucks.picture import compose
from renderers.scene import Scene
from tests.renderers.pixels import changed, drawn
from tests.renderers.pucks.drawing import pictured, walk
from tests.renderers.samples.pucks import GAME, SCRUM, rink
from tests.renderers.scenes import NAMES, in_scene, lying

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_the_hands_of_others_and_the_draw_pile_change_nothing_in_the_picture(seat):
    state = GAME.from_position(SCRUM)
    pictures = set()
    for number in range(4):
        other = GAME.resample(state, seat, Fair(bytes([number]) * 32))
        assert number == 0 or other.hands != state.hands
        pictures.add(draw(GAME.id, GAME.view(other, seat), Scene(names=NAMES)))
    assert len(pictures) == 1


def test_a_hand_is_shown_to_its_player_and_to_nobody_else():
    everybody, own = lying(GAME, SCRUM), lying(GAME, SCRUM, 0)
    assert drawn(own).tobytes() != drawn(everybody).tobytes()
    assert changed(drawn(own), drawn(replace(own, view=replace(own.view, hand=own.view.hand[1:])))) is not None


def test_all_hands_are_shown_when_nothing_is_hidden_any_more():
    shown = open_view(GAME, GAME.from_position(SCRUM))
    assert shown.hands is not None
    assert changed(pictured(shown), pictured(replace(shown, hands=(*shown.hands[:3], ("twist",))))) is not None


def test_the_picture_is_not_turned_for_any_seat():
    sample = lying(GAME, SCRUM)
    assert changed(drawn(sample), drawn(in_scene(sample, seen_from=1))) is None


@pytest.mark.parametrize(("seats", "variant"), [(2, "standard"), (4, "standard"), (6, "standard"), (3, "old-school")])
def test_a_game_can_be_drawn_wherever_it_goes(seats, variant):
    for number, (state, events) in enumerate(walk(seats, variant, seats, 150)):
        if number % 12:
            continue
        seat = (GAME.to_act(state) or (0,))[0]
        for reader, options in ((None, ()), (seat, tuple(GAME.choices(state, seat)))):
            known = tuple(event for event in events if event.known_to(reader))
            picture = pictured(GAME.view(state, reader), events=known, options=options)
            assert picture.width == theme.WIDTH
            assert picture.height <= theme.TALLEST


def test_an_empty_board_can_be_drawn():
    assert drawn(lying(GAME, rink({"red": "", "blue": ""}))).width == theme.WIDTH


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_mats_fill_the_width_and_everything_else_is_below_them(seats):
    layout = compose(GAME.view(GAME.start(seats, setup="random")), Scene(names=NAMES[:seats])).layout()
    across = 3 if seats < 4 else 4
    assert theme.WIDTH - across * layout.rink.mat < 40
    assert layout.panel is not None
    assert layout.panel[1] >= layout.rink.area[3]


def test_a_small_board_shows_the_rink_alone():
    sample = lying(GAME, SCRUM)
    other = replace(sample.view, to_move=1, action_rule=5, draw_pile=3)
    assert changed(drawn(sample), drawn(replace(sample, view=other))) is not None
    one, two = (small_board(RENDERERS[GAME.id], view, sample.scene, 600, 372) for view in (sample.view, other))
    assert changed(one, two) is None
    assert one.width > 360, "nothing is left of what is below the rink"
