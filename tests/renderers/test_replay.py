"""Replays: every step as a frame, within the limits of a message, and still the whole game when it is too long."""

import io
import random
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence, ImageStat

from engines import GAMES
from engines.game import View, open_view
from renderers import RENDERERS, theme
from renderers.renderer import Renderer
from renderers.replay import WIDTH, Limits, Replay, Shot, replay
from renderers.scene import Scene
from tests.engines.contract_games import CASES, Case, played
from tests.renderers.pixels import counted, frames_of

pytestmark = pytest.mark.slow

SCENE = Scene(names=("Ann", "Ben", "Cleo", "Дева", "🦊", "F" * 40))
ANY = CASES[0]
"""For what is the same in every game."""


def shots_of(case: Case) -> list[Shot]:
    later = (Shot(open_view(case.game, turn.step.state), turn.step.events) for turn in played(case).turns)
    return [Shot(open_view(case.game, played(case).start)), *later]


def replayed(shots: list[Shot], case: Case = ANY, **limits: Any) -> Replay:
    return replay(case.game_id, len(shots), shots.__getitem__, SCENE, limits=Limits(**limits), clock=stopped)


def stopped() -> float:
    """A clock for machines of any speed."""
    return 0.0


def durations_of(gif: bytes) -> list[int]:
    return [frame.info["duration"] for frame in ImageSequence.Iterator(Image.open(io.BytesIO(gif)))]


def apart(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures are apart on average, 0 to 255."""
    return max(ImageStat.Stat(ImageChops.difference(one.convert("RGB"), other.convert("RGB"))).mean)


ONE_OF_EACH = [next(case for case in CASES if case.game_id == game_id) for game_id in GAMES]


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=str)
def test_each_frame_is_the_picture_of_its_step(case: Case) -> None:
    shots = shots_of(case)[:8]
    made = replayed(shots, case)
    assert made.frames == tuple(range(len(shots)))
    assert (made.steps, made.thinned) == (len(shots), False)
    frames = frames_of(made.gif)
    assert len(frames) == len(shots)
    pictures = [RENDERERS[case.game_id].draw(s.view, Scene(names=SCENE.names, events=s.events, moving=True)) for s in shots]
    small = [p.convert("RGB").resize(frames[0].size, Image.Resampling.LANCZOS) for p in pictures]
    for number, frame in enumerate(frames):
        solid = Image.composite(frame.convert("RGB"), small[number], frame.getchannel("A"))
        distances = [apart(solid, picture) for picture in small]
        assert distances[number] == min(distances)
        # The palette is smaller, and there is the bar that shows how far the game has come.
        assert distances[number] < 4


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=str)
def test_a_replay_fits_a_message_and_plays_for_ever(case: Case) -> None:
    made = replayed(shots_of(case), case, frames=40)
    assert len(made.gif) < 8_000_000
    animation = Image.open(io.BytesIO(made.gif))
    assert (animation.format, animation.info["loop"]) == ("GIF", 0)
    assert animation.size[0] == WIDTH
    assert animation.size[1] <= WIDTH * theme.TALLEST / theme.WIDTH


def test_the_same_game_gives_the_same_file() -> None:
    shots = shots_of(ANY)[:5]
    assert replayed(shots).gif == replayed(shots).gif


def test_the_beginning_and_the_end_are_held_longer() -> None:
    first, *between, last = durations_of(replayed(shots_of(ANY)[:8]).gif)
    assert (first, last) == (1500, 4000)
    assert set(between) == {1400}


def test_the_more_steps_there_are_the_faster_they_go(drawn: list[int]) -> None:
    def pace(steps: int) -> set[int]:
        return set(durations_of(replay("made-up", steps, numbered, SCENE, clock=stopped).gif)[1:-1])

    assert (pace(30), pace(60), pace(120)) == ({1400}, {1000}, {600})


def test_steps_in_which_nothing_changes_are_held_as_long_as_others() -> None:
    shots = shots_of(ANY)[:1] * 4
    # The bar moves on, or these would be one frame.
    assert len(durations_of(replayed([Shot(shot.view) for shot in shots]).gif)) == 4


def test_a_game_that_has_only_begun_is_one_still_picture() -> None:
    made = replayed(shots_of(ANY)[:1])
    assert (made.frames, made.thinned) == ((0,), False)
    assert len(frames_of(made.gif)) == 1


def test_the_corners_of_the_card_let_the_channel_show_through() -> None:
    for frame in frames_of(replayed(shots_of(ANY)[:3]).gif):
        width, height = frame.size
        opacity = frame.getchannel("A")
        assert {opacity.getpixel(at) for at in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1))} == {0}
        assert opacity.getpixel((width // 2, height // 2)) == 255


def test_the_high_contrast_palette_is_used_if_wanted() -> None:
    shots = shots_of(ANY)[:2]
    scene = Scene(names=SCENE.names, high_contrast=True)
    gif = replay(ANY.game_id, 2, shots.__getitem__, scene, clock=stopped).gif
    colours = counted(frames_of(gif)[0].convert("RGB"))
    assert theme.palette(high_contrast=True).ink in colours
    assert theme.palette(high_contrast=False).paper not in colours


@dataclass(frozen=True, kw_only=True)
class Numbered(View):
    """A step of a game that is only about its number."""

    number: int


def numbered(number: int) -> Shot:
    return Shot(Numbered(variant="", seats=1, seat=None, to_act=(), number=number))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The steps of a made-up game in the order in which they are drawn: a stripe for each."""
    numbers: list[int] = []

    def draw(view: Numbered, _: Scene) -> Image.Image:
        numbers.append(view.number)
        picture = Image.new("RGB", (256, 160), (40, 60, 80))
        picture.paste((200, 200, 100), (view.number % 256, 0, view.number % 256 + 20, 40))
        return picture

    monkeypatch.setitem(RENDERERS, "made-up", Renderer(draw))
    return numbers


def test_a_long_game_is_thinned_evenly_and_keeps_its_ends(drawn: list[int]) -> None:
    made = replay("made-up", 1000, numbered, SCENE, limits=Limits(frames=10), clock=stopped)
    assert made.frames == (0, 111, 222, 333, 444, 555, 666, 777, 888, 999)
    assert (made.steps, made.thinned) == (1000, True)
    assert sorted(drawn) == list(made.frames)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5, 8, 9, 10, 33, 120, 121])
def test_every_step_of_a_short_game_is_drawn_once(drawn: list[int], steps: int) -> None:
    made = replay("made-up", steps, numbered, SCENE, clock=stopped)
    assert sorted(drawn) == list(made.frames)
    assert len(made.frames) == min(steps, 120)
    assert (made.frames[0], made.frames[-1]) == (0, steps - 1)


def test_it_gives_way_before_each_frame_is_drawn_and_before_each_is_encoded(drawn: list[int]) -> None:
    given: list[int] = []
    replay("made-up", 20, numbered, SCENE, clock=stopped, give_way=lambda: given.append(len(drawn)))
    assert given == [*range(20), *[20] * 19]


def test_a_machine_that_is_too_slow_still_shows_the_whole_game(drawn: list[int]) -> None:
    def a_second_each() -> float:
        return float(len(drawn))

    made = replay("made-up", 101, numbered, SCENE, limits=Limits(seconds=20.0), clock=a_second_each)
    assert len(drawn) <= 20
    assert len(made.frames) < 40
    assert (made.frames[0], made.frames[-1], made.thinned) == (0, 100, True)
    assert max([after - before for before, after in zip(made.frames, made.frames[1:], strict=False)]) <= 8
    slower = replay("made-up", 101, numbered, SCENE, limits=Limits(seconds=0.0), clock=a_second_each)
    assert len(slower.frames) == 9
    assert max(after - before for before, after in zip(slower.frames, slower.frames[1:], strict=False)) <= 32


def test_a_file_that_grows_too_large_is_thinned_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    def noise(view: Numbered, _: Scene) -> Image.Image:
        return Image.frombytes("L", (256, 160), random.Random(view.number).randbytes(256 * 160)).convert("RGB")

    monkeypatch.setitem(RENDERERS, "made-up", Renderer(noise))
    made = replay("made-up", 17, numbered, SCENE, limits=Limits(size=1_000_000), clock=stopped)
    assert len(made.gif) <= 1_000_000
    assert 2 < len(made.frames) < 17
    assert (made.frames[0], made.frames[-1]) == (0, 16)
    assert made.thinned
    assert made.frames == tuple(sorted(made.frames))


def test_pictures_of_different_heights_stand_on_one_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(view: Numbered, _: Scene) -> Image.Image:
        return Image.new("RGB", (1024, 400 + 100 * view.number), (250, 250, 250))

    monkeypatch.setitem(RENDERERS, "made-up", Renderer(draw))
    frames = frames_of(replay("made-up", 3, numbered, SCENE, clock=stopped).gif)
    height = round(600 * WIDTH / 1024)
    assert {frame.size for frame in frames} == {(WIDTH, height)}
    edge = (*theme.palette(high_contrast=False).edge, 255)
    assert [frame.getpixel((100, 0)) == edge for frame in frames] == [True, True, False]
    assert frames[0].getpixel((100, height // 2)) != edge
