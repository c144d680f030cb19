"""The picture of Puck Bumpers."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from engines import GAMES
from engines.chance import Fair
from engines.game import Choice, Event
from engines.pucks.board import Mat, cells
from engines.pucks.box import box
from engines.pucks.deck import CardKind, card
from engines.pucks.pieces import all_pieces
from engines.pucks.views import MatsMoved, Moved, Undone
from renderers import RENDERERS, draw, theme
from renderers.pucks.cards import ASIDE, HAND, colour_of, draw_hand, face, in_short
from renderers.pucks.mats import mat_sprite
from renderers.pucks.picks import Meaning, pick_of, with_prefix
from renderers.pucks.pieces import piece
from renderers.scene import Scene
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.pucks import OLD_SCRUM, SCRUM, rink
from tests.renderers.scenes import NAMES, after, at, lying, picking

GAME = GAMES["pucks"]
SEATS = ("Ann", "Ben", "Cleo", "Dot", "Eve", "Fay")


def drawn(sample):
    return RENDERERS["pucks"].draw(sample.view, sample.scene).convert("RGB")


def pictured(view, **scene):
    return RENDERERS["pucks"].draw(view, Scene(**({"names": SEATS} | scene))).convert("RGB")


def changed(one, other):
    return ImageChops.difference(one, other).getbbox()


def within(inner, outer):
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def bare(sample):
    """The same without options."""
    return replace(sample, scene=replace(sample.scene, options=()))


def only(sample, token):
    """The same with one option alone."""
    options = tuple(choice for choice in sample.scene.options if choice.token == token)
    assert options, token
    return replace(sample, scene=replace(sample.scene, options=options))


def with_hand(*hand):
    """The first position of two, as a player with this hand sees it."""
    game, state = at("pucks", {**GAME.position(GAME.start(2, setup="random")), "phase": "act"})
    return replace(game.view(state, 0), hand=hand)


def shaped(seats, places, seat=None):
    """A game of so many whose mats lie on these places of the lattice."""
    view = GAME.view(GAME.start(seats, setup="random"), seat)
    mats = tuple(replace(mat, at=place) for mat, place in zip(view.mats, places, strict=True))
    points = {cell.space: cell.point for mat in mats for cell in cells(mat)}
    return replace(view, mats=mats, pieces=tuple(replace(placed, point=points[placed.space]) for placed in view.pieces))


def walk(seats, variant, seed, steps):
    """States of a random game, each with the events that led there."""
    dice = random.Random(seed)
    state = GAME.start(seats, variant, Fair(bytes([seed]) * 32), setup="random")
    for _ in range(steps):
        if GAME.outcome(state):
            return
        seat = dice.choice(GAME.may_act(state) if dice.random() < 0.15 else GAME.to_act(state))
        action = ()
        while not GAME.is_whole(state, seat, action) or (dice.random() < 0.3 and GAME.choices(state, seat, action)):
            action = (*action, dice.choice(GAME.choices(state, seat, action)).token)
        step = GAME.play(state, seat, action)
        state = step.state
        yield state, step.events


# --- who may see what ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_the_hands_of_others_and_the_draw_pile_change_nothing_in_the_picture(seat):
    game, state = at("pucks", SCRUM)
    pictures = set()
    for number in range(4):
        other = game.resample(state, seat, Fair(bytes([number]) * 32))
        assert number == 0 or other.hands != state.hands
        pictures.add(draw("pucks", game.view(other, seat), Scene(names=NAMES)))
    assert len(pictures) == 1


def test_the_own_hand_is_shown_to_its_player_and_to_nobody_else():
    everybody, own = lying("pucks", SCRUM), lying("pucks", SCRUM, 0)
    assert drawn(own).height > drawn(everybody).height
    fewer = replace(own, view=replace(own.view, hand=own.view.hand[1:]))
    assert changed(drawn(own), drawn(fewer)) is not None


def test_all_hands_are_shown_when_nothing_is_hidden_any_more():
    game, state = at("pucks", SCRUM)
    open_view = game.revealed(state)
    other = replace(open_view, hands=(*open_view.hands[:3], ("twist",)))
    assert changed(pictured(open_view), pictured(other)) is not None


# --- the board ------------------------------------------------------------------------------------------------------------


SHAPES = {
    "a snake to the east": [(i, 0) for i in range(16)],
    "a snake to the south": [(0, i) for i in range(16)],
    "two rows": [(i % 8, i // 8) for i in range(16)],
    "stairs": [((i + 1) // 2, i // 2) for i in range(16)],
    "a ring": [
        (x, y) for x in range(-2, 3) for y in range(-2, 3) if 2 in {abs(x), abs(y)}
    ],
    "far from the start": [(i % 4 - 40, i // 4 + 70) for i in range(16)],
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seat", [None, 0])
def test_a_board_of_any_shape_fits_the_picture(shape, seat):
    picture = pictured(shaped(6, SHAPES[shape], seat))
    assert picture.width == theme.WIDTH
    assert 256 <= picture.height <= theme.MAX_HEIGHT


def test_the_picture_follows_the_shape_and_not_the_place_of_the_board():
    near = shaped(6, [(i % 4, i // 4) for i in range(16)])
    far = shaped(6, SHAPES["far from the start"])
    assert changed(pictured(near), pictured(far)) is None


@pytest.mark.parametrize("shape", ["a snake to the east", "two rows", "a ring"])
def test_every_mat_shows_its_letter_whatever_its_size(shape):
    view = shaped(6, SHAPES[shape])
    view = replace(view, pieces=())
    basic = [mat for mat in view.mats if mat.kind == "basic"]
    for one, other in pairwise(basic):
        exchanged = {one.id: replace(one, at=other.at), other.id: replace(other, at=one.at)}
        mats = tuple(exchanged.get(mat.id, mat) for mat in view.mats)
        assert changed(pictured(view), pictured(replace(view, mats=mats))) is not None, (one.id, other.id)


def test_a_goal_shows_where_its_front_is():
    goal = box().kinds["goal"].face
    sprites = [mat_sprite("goal", goal, turn, theme.WARM, 192) for turn in (0, 90, 180, 270)]
    assert len({sprite.tobytes() for sprite in sprites}) == 4


def test_the_faces_of_the_mats_are_all_different():
    faces = [(kind.id, face) for kind in box().kinds.values() for face in (kind.face, kind.back)]
    different = {(kind, face.rows) for kind, face in faces}
    assert len({mat_sprite(kind, face, 0, theme.WARM, 192).tobytes() for kind, face in faces}) == len(different)


@pytest.mark.parametrize("space", [70, 48, 36, 28])
def test_every_piece_looks_different(space):
    pieces = all_pieces(6, "standard")
    assert len({piece(one, theme.WARM, space).tobytes() for one in pieces}) == len(pieces) == 48


@pytest.mark.parametrize("space", [18, 10])
def test_on_the_smallest_boards_kind_and_owner_can_still_be_told(space):
    kinds = {(one.seat, one.kind): piece(one, theme.WARM, space).tobytes() for one in all_pieces(6, "standard")}
    assert len(set(kinds.values())) == len(kinds) == 18


def test_the_pieces_of_a_player_who_has_left_lose_their_colour():
    sample = lying("pucks", SCRUM)
    left = pictured(replace(sample.view, out=(1,)), names=NAMES)
    # On d7 stands a meeple of the one who left, on a1 a puck of another.
    assert changed(left.crop((700, 70, 740, 130)), drawn(sample).crop((700, 70, 740, 130))) is not None
    assert changed(left.crop((20, 20, 80, 90)), drawn(sample).crop((20, 20, 80, 90))) is None


def test_a_goal_that_is_closed_is_barred_and_the_card_names_it():
    open_goal = lying("pucks", SCRUM)
    closed = replace(open_goal, view=replace(open_goal.view, ongoing="net-off", net_off="e"))
    other = replace(open_goal, view=replace(open_goal.view, ongoing="net-off", net_off="n"))
    left, _top, right, _bottom = changed(drawn(closed), drawn(other))
    assert left < 200
    assert right > 900


# --- cards -----------------------------------------------------------------------------------------------------------------


def test_every_card_looks_different_in_every_size():
    cards = sorted(set(box().deck))
    for width, height in ((133, 172), (88, 134), (190, 82), (190, 40)):
        assert len({face(one, str, theme.WARM, width, height).tobytes() for one in cards}) == len(cards)
    assert all(in_short(one) for one in cards)


def test_the_kinds_of_cards_have_their_own_colours():
    for palette in (theme.WARM, theme.HIGH_CONTRAST):
        assert len({colour_of(one, palette) for one in box().deck}) == len(CardKind)
        for one in box().deck:
            assert theme.contrast(colour_of(one, palette), palette.paper) > 2.5, card(one).title


@pytest.mark.parametrize("count", [1, 5, 7, 8, 12, 19, 26])
@pytest.mark.parametrize("width", [980, ASIDE])
def test_a_hand_of_any_size_lies_within_its_place(count, width):
    cards = sorted(set(box().deck))[:count]
    image = Image.new("RGB", (1024, 1024))
    height = HAND if width != ASIDE else 900
    found = draw_hand(image, (20, 100, 20 + width, 100 + height), [*cards, cards[0]], str, theme.WARM)
    assert sorted(found) == cards
    for (x, y), wide, high in found.values():
        assert within((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2), (20, 100, 20 + width, 100 + height))
    middles = {middle for middle, _, _ in found.values()}
    assert len(middles) == count


def test_equal_cards_are_shown_once_with_their_number():
    pictures = {pictured(with_hand(*["shift"] * count)).tobytes() for count in (1, 2, 3)}
    assert len(pictures) == 3


def test_cards_in_force_piles_and_actions_are_shown():
    base = lying("pucks", SCRUM).view
    variants = [
        base,
        replace(base, draw_rule=4, edge=("draw-4", "take-3", "thin-ice")),
        replace(base, action_rule=5, edge=("draw-2", "take-5", "thin-ice")),
        replace(base, ongoing="slush", edge=("draw-2", "take-3", "slush")),
        replace(base, draw_pile=14),
        replace(base, draw_pile=0),
        replace(base, discard=base.discard[:-1]),
        replace(base, discard=()),
        replace(base, taken=2),
        replace(base, allowed=12),
        replace(base, direction=-1),
        replace(base, whole=False),
        replace(base, borrowed=(2,)),
        replace(base, hand_sizes=(5, 3, 2, 4)),
        replace(base, winning=1),
    ]
    assert len({pictured(view).tobytes() for view in variants}) == len(variants)


# --- what happened -----------------------------------------------------------------------------------------------------------


def test_a_chain_is_told_along_its_way_and_in_the_row_of_who_scored():
    sample = SAMPLES["pucks-chain"]()
    left, top, right, bottom = changed(drawn(sample), drawn(replace(sample, scene=Scene(names=NAMES))))
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
    sample = after("pucks", SCRUM, 0, ("play", "shift", "c", "east-of", "d"))
    left, top, right, bottom = changed(drawn(sample), pictured(sample.view, names=NAMES))
    assert right - left > 150
    assert top < 40
    assert bottom < 250


# --- what can be chosen ---------------------------------------------------------------------------------------------------


PICKS = [
    (),
    ("p1",),
    ("play",),
    ("play", "shift"),
    ("play", "shift", "c"),
    ("play", "shift", "c", "east-of"),
    ("play", "borrow"),
]


@pytest.mark.parametrize("prefix", PICKS, ids=" ".join)
def test_every_option_is_marked(prefix):
    sample = picking("pucks", SCRUM, 0, prefix)
    tokens = [choice.token for choice in sample.scene.options]
    pictures = {token: drawn(only(sample, token)) for token in tokens}
    without = drawn(bare(sample))
    for token in tokens:
        if pictures[token].size == without.size:
            assert changed(pictures[token], without) is not None, token
    assert len({picture.tobytes() for picture in pictures.values()}) == len(tokens)


CARDS_THAT_ASK = {
    "mix": ("c", "east-of", "d", "f"),
    "twist": ("f",),
    "swap": ("a",),
    "net-off": (),
    "faceoff": ("blue", "p2", "green"),
    "review": ("green",),
    "salvage": (),
}


@pytest.mark.parametrize("card_id", CARDS_THAT_ASK)
def test_what_a_card_asks_for_is_marked_step_by_step(card_id):
    position = {**SCRUM, "hands": [[card_id], [], [], []], "draw_pile": [], "discard": ["take-2", "u-turn", "extra"]}
    named = CARDS_THAT_ASK[card_id]
    for length in range(len(named) + 1):
        sample = picking("pucks", position, 0, ("play", card_id, *named[:length]))
        pictures = {drawn(only(sample, choice.token)).tobytes() for choice in sample.scene.options}
        assert len(pictures) == len(sample.scene.options)


def test_a_word_means_a_puck_or_a_space_by_what_was_said_before():
    view = picking("pucks", SCRUM, 0).view
    assert pick_of(view, ()).meaning is Meaning.ACT
    assert pick_of(view, ("p1",)).meaning is Meaning.WAY
    assert pick_of(view, ("place",)).meaning is Meaning.WAITING
    assert pick_of(view, ("place", "p1")).meaning is Meaning.SPACE
    assert pick_of(view, ("red",)).meaning is Meaning.PIECE
    assert pick_of(view, ("play", "review", "blue")).meaning is Meaning.SPACE
    assert pick_of(view, ("play", "faceoff", "red", "p1")).meaning is Meaning.COLOUR
    assert pick_of(view, ("play", "faceoff", "red", "p1", "blue")).seat == 1
    assert [pick_of(view, ("play", "mix", "c", "east-of", "d")[:end]).meaning for end in (2, 3, 4, 5)] == [
        Meaning.MAT,
        Meaning.RELATION,
        Meaning.TARGET,
        Meaning.MAT,
    ]


@pytest.mark.parametrize(
    "action",
    [
        ("play", "shift", "c", "east-of", "d"),
        ("play", "swap", "a", "p"),
        ("play", "twist", "e", "270"),
        ("play", "mix", "c", "east-of", "d", "a", "north-of", "c", "done"),
    ],
    ids=" ".join,
)
def test_the_board_is_drawn_as_it_will_be_once_what_is_picked_is_done(action):
    position = {**SCRUM, "hands": [[action[1]], [], [], []], "draw_pile": [], "discard": []}
    game, state = at("pucks", position)
    done = game.view(game.play(state, 0, action).state, 0)
    planned = with_prefix(game.view(state, 0), action)
    assert planned.mats == done.mats
    assert planned.pieces == done.pieces


def test_a_piece_that_is_placed_stands_there_before_the_choice_is_confirmed():
    game, state = at("pucks", GAME.position(GAME.start(3)))
    planned = with_prefix(game.view(state, 0), ("place", "p1", "c3"))
    assert [(placed.piece.name, placed.space) for placed in planned.pieces] == [("red p1", "c3")]


def test_pieces_to_be_placed_and_their_spaces_are_marked():
    for seats in (2, 6):
        for prefix in ((), ("place",), ("place", "p1"), ("place", "m2")):
            sample = picking("pucks", GAME.position(GAME.start(seats)), 0, prefix)
            pictures = {drawn(only(sample, choice.token)).tobytes() for choice in sample.scene.options}
            assert len(pictures) == len(sample.scene.options)


def test_words_that_name_nothing_on_the_board_have_a_place_too():
    sample = lying("pucks", SCRUM, 0)
    for token in ("end", "pass", "draw", "discard", "whatever"):
        options = (Choice(token, token, final=True),)
        marked = replace(sample, scene=replace(sample.scene, options=options))
        assert changed(drawn(marked), drawn(sample)) is not None, token


def test_words_that_name_nothing_at_all_do_no_harm():
    sample = lying("pucks", SCRUM, 0)
    options = tuple(Choice(token, token, final=True) for token in ("zz", "q9", "up", "east-of"))
    for prefix in (*PICKS, ("place",), ("play", "twist", "zz"), ("play", "mix", "zz", "zz", "zz"), ("orange",), ("zz", "zz")):
        drawn(replace(sample, scene=replace(sample.scene, prefix=prefix, options=options)))


# --- variants and whole games ---------------------------------------------------------------------------------------------


def test_old_school_has_no_cards_and_shows_how_many_actions_are_taken():
    sample = lying("pucks", OLD_SCRUM)
    assert box().games["old-school"].cards is False
    taken = replace(sample, view=replace(sample.view, taken=1))
    left, top, right, bottom = changed(drawn(sample), drawn(taken))
    assert (right - left, bottom - top) < (40, 40)


def test_the_picture_is_not_turned_for_any_seat():
    sample = lying("pucks", SCRUM)
    turned = replace(sample, scene=replace(sample.scene, seen_from=1))
    assert changed(drawn(sample), drawn(turned)) is None


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
            assert picture.height <= theme.MAX_HEIGHT


def test_two_mats_of_one_kind_share_a_sprite():
    one, other = (Mat(letter, "basic", place, 0, box().kinds["basic"].face) for letter, place in (("a", (0, 0)), ("d", (3, 0))))
    sprites = [mat_sprite(mat.kind, mat.face, mat.turn, theme.WARM, 150) for mat in (one, other)]
    assert sprites[0] is sprites[1]


def test_a_position_can_be_drawn_with_nothing_on_it():
    empty = lying("pucks", rink({"red": "", "blue": ""}))
    assert drawn(empty).width == theme.WIDTH
