"""The picture of Bounce Bunny Bounce."""

from dataclasses import replace

import pytest
from PIL import Image

from engines.bunny import Spied, Swapped
from engines.bunny.field import SPACES
from engines.chance import Fair
from engines.game import Choice, Event, legal_actions
from renderers import draw, theme
from renderers.bunny.cards import bunny_sprite
from renderers.bunny.colours import colours_of
from renderers.bunny.picture import turned_up
from renderers.bunny.trail import number_badge, numbers_of, steps_of
from renderers.scene import Scene
from tests.renderers.pixels import Box, change, changed, drawn, within
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.bunny import GAME, PATCH
from tests.renderers.scenes import NAMES, Sample, after, in_scene, lying, picking
from tests.renderers.test_theme import PALETTES, TEXT

LEFT, TOP, ACROSS, DOWN = 88, 26, 128, 152


def box(space: str) -> Box:
    """The place of a space's card and its shadow."""
    x, y = LEFT + "abcdefg".index(space[0]) * ACROSS, TOP + (5 - int(space[1])) * DOWN
    return x - 8, y - 8, x + ACROSS + 8, y + DOWN + 8


@pytest.mark.parametrize("name", PALETTES)
def test_coordinates_have_contrast_with_the_meadow(name):
    colours = colours_of(PALETTES[name])
    assert theme.contrast(colours.on_grass, colours.grass) >= TEXT[name]


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_cards_that_lie_face_down_change_nothing_in_the_picture(seat):
    state = GAME.from_position(PATCH)
    pictures = set()
    for number in range(5):
        other = GAME.resample(state, seat, Fair(bytes([number]) * 32))
        pictures.add(draw(GAME.id, GAME.view(other, seat), Scene(names=NAMES)))
        assert number == 0 or other.field != state.field
    assert len(pictures) == 1


def test_what_a_spy_saw_is_drawn_for_its_player_alone():
    step = GAME.play(GAME.from_position({**PATCH, "phase": "spy", "bunnies": ["a1", "g1"]}), 1, ("spy", "d2"))
    pictures = {}
    for seat in (None, 0, 1):
        events = tuple(event for event in step.events if event.known_to(seat))
        pictures[seat] = drawn(Sample(GAME.id, GAME.view(step.state, seat), Scene(names=NAMES, events=events)))
    assert changed(pictures[None], pictures[0]) is None
    assert within(change(pictures[None], pictures[1]), box("d2"))


def test_the_cards_of_a_chain_are_shown_with_the_turn_and_not_afterwards():
    sample = SAMPLES["bunny-chain"]()
    quiet = in_scene(sample, events=())
    bare = drawn(lying(GAME, {**PATCH, "bunnies": [None, None], "phase": "move"}))
    for space in ("g5", "f5", "f4"):
        assert changed(drawn(sample).crop(box(space)), bare.crop(box(space))) is not None
    # g4 is left out: there the Carrot was taken.
    for space in ("g5", "f5"):
        left, top, right, bottom = box(space)
        alone = (left + 20, top + 20, right - 20, bottom - 20)
        assert changed(drawn(quiet).crop(alone), bare.crop(alone)) is None


def test_every_face_is_different():
    faces = ("left", "right", "up", "down", "stop", "spy", "swap", "bonus", "carrot", "empty", "hidden")
    sample = lying(GAME, PATCH)
    pictures = set()
    for face in faces:
        view = replace(sample.view, field=tuple((space, face) for space in SPACES), bunnies=(None, None))
        pictures.add(drawn(replace(sample, view=view)).crop(box("d3")).tobytes())
    assert len(pictures) == len(faces)


def test_what_the_seats_have_is_counted_out():
    base = lying(GAME, PATCH)
    pictures = set()
    for carrots in range(4):
        for shocks in range(4):
            view = replace(base.view, carrots=(carrots, 0), shocks=(shocks, 3))
            pictures.add(drawn(replace(base, view=view)).tobytes())
    assert len(pictures) == 16


@pytest.mark.parametrize("space", ["b1", "d3", "g5"])
def test_a_mark_on_an_option_changes_that_card_alone(space):
    sample = lying(GAME, {**PATCH, "bunnies": ["a1", "g1"]})
    marked = in_scene(sample, prefix=("spy",), options=(Choice(space, space, final=True),))
    assert within(change(drawn(sample), drawn(marked)), box(space))


@pytest.mark.parametrize(
    ("prefix", "phase", "bunnies"),
    [((), "move", ["d3", "b4"]), (("shock",), "shock", ["b4", "d3"]), ((), "shock", ["b4", "d3"])],
)
def test_a_direction_is_an_arrow_at_the_bunny_that_hops_and_marks_the_card_it_leads_to(prefix, phase, bunnies):
    sample = lying(GAME, {**PATCH, "phase": phase, "bunnies": bunnies, "to_act": 0, "turn": 0, "shocks": [1, 1]})
    bare = drawn(sample)
    for token, space in (("left", "c3"), ("right", "e3"), ("up", "d4"), ("down", "d2")):
        scene = replace(sample.scene, prefix=prefix, options=(Choice(token, token, final=True),))
        marked = drawn(replace(sample, scene=scene))
        assert within(change(bare, marked), joined(box("d3"), box(space))), token
        assert changed(bare.crop(arrow(token)), marked.crop(arrow(token))) is not None, token
        for other in {"left", "right", "up", "down"} - {token}:
            assert changed(bare.crop(inner(arrow(other))), marked.crop(inner(arrow(other)))) is None, other


def joined(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def arrow(token: str) -> Box:
    """Where the arrow of a direction is, for a Bunny on d3."""
    across, down = {"left": (-70, 0), "right": (54, -44), "up": (-24, -84), "down": (-24, 84)}[token]
    x, y = LEFT + 3.5 * ACROSS + across, TOP + 2.5 * DOWN + down
    return round(x - 25), round(y - 25), round(x + 25), round(y + 25)


def inner(around: Box) -> Box:
    """The part of an arrow that no outline of a card and no Bunny reaches."""
    return around[0] + 17, around[1] + 17, around[2] - 17, around[3] - 17


def marked_and_bare(bunnies: list[str | None], *tokens: str) -> tuple[Image.Image, Image.Image]:
    """Red may send its Bunny in these directions: with marks, and without."""
    sample = lying(GAME, {**PATCH, "phase": "move", "bunnies": bunnies, "to_act": 0, "turn": 0})
    options = tuple(Choice(token, token, final=True) for token in tokens)
    return drawn(in_scene(sample, options=options)), drawn(sample)


def test_an_arrow_to_a_bunny_is_not_behind_it():
    marked, bare = marked_and_bare(["e3", "d3"], "left")
    whole, _ = marked_and_bare(["e3", None], "left")
    x, y = LEFT + 4.5 * ACROSS - 70, TOP + 2.5 * DOWN
    beside, usual = ((round(x - 19), round(y + down - 19), round(x + 19), round(y + down + 19)) for down in (-44, 0))
    assert changed(marked.crop(beside), whole.crop(usual)) is None
    assert changed(marked.crop(beside), bare.crop(beside)) is not None


def test_an_arrow_leaves_the_number_of_its_row_free():
    marked, bare = marked_and_bare(["a3", None], "left", "right", "up", "down")
    number = (0, round(TOP + 2 * DOWN), 54, round(TOP + 3 * DOWN))
    assert changed(marked.crop(number), bare.crop(number)) is None


def test_a_name_leaves_the_sign_of_its_card_free():
    marked, bare = marked_and_bare(["d3", None], "up", "right")
    for space, (across, down) in {"d4": (0, 0), "e3": (-12, -14)}.items():
        left, top, right, bottom = box(space)
        x, y = (left + right) // 2 + across, (top + bottom) // 2 + down
        sign = (x - 20, y - 24, x + 20, y + 24)
        assert changed(marked.crop(sign), bare.crop(sign)) is None, space


def test_a_direction_round_the_edge_marks_the_card_on_the_other_side():
    sample = picking(GAME, PATCH, 1, ("shock",))
    bare = drawn(in_scene(sample, options=()))
    # Red's Bunny is on g1: left leads to f1, right round the edge to a1, up to g2, down round the edge to g5.
    for token, space in (("left", "f1"), ("right", "a1"), ("up", "g2"), ("down", "g5")):
        option = next(choice for choice in sample.scene.options if choice.token == token)
        only = drawn(in_scene(sample, options=(option,)))
        assert changed(bare.crop(box(space)), only.crop(box(space))) is not None, token
        untouched = {"f1", "a1", "g5", "g2"} - {space}
        assert all(changed(bare.crop(far(other)), only.crop(far(other))) is None for other in untouched), token


def far(space: str) -> Box:
    """The top left corner of a space's card, where no arrow of a neighbour is."""
    left, top, _, _ = box(space)
    return left + 12, top + 12, left + 50, top + 50


@pytest.mark.parametrize("card", ["stop", "spy", "swap", "bonus", "left"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_card_under_a_bunny_is_seen(card, seat):
    """The left half of a card, with its sign, and its upper edge, with its name, do not change when a Bunny sits on it."""
    sample = lying(GAME, PATCH)
    field = tuple((space, card if space == "d3" else shown) for space, shown in sample.view.field)
    bunnies = ("d3", None) if seat == 0 else (None, "d3")
    sitting = drawn(replace(sample, view=replace(sample.view, field=field, bunnies=bunnies)))
    others = [drawn(replace(sample, view=replace(sample.view, field=each, bunnies=bunnies))) for each in faces_on("d3", field)]
    left, top, right, bottom = box("d3")
    sign, name = (left + 14, top + 50, left + 66, bottom - 30), (left + 14, top + 12, right - 20, top + 46)
    assert all(changed(sitting.crop(sign), other.crop(sign)) is not None for other in others)
    if card != "left":
        assert all(changed(sitting.crop(name), other.crop(name)) is not None for other in others)


def faces_on(space: str, field: tuple[tuple[str, str], ...]) -> list[tuple[tuple[str, str], ...]]:
    """The field with each other card there."""
    faces = ("left", "right", "up", "down", "stop", "spy", "swap", "bonus")
    lying_there = dict(field)[space]
    return [tuple((at, face if at == space else shown) for at, shown in field) for face in faces if face != lying_there]


def test_a_whole_turn_is_numbered_over_everything_that_happened():
    sample = SAMPLES["bunny-turn"]()
    steps = steps_of(sample.scene.events)
    assert [(step.number, step.seat, step.space) for step in steps] == [
        (1, 1, "d4"), (2, 1, "d5"), (3, 1, "c5"), (4, 1, "c4"), (5, 1, None),
        (6, 0, "g5"), (7, 0, "f5"), (8, 0, "f4"), (9, 0, "g4"),
    ]  # fmt: skip
    for number in range(len(sample.scene.events)):
        fewer = tuple(event for index, event in enumerate(sample.scene.events) if index != number)
        if sample.scene.events[number].detail is not None:
            assert changed(drawn(sample), drawn(in_scene(sample, events=fewer))) is not None


def test_a_single_hop_has_no_number_and_a_peek_is_counted_once():
    hop = GAME.play(GAME.from_position({**PATCH, "phase": "move", "bunnies": ["g1", "d3"]}), 1, ("left",))
    (alone,) = steps_of(hop.events)
    assert (alone.space, alone.alone) == ("c3", True)
    spying = GAME.play(GAME.from_position({**PATCH, "phase": "spy", "bunnies": ["a1", "g1"]}), 1, ("spy", "d2"))
    assert len(spying.events) == 2
    (alone,) = steps_of(spying.events)
    assert alone.alone
    assert len(steps_of((*spying.events, *spying.events))) == 2


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_the_bunnies_differ_in_shape_and_so_do_the_numbers_on_their_ways(palette):
    def shape(sprite: Image.Image) -> bytes:
        return sprite.getchannel("A").point([255 * (value > 200) for value in range(256)]).tobytes()

    assert shape(bunny_sprite(0, palette)) != shape(bunny_sprite(1, palette))
    assert shape(number_badge(3, 0, palette)) != shape(number_badge(3, 1, palette))


def test_a_carrot_just_taken_bursts_in_the_tally():
    sample = SAMPLES["bunny-chain"]()
    quiet = in_scene(sample, events=())
    tally, other = (150, 840, 270, 932), (560, 840, 900, 932)
    assert changed(drawn(sample).crop(tally), drawn(quiet).crop(tally)) is not None
    assert changed(drawn(sample).crop(other), drawn(quiet).crop(other)) is None


def test_the_square_picked_for_a_swap_stays_marked_and_its_card_is_seen():
    marked = SAMPLES["bunny-swap"]()
    assert within(change(drawn(in_scene(marked, prefix=("swap",))), drawn(marked)), box("c3"))
    left, top, right, bottom = box("c3")
    face = (left + 50, top + 50, right - 50, bottom - 60)
    assert changed(drawn(in_scene(marked, prefix=(), options=())).crop(face), drawn(marked).crop(face)) is None


def test_a_column_to_enter_by_is_marked_on_its_card():
    sample = picking(GAME, {**PATCH, "bunnies": [None, "b4"], "phase": "move", "to_act": 0, "turn": 0}, 0, ("enter",))
    bare = drawn(in_scene(sample, options=()))
    for choice in sample.scene.options:
        assert within(change(bare, drawn(in_scene(sample, options=(choice,)))), box(f"{choice.token}1"))


def test_a_chain_round_the_edge_leaves_the_field_on_one_side_and_comes_back_on_the_other():
    sample = after(GAME, PATCH, 1, ("shock", "down"))
    quiet = in_scene(sample, events=())
    below = (LEFT + 6 * ACROSS, TOP + 5 * DOWN - 10, LEFT + 7 * ACROSS, TOP + 5 * DOWN + 6)
    above = (LEFT + 6 * ACROSS, TOP - 8, LEFT + 7 * ACROSS, TOP)
    for edge in (below, above):
        assert changed(drawn(sample).crop(edge), drawn(quiet).crop(edge)) is not None


def test_a_whole_game_can_be_drawn():
    state = GAME.start(2, None, Fair(b"\x07" * 32))
    for ply in range(60):
        if GAME.outcome(state):
            break
        seat = GAME.to_act(state)[0]
        actions = list(legal_actions(GAME, state, seat))
        step = GAME.play(state, seat, actions[ply * 7 % len(actions)])
        state = step.state
        events = tuple(event for event in step.events if event.known_to(None))
        picture = drawn(Sample(GAME.id, GAME.view(state), Scene(names=NAMES, events=events)))
        assert picture.size == (theme.WIDTH, theme.MAX_HEIGHT)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_option_without_a_place_is_written_like_its_button(seat):
    position = {**PATCH, "phase": "shock", "bunnies": ["b4", "d3"], "to_act": seat, "turn": seat, "shocks": [1, 1]}
    sample = lying(GAME, position)
    (save,) = (choice for choice in GAME.choices(GAME.from_position(position), seat) if choice.token == "pass")
    marked = drawn(in_scene(sample, options=(save,)))
    assert within(change(drawn(sample), marked), ((8, 900, 220, 936), (804, 900, 1016, 936))[seat])
    german = replace(sample.scene, options=(save,), translate=lambda text: text.replace("Keep it", "Aufheben"))
    assert changed(marked, drawn(replace(sample, scene=german))) is not None


def test_a_view_without_shocks_leaves_no_room_for_them():
    sample = lying(GAME, PATCH)
    untold = replace(sample, view=replace(sample.view, shocks=()))
    assert within(change(drawn(sample), drawn(untold)), (0, 790, 1024, 936))


def test_a_peek_remembered_from_before_shows_its_card_and_is_no_step_of_the_answers():
    peek = (
        Event("spy", 0, "…", detail=Spied(0, "d2", None)),
        Event("spied", 0, "…", private_to=0, detail=Spied(0, "d2", "stop")),
    )
    swap = Event("swap", 1, "…", detail=Swapped(1, "d2", "e3", None, None))
    assert [step.detail for step in steps_of((*peek, swap))] == [peek[1].detail, swap.detail]
    assert [step.detail for step in steps_of((peek[1], swap))] == [swap.detail]
    assert numbers_of((peek[1], swap)) == [range(0), range(1, 2)]
    assert turned_up((peek[1], swap)) == {"e3": "stop"}, "where it lies now"
