"""Which threads draw pictures, how often, and who shares a picture that is drawn once."""

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import FORMER_PLAYER, User
from bot.i18n.language import ENGLISH, language
from bot.messages import pictures
from bot.messages.pictures import Perspective, PictureCache, picture, shown, spectator
from bot.workers.drawing import Threads, drawing_in
from engines import GAMES
from engines.actions import Choice
from engines.chance import Fair
from engines.game import Event, Game, View, foresee, legal_actions
from engines.text import say
from renderers import draw
from renderers.scene import Finale, Scene
from storage.connections.priority_lock import work_in_background
from tests.bot.kit import World
from tests.bot.seated import open_table
from tests.bot.service import BOUNCERS, started

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch) -> PictureCache:
    """A picture cache without pictures from earlier tests."""
    empty = PictureCache()
    monkeypatch.setattr(pictures, "CACHE", empty)
    return empty


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, View, Scene]]:
    """The pictures that are really drawn, in order."""
    seen: list[tuple[str, View, Scene]] = []

    def noted(*what: Any) -> bytes:
        seen.append(what)
        return draw(*what)

    monkeypatch.setattr(pictures, "draw", noted)
    return seen


def played(game: Game[Any, Any], actions: int = 12) -> tuple[Any, tuple[Event, ...]]:
    """The state of a game after the first legal action again and again, and its events."""
    state: Any = game.start(game.seats[-1], None, Fair(bytes(32)))
    events: tuple[Event, ...] = ()
    for _ in range(actions):
        if game.to_act(state):
            seat = game.to_act(state)[0]
            step = game.play(state, seat, next(iter(legal_actions(game, state, seat))))
            state, events = step.state, (*events, *step.events)
    return state, events


@every_game
def test_every_drawing_has_a_key_in_every_game(game: Game[Any, Any]) -> None:
    (state, events), (again, others) = played(game), played(game)
    for seat in (None, *range(game.seats[-1])):
        options = () if seat is None else tuple(game.choices(state, seat))
        scene = Scene(names=("Ann", "Ben"), events=events, options=options)
        repeated = Scene(names=("Ann", "Ben"), events=others, options=options)
        assert shown(game.id, game.view(state, seat), scene) == shown(game.id, game.view(again, seat), repeated)


@every_game
def test_different_knowledge_means_a_different_picture(game: Game[Any, Any]) -> None:
    state, _ = played(game)
    scene = Scene(names=("Ann", "Ben"))
    views = [game.view(state, seat) for seat in (None, *range(game.seats[-1]))]
    keys = [shown(game.id, view, scene) for view in views]
    assert [[one == other for other in keys] for one in keys] == [[one == other for other in views] for one in views]


CHANGES: tuple[dict[str, Any], ...] = (
    {"names": ("Ann", "Bea")}, {"names": ("Ann", FORMER_PLAYER)}, {"names": ("Ann", str(FORMER_PLAYER))},
    {"events": (Event("move", 0, "moves"),)}, {"prefix": ("c2",)}, {"options": (Choice("c2", "c2", final=False),)},
    {"seen_from": 1}, {"high_contrast": True}, {"translate": language("de")}, {"translate": ENGLISH},
    {"finale": Finale(winners=(0,))},
)  # fmt: skip


def test_everything_a_picture_shows_is_in_its_key() -> None:
    game = GAMES["bouncers"]
    view = game.view(played(game)[0])
    scene = Scene(names=("Ann", "Ben"))
    different = [scene, *(replace(scene, **change) for change in CHANGES)]
    assert len({shown("bouncers", view, one) for one in different}) == len(different)


@every_game
def test_in_a_game_without_secrets_all_seats_see_the_picture_that_spectators_see(game: Game[Any, Any]) -> None:
    state, events = played(game)
    if game.secret:
        return
    scene = Scene(names=("Ann", "Ben", "Cleo", "Dev"), events=events)
    public = game.view(state, None)
    for seat in range(game.seats[-1]):
        own = game.view(state, seat)
        assert replace(own, seat=None) == public
        assert draw(game.id, own, scene) == draw(game.id, public, scene)


async def test_the_same_picture_is_drawn_once(core: Core, drawings: list[Any]) -> None:
    snapshot = await started(core)
    seen = spectator(ENGLISH)
    at_once = await asyncio.gather(*(picture(snapshot.position, seen) for _ in range(5)))
    assert {shown.content for shown in (*at_once, await picture(snapshot.position, seen))} == {at_once[0].content}
    assert len(drawings) == 1


async def test_the_board_that_a_player_saw_before_playing_is_the_one_that_is_posted(core: Core, drawings: list[Any]) -> None:
    snapshot = await started(core)
    history = snapshot.playing
    (seat,), action = history.to_act, next(iter(legal_actions(history.game, history.state, history.to_act[0])))
    step = foresee(history.game, history.state, seat, action)
    assert step is not None
    previewed = await picture(snapshot.position, Perspective(seat=seat, language=ENGLISH), events=step.events, after=step.state)
    done = await core.service(Play).act(snapshot.table.id, User(snapshot.players[seat].user_id, "…"), action)
    posted = await picture(done.snapshot.position, spectator(ENGLISH), events=done.events)
    assert previewed.content == posted.content
    assert len(drawings) == 1


async def test_a_hand_is_drawn_for_its_owner_alone(core: Core, drawings: list[Any]) -> None:
    snapshot = await started(core, TableRequest(guild_id=10, channel_id=20, game="pucks", seats=2))
    for seat in (None, 0, 1, 0):
        await picture(snapshot.position, Perspective(seat=seat, language=ENGLISH))
    assert [view.seat for _, view, _ in drawings] == [None, 0, 1]


async def test_events_that_the_reader_may_not_know_are_not_in_the_picture(core: Core, drawings: list[Any]) -> None:
    snapshot = await started(core, TableRequest(guild_id=10, channel_id=20, game="pucks", seats=2))
    told = (Event("draw", 0, say("Red draws a card.")), Event("draw", 0, say("It’s a Whistle."), private_to=0))
    for seat in (None, 0, 1):
        await picture(snapshot.position, Perspective(seat=seat, language=ENGLISH), events=told)
    assert [len(scene.events) for _, _, scene in drawings] == [1, 2, 1]


async def test_a_failed_picture_is_drawn_again_after_a_while(cache: PictureCache, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails() -> bytes:
        raise OSError("no font")

    async def succeeds() -> bytes:
        return b"picture"

    assert await asyncio.gather(*(cache.picture("key", fails) for _ in range(3))) == [None] * 3
    assert await cache.picture("key", succeeds) is None
    assert await cache.picture("another key", succeeds) == b"picture"
    monkeypatch.setattr("bot.messages.pictures.NOT_AGAIN_FOR", 0.0)
    assert await cache.picture("a third key", fails) is None
    assert await cache.picture("a third key", succeeds) == b"picture"


async def test_a_hanging_picture_is_given_up_for_all_waiting(cache: PictureCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.messages.pictures.DRAWN_WITHIN", 0.01)
    assert await asyncio.gather(*(cache.picture("key", asyncio.Event().wait) for _ in range(3))) == [None] * 3  # type: ignore[arg-type]


async def test_a_cancelled_request_takes_nothing_from_others_waiting(cache: PictureCache) -> None:
    go_on = asyncio.Event()

    async def slow() -> bytes:
        await go_on.wait()
        return b"picture"

    impatient, patient = (asyncio.create_task(cache.picture("key", slow)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    go_on.set()
    assert await patient == b"picture"
    assert impatient.cancelled()


async def test_the_most_recent_pictures_are_kept_as_space_allows() -> None:
    cache, drawn = PictureCache(limit=25), []

    async def ask(key: str) -> None:
        async def draw_ten() -> bytes:
            drawn.append(key)
            return b"0123456789"

        assert await cache.picture(key, draw_ten) == b"0123456789"

    for key in ("a", "b", "a", "c", "a", "b"):
        await ask(key)
    assert drawn == ["a", "b", "c", "b"]
    assert cache.weight == 20
    cache.clear()
    await ask("b")
    assert (drawn[-1], cache.weight) == ("b", 10)


async def test_a_picture_larger_than_the_cache_is_not_kept() -> None:
    cache = PictureCache(limit=25)

    async def large() -> bytes:
        return bytes(26)

    assert await cache.picture("key", large) == bytes(26)
    assert cache.weight == 0


async def test_pictures_that_nobody_waits_for_hold_up_no_other(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    many = replace(BOUNCERS, most_tables=20)
    snapshots = [await started(core, many, User(number, f"player {number}")) for number in range(100, 120)]
    seen = spectator(language("en-US"))
    go_on = threading.Event()
    drawing: list[str] = []

    def quick_or_slow(_game: str, _view: View, scene: Scene) -> bytes:
        drawing.append("background" if scene.high_contrast else "click")
        if not scene.high_contrast:
            return b"quick"
        assert go_on.wait(60)
        return b"slow"

    monkeypatch.setattr(pictures, "draw", quick_or_slow)

    async def drawn_in_background(number: int) -> bytes:
        work_in_background()
        return (await picture(snapshots[number].position, replace(seen, high_contrast=True))).content

    waiting = [asyncio.create_task(drawn_in_background(number)) for number in range(20)]
    try:
        while not drawing:
            await asyncio.sleep(0)
        async with asyncio.timeout(60):
            assert (await picture(snapshots[0].position, seen)).content == b"quick"
        assert drawing == ["background", "click"], "the others in the background wait for one another"
    finally:
        go_on.set()
    assert await asyncio.gather(*waiting) == [b"slow"] * 20


async def test_nobody_waits_for_the_same_picture_in_less_of_a_hurry(cache: PictureCache) -> None:
    go_on = asyncio.Event()

    async def slow() -> bytes:
        await go_on.wait()
        return b"picture"

    async def quick() -> bytes:
        return b"picture"

    background = asyncio.create_task(cache.picture("key", slow, hurry="none"))
    await asyncio.sleep(0)
    async with asyncio.timeout(60):
        assert await cache.picture("key", quick, hurry="some") == b"picture"
    go_on.set()
    assert await background == b"picture"
    assert cache.weight == len(b"picture")


class Noting(Threads):
    """Draws in threads, and records which pictures yield to others."""

    def __init__(self) -> None:
        super().__init__()
        self.yielding: list[bool] = []

    @override
    async def draw(self, function: Any, *values: Any, slow: bool = False, yielding: bool = False) -> Any:
        self.yielding.append(yielding)
        return await super().draw(function, *values, slow=slow, yielding=yielding)


@pytest.mark.slow
async def test_the_board_that_is_posted_yields_to_answers_to_clicks(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    (awaited,) = await table.awaited()
    action = await table.random_action(awaited)
    with drawing_in(place := Noting()):
        await awaited.slash(world.channel, "board")
        assert place.yielding == [], "that is the picture that was posted"
        await awaited.click(table.board(), label="Move")
        assert place.yielding == [False]
        await table.type(awaited, action)
    assert place.yielding == [False, True]
