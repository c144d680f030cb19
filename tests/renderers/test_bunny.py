"""The picture of Bounce Bunny Bounce."""

from dataclasses import replace

import pytest

from engines.bunny.field import SPACES
from engines.chance import Fair
from engines.game import Choice
from renderers import draw, theme
from renderers.bunny.colours import colours_of
from renderers.scene import Scene
from tests.renderers.pixels import Box, change, changed, drawn, within
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.bunny import GAME, PATCH
from tests.renderers.scenes import NAMES, Sample, after, lying, picking
from tests.renderers.test_theme import PALETTES, TEXT

LEFT, TOP, ACROSS, DOWN = 88, 26, 128, 152


def box(space: str) -> Box:
    """The place of a space's card, and of the shadow it casts."""
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
    state = GAME.from_position({**PATCH, "phase": "spy", "bunnies": ["a1", "g1"]})
    step = GAME.play(state, 1, ("spy", "d2"))
    pictures = {}
    for seat in (None, 0, 1):
        events = tuple(event for event in step.events if event.known_to(seat))
        pictures[seat] = drawn(Sample(GAME.id, GAME.view(step.state, seat), Scene(names=NAMES, events=events)))
    assert changed(pictures[None], pictures[0]) is None
    assert within(change(pictures[None], pictures[1]), box("d2"))


def test_the_cards_of_a_chain_are_shown_with_the_turn_and_not_afterwards():
    sample = SAMPLES["bunny-chain"]()
    quiet = replace(sample, scene=replace(sample.scene, events=()))
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
        field = tuple((space, face) for space in SPACES)
        view = replace(sample.view, field=field, bunnies=(None, None))
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
    marked = replace(sample, scene=replace(sample.scene, prefix=("spy",), options=(Choice(space, space, final=True),)))
    assert within(change(drawn(sample), drawn(marked)), box(space))


def test_a_direction_is_marked_on_the_card_it_leads_to():
    sample = picking(GAME, PATCH, 1, ("shock",))
    bare = drawn(replace(sample, scene=replace(sample.scene, options=())))
    # Red's Bunny is on g1: left leads to f1, right round the edge to a1, up to g2, down round the edge to g5.
    for token, space in (("left", "f1"), ("right", "a1"), ("up", "g2"), ("down", "g5")):
        option = next(choice for choice in sample.scene.options if choice.token == token)
        only = drawn(replace(sample, scene=replace(sample.scene, options=(option,))))
        assert within(change(bare, only), box(space)), token


def test_a_column_to_enter_by_is_marked_on_its_card():
    position = {**PATCH, "bunnies": [None, "b4"], "phase": "move", "to_act": 0, "turn": 0}
    sample = picking(GAME, position, 0, ("enter",))
    bare = drawn(replace(sample, scene=replace(sample.scene, options=())))
    for choice in sample.scene.options:
        only = drawn(replace(sample, scene=replace(sample.scene, options=(choice,))))
        assert within(change(bare, only), box(f"{choice.token}1"))


def test_a_chain_round_the_edge_leaves_the_field_on_one_side_and_comes_back_on_the_other():
    sample = after(GAME, PATCH, 1, ("shock", "down"))
    quiet = replace(sample, scene=replace(sample.scene, events=()))
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
        actions = list(GAME.legal_actions(state, seat))
        step = GAME.play(state, seat, actions[ply * 7 % len(actions)])
        state = step.state
        events = tuple(event for event in step.events if event.known_to(None))
        picture = drawn(Sample(GAME.id, GAME.view(state), Scene(names=NAMES, events=events)))
        assert picture.size == (theme.WIDTH, theme.MAX_HEIGHT)
