"""What happened, action by action, on the present board."""

from dataclasses import replace

from engines.chance import Fair
from engines.game import Event
from engines.pucks.board.board import cells
from engines.pucks.board.views import CardPlayed, MatsMoved, Moved
from renderers.pucks.steps import Story, story_of
from tests.renderers.pucks.drawing import walk
from tests.renderers.samples.pucks import GAME, LONG_TURN, SCRUM, played


def told(*actions: tuple[int, str], position=SCRUM) -> Story:
    """The story of these actions, as spectators know it."""
    view, events = played(position, *actions)
    return story_of(events, view.mats)


def names(story: Story) -> list[tuple[int, str | None, list[str]]]:
    return [(step.number, step.card, [trace.way.piece.name for trace in step.traces]) for step in story.steps]


def test_every_action_of_a_turn_is_a_step_with_its_number():
    assert names(told(*LONG_TURN)) == [
        (1, "take-5", []), (2, None, ["red p1", "blue p2", "green p3"]), (3, None, ["red p1"]), (4, "shift", []),
        (5, None, ["red m1"]),
    ]  # fmt: skip


def test_a_way_lies_where_its_spaces_are_after_its_mats_have_been_moved():
    before = told(*LONG_TURN[:3]).steps[1].traces[2]
    after = told(*LONG_TURN).steps[1].traces[2]
    # Green's puck went up mat c into the goal; then that mat was laid two places farther to the east.
    assert before.points == before.way.points
    assert after.points == tuple((x + 8, y) for x, y in before.points)


def test_a_way_over_a_mat_that_has_been_turned_turns_with_it():
    view, events = played(SCRUM, (0, "p1 up"))
    crossed = story_of(events, view.mats).steps[0].traces[0].points
    letter = next(mat.id for mat in view.mats if crossed[1] in {cell.point for cell in cells(mat)})
    old = next(mat for mat in view.mats if mat.id == letter)
    new = replace(old, turn=(old.turn + 90) % 360)
    mats = tuple(new if mat.id == letter else mat for mat in view.mats)
    turned = story_of((*events, Event("twist", 1, "…", detail=MatsMoved((old,), (new,)))), mats)
    spaces = {cell.point: cell.space for mat in view.mats for cell in cells(mat)}
    now = {cell.point: cell.space for mat in mats for cell in cells(mat)}
    trace = turned.steps[0].traces[0]
    assert [now[point] for point in trace.points] == [spaces[point] for point in crossed]
    assert len(trace.runs) == 2


def test_every_space_of_every_way_is_the_same_however_the_mats_move_in_a_whole_game():
    events: list[Event] = []
    spaces: list[tuple[str, ...]] = []
    mats = GAME.view(GAME.start(4, chance=Fair(bytes([28]) * 32), setup="random")).mats
    for state, happened in walk(4, "standard", 28, 120):
        at = {cell.point: cell.space for mat in mats for cell in cells(mat)}
        moves = [event.detail for event in happened if isinstance(event.detail, Moved)]
        spaces += [tuple(at[point] for point in way.points) for move in moves for way in move.ways]
        events += [event for event in happened if event.known_to(None)]
        mats = GAME.view(state).mats
    now = {cell.point: cell.space for mat in mats for cell in cells(mat)}
    traces = [trace for step in story_of(events, mats).steps for trace in step.traces]
    assert [tuple(now[point] for point in trace.points) for trace in traces] == spaces
    assert any(isinstance(event.detail, MatsMoved) for event in events)


def test_a_whistle_is_a_step_and_undoes_the_last_action_that_is_no_quick_play():
    position = {**SCRUM, "hands": [["shift", "extra"], ["whistle"], [], []], "draw_pile": [], "discard": []}
    story = told((0, "p1 up"), (0, "play shift c east-of d"), (0, "play extra"), (1, "play whistle"), position=position)
    steps = [(step.card, step.undone) for step in story.steps]
    assert steps == [(None, False), ("shift", True), ("extra", False), ("whistle", False)]
    # The mat is back, and the way over it is where it was.
    assert story.steps[0].traces[2].points == told((0, "p1 up")).steps[0].traces[2].points
    assert story.back is not None
    assert [mat.id for mat in story.back.mats] == ["c"]


def test_a_whistle_that_is_told_as_a_card_first_is_one_step():
    move = Event("move", 0, "…", detail=played(SCRUM, (0, "p1 up"))[1][0].detail)
    card = Event("card", 1, "…", detail=CardPlayed("whistle", quick=True))
    position = {**SCRUM, "hands": [[], ["whistle"], [], []], "draw_pile": [], "discard": []}
    view, events = played(position, (0, "p1 up"), (1, "play whistle"))
    story = story_of((move, card, next(event for event in events if event.kind == "undo")), view.mats)
    assert [(step.card, step.undone) for step in story.steps] == [(None, True), ("whistle", False)]


def test_what_was_scored_and_undone_is_not_scored():
    position = {**SCRUM, "hands": [["shift"], ["whistle"], [], []], "draw_pile": [], "discard": []}
    assert {piece.name for piece in told((0, "p1 up")).scored_pucks()} == {"green p3"}
    assert told((0, "p1 up"), (1, "play whistle"), position=position).scored_pucks() == set()


def test_pieces_placed_by_chance_are_marked_like_those_placed_by_hand():
    state = GAME.play(GAME.start(2, chance=Fair(bytes(32))), 0, ("auto",)).state
    step = GAME.play(state, 1, ("auto",))
    view = GAME.view(step.state)
    story = story_of(step.events, view.mats)
    earlier = {placed.piece for placed in GAME.view(state).pieces}
    assert set(story.setup) == {(placed.piece, placed.point) for placed in view.pieces if placed.piece not in earlier}
    assert story.steps == ()
