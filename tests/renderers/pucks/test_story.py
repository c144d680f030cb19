"""What just happened in Puck Bumpers."""

import itertools
import math
from dataclasses import replace

import pytest
from PIL import Image

from engines.chance import Fair
from engines.game import Event
from engines.pucks.board.views import Moved, PiecesPlaced, Undone
from renderers import theme
from renderers.canvas import Point
from renderers.pucks.picture import compose, strip_height
from renderers.pucks.steps import numbers_of, story_of
from renderers.pucks.story import step_number
from renderers.scene import Scene
from tests.renderers.pixels import change, changed, counted, drawn, within
from tests.renderers.pucks.drawing import SEATS, pictured, walk
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.pucks import GAME, LONG_TURN, SCRUM, WHISTLED, played, rink, story
from tests.renderers.scenes import NAMES, Sample, after, in_scene


def has_number(sample: Sample, number: int, *, struck: bool = False) -> bool:
    """Whether an action's number is anywhere in a picture: its middle, which nothing covers, is looked for."""
    picture, space = drawn(sample), compose(sample.view, sample.scene).layout().rink.space
    for side in {32, 40, min(46, max(32, space)), min(36, max(32, space))}:
        for faint, seat in itertools.product((False, True), range(6)):
            sprite = step_number(number, seat, theme.WARM, side, struck=struck, faint=faint).convert("RGB")
            x, y = sprite.width // 2, sprite.height // 2
            if _found(picture, sprite.crop((x - 7, y - 9, x + 8, y + 9))):
                return True
    return False


def _found(picture: Image.Image, part: Image.Image) -> bool:
    row = part.crop((0, part.height // 2, part.width, part.height // 2 + 1)).tobytes()
    whole, stride = picture.tobytes(), picture.width * 3
    at = whole.find(row)
    while at >= 0:
        y, x = divmod(at, stride)
        corner = (x // 3, y - part.height // 2)
        if x % 3 == 0 and picture.crop((*corner, corner[0] + part.width, corner[1] + part.height)).tobytes() == part.tobytes():
            return True
        at = whole.find(row, at + 1)
    return False


def around(at: Point, reach: float = 30) -> tuple[int, int, int, int]:
    return round(at[0] - reach), round(at[1] - reach), round(at[0] + reach), round(at[1] + reach)


def test_the_number_of_a_step_has_its_seats_colour():
    for faint in (False, True):
        own, other = (step_number(3, seat, theme.WARM, 40, faint=faint) for seat in (0, 1))
        assert own.tobytes() != other.tobytes()
        struck = [step_number(3, seat, theme.WARM, 40, faint=faint, struck=True) for seat in (0, 1)]
        assert struck[0].tobytes() == struck[1].tobytes(), "an undone one is grey"


@pytest.mark.parametrize("name", ["pucks-turn", "pucks-chain", "pucks-whistled"])
def test_the_words_have_the_numbers_of_the_picture(name: str):
    sample = SAMPLES[name]()
    told = story_of(sample.scene.events, sample.view.mats)
    numbers = numbers_of(sample.scene.events)
    assert sorted(number for each in numbers for number in each) == [step.number for step in told.steps]
    for event, each in zip(sample.scene.events, numbers, strict=True):
        if isinstance(event.detail, Moved):
            (step,) = (told.steps[number - 1] for number in each)
            assert [trace.way for trace in step.traces] == list(event.detail.ways)


def test_a_chain_is_drawn_along_its_way_and_in_the_scorers_row():
    sample = SAMPLES["pucks-chain"]()
    told, quiet = drawn(sample), drawn(replace(sample, scene=Scene(names=NAMES)))
    rink = compose(sample.view, sample.scene).layout().rink
    moved = next(event.detail for event in sample.scene.events if isinstance(event.detail, Moved))
    assert [way.piece.name for way in moved.ways] == ["red p1", "blue p2", "green p3"]
    for way in moved.ways:
        box = around(rink.middle(way.points[1]))
        assert changed(told.crop(box), quiet.crop(box)) is not None
    strip = told.height - theme.EDGE - strip_height(sample.view, sample.scene)
    board, seats = (0, 0, told.width, strip), (0, strip, told.width, told.height)
    middles = [rink.middle(point) for way in moved.ways for point in way.points]
    xs, ys = [x for x, _ in middles], [y for _, y in middles]
    reach = rink.space * 1.2
    outer = (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)
    assert within(change(told.crop(board), quiet.crop(board)), outer)
    assert change(told.crop(seats), quiet.crop(seats)) is not None


def test_all_actions_of_a_turn_are_numbered_in_order():
    sample = story(*LONG_TURN)
    assert [has_number(sample, number) for number in range(1, 7)] == [True, True, True, True, True, False]


def test_only_the_last_twelve_actions_are_numbered():
    sample = story(*LONG_TURN[:1])
    moved = next(event for event in story((0, "p1 up")).scene.events if isinstance(event.detail, Moved))
    told = in_scene(sample, events=(moved,) * 14)
    assert [has_number(told, number) for number in (1, 2, 14)] == [False, False, True]


def test_the_readers_own_actions_are_drawn_however_many_answers_followed():
    view, events = played(SCRUM, (0, "p1 up"), seat=0)
    own = next(event for event in events if isinstance(event.detail, Moved))
    scene = Scene(names=NAMES, events=(own, *(replace(own, seat=1),) * 13))
    seen = {seat: drawn(Sample(GAME.id, replace(view, seat=seat), scene)) for seat in (0, 1)}
    numbered = {seat: has_number(Sample(GAME.id, replace(view, seat=seat), scene), 1) for seat in (0, 1)}
    assert numbered == {0: True, 1: False}
    assert change(seen[0], seen[1]) is not None


def test_a_single_action_has_no_number():
    assert not has_number(story((0, "p1 up")), 1)


def test_a_trail_moves_with_its_mat():
    sample = story(*LONG_TURN)
    only_moves = tuple(event for event in sample.scene.events if event.kind != "score")
    told = pictured(sample.view, events=only_moves, names=NAMES, moving=True)
    without = [event for event in only_moves if not isinstance(event.detail, Moved)]
    quiet = pictured(sample.view, events=tuple(without), names=NAMES, moving=True)
    rink = compose(sample.view, replace(sample.scene, events=only_moves, moving=True)).layout().rink
    ways = next(event.detail for event in only_moves if isinstance(event.detail, Moved)).ways
    then, now = ways[2].points[1], (ways[2].points[1][0] + 8, ways[2].points[1][1])
    assert changed(told.crop(around(rink.middle(now), 12)), quiet.crop(around(rink.middle(now), 12))) is not None
    gone = around(rink.middle(then), 12)
    assert changed(told.crop(gone), quiet.crop(gone)) is None


def test_the_last_action_is_drawn_strongest():
    one, other = story((0, "i2 left")), story((0, "i2 left"), (0, "m1 up"))
    rink = compose(one.view, one.scene).layout().rink
    way = next(event.detail for event in one.scene.events if isinstance(event.detail, Moved)).ways[0]
    box = around(rink.middle(way.points[-2]), 20)
    strong = theme.WARM.seats[0].colour
    first, second = (counted(drawn(sample).crop(box)).get(strong, 0) for sample in (one, other))
    assert first > second


@pytest.mark.slow
def test_what_was_undone_is_struck_out_and_marked_as_put_back():
    sample = story(*LONG_TURN[:4], (2, "play whistle"), position=WHISTLED)
    assert has_number(sample, 4, struck=True)
    assert [has_number(sample, number) for number in (3, 4, 5)] == [True, False, True]


def test_a_whistle_for_what_happened_before_marks_what_went_back():
    sample = SAMPLES["pucks-chain"]()
    undone = Event("undo", 1, "…", detail=Undone((sample.view.pieces[0].piece,), ()))
    told = pictured(sample.view, events=(undone,))
    rink = compose(sample.view, Scene(names=NAMES, events=(undone,))).layout().rink
    quiet = pictured(sample.view)
    box = around(rink.middle(sample.view.pieces[0].point))
    assert changed(told.crop(box), quiet.crop(box)) is not None


def test_a_whistle_shows_the_way_that_it_has_undone_even_if_that_was_told_before():
    sample = story(*LONG_TURN[:3], (2, "play whistle"), position=WHISTLED)
    alone = in_scene(sample, events=tuple(event for event in sample.scene.events if event.kind == "undo"))
    assert has_number(alone, 1, struck=True)
    assert [has_number(alone, number) for number in (2, 3)] == [True, False]


def test_cards_that_were_played_are_shown_in_order_beside_their_numbers():
    one = story((0, "play take-5"), (0, "play shift c east-of d"), (0, "m1 up"))
    cards = [event for event in one.scene.events if event.kind == "card"]
    assert len(cards) == 2
    less = in_scene(one, events=tuple(event for event in one.scene.events if event is not cards[0]))
    assert changed(drawn(one), drawn(less)) is not None
    assert has_number(one, 3)
    assert not has_number(less, 3)


def test_a_mat_that_was_moved_is_framed_and_the_way_it_took_is_drawn():
    sample = after(GAME, SCRUM, 0, ("play", "shift", "c", "east-of", "d"))
    left, top, right, bottom = change(drawn(sample), pictured(sample.view, names=NAMES))
    assert right - left > 150
    assert top < 40
    assert bottom > 200


def test_a_story_of_many_actions_needs_no_larger_picture():
    sample = story(*LONG_TURN)
    picture = pictured(sample.view, events=sample.scene.events * 5, names=NAMES)
    assert picture.width == theme.WIDTH
    assert picture.height <= drawn(sample).height


def test_pieces_placed_before_the_game_are_marked_unless_they_are_most_of_them():
    step = GAME.play(GAME.play(GAME.start(2, chance=Fair(bytes(32))), 0, ("auto",)).state, 1, ("auto",))
    view = GAME.view(step.state)
    told = Sample("pucks", view, Scene(names=NAMES, events=step.events))
    rink = compose(view, told.scene).layout().rink
    plain = drawn(replace(told, scene=Scene(names=NAMES)))
    placed = [one for event in step.events if isinstance(event.detail, PiecesPlaced) for one in event.detail.placed]
    assert len(placed) == 15
    assert changed(drawn(told), plain) is None
    few = Event("place", 1, "…", detail=PiecesPlaced(tuple(placed[-7:])))
    marked = drawn(replace(told, scene=Scene(names=NAMES, events=(few,))))
    news = {late.piece for late in placed[-7:]}
    for one in view.pieces:
        box = around(rink.middle(one.point), rink.space / 2)
        beside = any(math.dist(other.point, one.point) < 2 for other in view.pieces if other.piece in news)
        if one.piece in news or not beside:
            assert (changed(marked.crop(box), plain.crop(box)) is not None) == (one.piece in news), one.piece.name


def test_pieces_placed_before_the_game_are_not_marked_once_it_has_gone_on():
    state = GAME.start(2, chance=Fair(bytes(32)))
    told: list[Event] = []
    for seat in (0, 1):
        step = GAME.play(state, seat, ("auto",))
        state, told = step.state, [*told, *step.events]
    drawn_card = GAME.play(state, 0, ("draw",))
    piece = GAME.choices(drawn_card.state, 0)[0].token
    moved = GAME.play(drawn_card.state, 0, (piece, GAME.choices(drawn_card.state, 0, (piece,))[0].token))
    view = GAME.view(moved.state)
    quiet, marked = (pictured(view, events=(*before, *moved.events), names=NAMES) for before in ((), told))
    assert changed(quiet, marked) is None


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (6, 4), (6, 5)])
def test_no_sign_covers_a_piece(seats, seed):
    told: list[Event] = []
    for number, (state, events) in enumerate(walk(seats, "standard", seed, 90)):
        told += [event for event in events if event.known_to(None)]
        if number % 9:
            continue
        view = GAME.view(state)
        page = compose(view, Scene(names=SEATS, events=tuple(told)))
        layout = page.layout()
        picture = page.table(layout)
        page.draw_rink(picture, layout)
        plain = picture.copy()
        page.draw_signs(picture, layout)
        reach = round(layout.rink.space * 0.46)
        for placed in view.pieces:
            box = around(layout.rink.middle(placed.point), reach)
            assert changed(plain.crop(box), picture.crop(box)) is None, placed
        told = told[-40:]


def test_the_turn_of_a_mat_is_told_where_it_covers_nothing():
    pieces = {"red": "m1 a6 p1 c13 p2 c14 p3 c15", "blue": "p1 c9 i1 c16"}
    sample = after(GAME, rink(pieces, hands=[["twist"], []]), 0, ("play", "twist", "c", "90"))
    page = compose(sample.view, sample.scene)
    layout = page.layout()
    plain = page.table(layout)
    page.draw_rink(plain, layout)
    told = plain.copy()
    page.draw_signs(told, layout)
    sign = change(plain, told)
    assert sign[2] - sign[0] > 60
    for placed in sample.view.pieces:
        left, top, right, bottom = around(layout.rink.middle(placed.point), layout.rink.space * 0.46)
        assert right <= sign[0] or sign[2] <= left or bottom <= sign[1] or sign[3] <= top, placed
