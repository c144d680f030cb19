"""What just happened in Puck Bumpers."""

from dataclasses import replace

from engines.game import Event
from engines.pucks.views import MatsMoved, Moved, Undone
from renderers.scene import Scene
from tests.renderers.pixels import change, changed, drawn
from tests.renderers.pucks.drawing import pictured
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import NAMES, after


def test_a_chain_is_told_along_its_way_and_in_the_row_of_who_scored():
    sample = SAMPLES["pucks-chain"]()
    left, top, right, bottom = change(drawn(sample), drawn(replace(sample, scene=Scene(names=NAMES))))
    height = drawn(sample).height
    # From the goal of mat c, along one column of spaces, to Zoë's row at the foot: nothing left of it, nothing right of it.
    assert top < 60
    assert height - 140 < bottom < height - 80
    assert left > 400
    assert right < 620


def test_slides_of_a_chain_are_numbered_and_a_lone_slide_is_not():
    sample = SAMPLES["pucks-chain"]()
    event = next(event for event in sample.scene.events if isinstance(event.detail, Moved))
    ways = event.detail.ways
    assert [way.piece.name for way in ways] == ["red p1", "blue p2", "green p3"]
    moves = [replace(event, detail=Moved(part)) for part in (ways, ways[:1])]
    one, other = (pictured(sample.view, events=(move,)) for move in moves)
    # The first slide of the chain begins on k15; its number is all that is drawn there beside the slide itself.
    lower = (0, 360, 1024, 440)
    assert changed(one.crop(lower), other.crop(lower)) is not None


def test_a_trail_is_not_drawn_on_a_board_whose_mats_have_moved_since():
    sample = SAMPLES["pucks-chain"]()
    before = sample.view.mats[7]
    shift = Event("shift", 0, "…", detail=MatsMoved((replace(before, turn=90),), (before,)))
    told = pictured(sample.view, events=(*sample.scene.events, shift))
    assert changed(told, pictured(sample.view, events=(sample.scene.events[-1], shift))) is None
    assert changed(told, pictured(sample.view, events=(shift,))) is not None


def test_after_a_whistle_only_what_went_back_is_marked():
    sample = SAMPLES["pucks-chain"]()
    undone = Event("undo", 1, "…", detail=Undone((sample.view.pieces[0].piece,), ()))
    told = pictured(sample.view, events=(*sample.scene.events, undone))
    assert changed(told, pictured(sample.view, events=(undone,))) is None
    assert changed(told, pictured(sample.view)) is not None


def test_a_mat_that_was_moved_is_framed_and_the_way_it_took_is_drawn():
    sample = after(GAME, SCRUM, 0, ("play", "shift", "c", "east-of", "d"))
    left, top, right, bottom = change(drawn(sample), pictured(sample.view, names=NAMES))
    assert right - left > 150
    assert top < 40
    assert bottom < 250
