"""The mats of Puck Bumpers."""

from dataclasses import replace

from engines.pucks.board.board import Mat
from engines.pucks.board.box import box
from engines.pucks.board.views import Phase
from renderers import theme
from renderers.pucks.mats import mat_sprite, sliced_mat
from renderers.pucks.picture import compose
from tests.renderers.pixels import change, changed, drawn
from tests.renderers.pucks.drawing import pictured
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import lying


def test_a_goal_shows_where_its_front_is():
    goal = box().kinds["goal"].face
    sprites = [mat_sprite("goal", goal, turn, theme.WARM, 192) for turn in (0, 90, 180, 270)]
    assert len({sprite.tobytes() for sprite in sprites}) == 4


def test_the_faces_of_the_mats_are_all_different():
    faces = [(kind.id, face) for kind in box().kinds.values() for face in (kind.face, kind.back)]
    different = {(kind, face.rows) for kind, face in faces}
    assert len({mat_sprite(kind, face, 0, theme.WARM, 192, starts=True).tobytes() for kind, face in faces}) == len(different)


def test_start_spaces_are_marked_only_while_pieces_are_laid_on_them():
    placing = GAME.view(GAME.start(4), 0)
    moving = replace(placing, phase=Phase.ACT)
    one, other = (pictured(view).crop((20, 20, 840, 640)) for view in (placing, moving))
    assert changed(one, other) is not None
    face = box().kinds["basic"].face
    sprites = [mat_sprite("basic", face, 0, theme.WARM, 192, starts=starts) for starts in (True, False)]
    assert changed(*(sprite.convert("RGB") for sprite in sprites)) is not None


def test_a_goal_that_is_closed_is_barred_and_the_card_names_it():
    open_goal = lying(GAME, SCRUM)
    closed = replace(open_goal, view=replace(open_goal.view, ongoing="net-off", net_off="e"))
    other = replace(open_goal, view=replace(open_goal.view, ongoing="net-off", net_off="n"))
    left, _top, _right, bottom = change(drawn(closed), drawn(other))
    rink = compose(closed.view, closed.scene).layout().rink
    assert left < rink.left + rink.mat
    assert bottom > rink.area[3], "the panel lies below the rink"


def test_two_mats_of_one_kind_share_a_sprite():
    one, other = (Mat(letter, "basic", place, 0, box().kinds["basic"].face) for letter, place in (("a", (0, 0)), ("d", (3, 0))))
    sprites = [sliced_mat(mat.kind, mat.face, mat.turn, theme.WARM, 150) for mat in (one, other)]
    assert sprites[0] is sprites[1]
