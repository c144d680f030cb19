"""Every registered game can be drawn, in whatever state it is, and no picture tells what its reader may not know."""

import random
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

import renderers
from engines import GAMES
from engines.chance import Fair
from engines.game import may_act, resample
from renderers.scene import Scene
from tests.engines.contract_games import CASES, Case, Turn, every_case, every_game, played, random_action

pytestmark = pytest.mark.slow

WIDTH = 1024
HEIGHT_AT_MOST = 1312
BYTES_AT_MOST = 150_000
NAMES = ("Ann", "Ben", "Cleo", "Dot", "Eve", "Fay")
ODD_NAMES = ("", "W" * 200, "🐰🥕👩‍👩‍👧‍👦", "\u202eمرحبا", "日本語の名前です", "zero\u200bwidth\n\t\x00{c2}<&>")
OTHER_SEED = bytes(range(32, 64))
SECRET_CASES = [case for case in CASES if case.game.secret]


def draw(case: Case, state: Any, seat: int | None, **scene: Any) -> bytes:
    return renderers.draw(case.game_id, case.game.view(state, seat), Scene(**({"names": NAMES[: case.seats]} | scene)))


def opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def known(turn: Turn, seat: int | None) -> Any:
    return tuple(event for event in turn.step.events if event.known_to(seat))


NUMBERED = frozenset({"bouncers", "bunny", "pucks", "trampoline"})  # the games whose pictures number the steps of a turn


def first(game_id: str) -> Case:
    """A game as it is played by as many as it is for, in its first variant."""
    return Case(game_id, GAMES[game_id].variants[0], GAMES[game_id].seats[-1])


def test_every_game_has_a_renderer_and_every_renderer_a_game():
    assert set(renderers.RENDERERS) == set(GAMES)


@every_case
def test_the_steps_of_events_are_numbered_on_from_one_to_the_next(case):
    events = [event for turn in played(case).turns[:40] for event in known(turn, 0)]
    numbers = renderers.RENDERERS[case.game_id].numbers(events)
    assert len(numbers) == len(events)
    found = [number for each in numbers for number in each]
    assert found or case.game_id not in NUMBERED, "there are steps"
    assert sorted(found) == list(range(1, len(found) + 1))


@every_case
def test_the_beginning_and_the_end_are_pictures_that_discord_can_show(case):
    game_played = played(case)
    for turn in (game_played.turns[0], game_played.turns[-1]):
        png = draw(case, turn.step.state, None, events=known(turn, None))
        picture = opened(png)
        assert picture.format == "PNG"
        assert picture.width == WIDTH
        assert WIDTH // 4 <= picture.height <= HEIGHT_AT_MOST
        assert len(png) <= BYTES_AT_MOST


@every_game
def test_every_sort_of_event_can_be_drawn(game):
    drawn: set[str] = set()
    for case in (case for case in CASES if case.game_id == game.id):
        for turn in played(case).turns:
            for seat in (None, turn.seat):
                events = known(turn, seat)
                if fresh := {event.kind for event in events} - drawn:
                    opened(draw(case, turn.step.state, seat, events=events, seen_from=turn.seat))
                    drawn |= fresh
    assert drawn


@every_game
def test_the_same_view_and_scene_give_the_same_bytes(game):
    case = first(game.id)
    turn = played(case).some_turns(3)[1]
    assert len({draw(case, turn.step.state, seat, events=known(turn, seat)) for seat in (0, 0, 0)}) == 1


@every_game
def test_every_step_of_picking_an_action_can_be_drawn(game):
    case, dice = first(game.id), random.Random(game.id)
    for turn in played(case).some_turns(6):
        for seat in may_act(game, turn.before)[:2]:
            action = random_action(game, turn.before, seat, dice)
            for length in range(len(action) + 1):
                options = tuple(game.choices(turn.before, seat, action[:length]))
                opened(draw(case, turn.before, seat, prefix=action[:length], options=options, seen_from=seat))


@every_game
def test_names_of_any_kind_can_be_drawn(game):
    case = first(game.id)
    for shift in range(0, len(ODD_NAMES), case.seats):
        names = (ODD_NAMES[shift:] + ODD_NAMES[:shift])[: case.seats]
        assert opened(draw(case, case.start(), None, names=names)).width == WIDTH


@every_game
def test_a_picture_can_be_seen_from_every_seat_and_with_high_contrast(game):
    case = first(game.id)
    state = played(case).some_states(3)[1]
    for seat in range(case.seats):
        assert draw(case, state, seat, seen_from=seat, high_contrast=True) != draw(case, state, seat, seen_from=seat)


@every_game
def test_what_can_be_chosen_is_seen_in_the_picture_where_there_is_a_choice(game):
    for turn in played(first(game.id)).some_turns(6):
        options, without = tuple(game.choices(turn.before, turn.seat)), draw(first(game.id), turn.before, turn.seat)
        assert len(options) == 1 or draw(first(game.id), turn.before, turn.seat, options=options) != without


@pytest.mark.parametrize("case", SECRET_CASES, ids=str)
def test_a_picture_shows_nothing_that_its_reader_cannot_know(case):
    game, dice = case.game, random.Random(str(case))
    for number, state in enumerate(played(case).some_states(4)):
        for seat in (None, dice.randrange(case.seats)):
            other = resample(game, state, seat, Fair(OTHER_SEED, 1000 * number))
            assert draw(case, other, seat) == draw(case, state, seat)


def test_the_check_for_secrets_looks_at_every_game_that_has_them():
    assert {case.game_id for case in SECRET_CASES} == {game.id for game in GAMES.values() if game.secret}
