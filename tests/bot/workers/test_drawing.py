"""Pictures are drawn in a process beside the bot, which may die without loss and never outlives it."""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.i18n.language import language
from bot.workers.child import give_way
from bot.workers.drawing import Backend, Process, Threads, drawing, drawing_in
from bot.workers.resting import tidy
from bot.workers.worker import WorkFailed
from engines import GAMES
from engines.chance import UNSEEDED
from engines.game import Action, Event, View
from engines.text import say
from renderers import draw
from renderers.replay import Shot, replay
from renderers.scene import Finale, Scene
from renderers.sprite_cache import AT_REST, CACHE, PACKED
from tests.bot import worker_calls as calls
from tests.marks import quick_first


@pytest.fixture
async def backend() -> AsyncIterator[Process]:
    made = Process()
    yield made
    made.close()


@pytest.fixture(params=["threads", "process"])
async def any_backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    made = Process() if request.param == "process" else Threads()
    yield made
    if isinstance(made, Process):
        made.close()


def a_picture(game_id: str) -> tuple[str, View, Scene]:
    """A view after a few actions, with everything that a scene may have."""
    game: Any = GAMES[game_id]
    dice = random.Random(game_id)
    state: Any = game.start(game.seats[-1], chance=UNSEEDED)
    events: tuple[Event, ...] = ()
    for _ in range(2):
        seat = game.to_act(state)[0]
        action: Action = ()
        while True:
            choice = dice.choice(game.choices(state, seat, action))
            action = (*action, choice.token)
            if choice.final:
                break
        step = game.play(state, seat, action)
        state, events = step.state, step.events
    scene = Scene(
        names=("Ann", "Дева", "🦊", "Dev", "Eve", "Finn")[: game.seats[-1]], events=events,
        options=tuple(game.choices(state, game.to_act(state)[0])), translate=language("de"), finale=Finale(winners=(0,)),
    )  # fmt: skip
    return game_id, game.view(state, game.to_act(state)[0]), scene


@pytest.mark.parametrize("game_id", quick_first(1, GAMES))
async def test_a_picture_is_the_same_wherever_it_is_drawn(backend: Process, game_id: str) -> None:
    picture = a_picture(game_id)
    assert await backend.draw(draw, *picture) == draw(*picture)


async def test_of_many_at_once_each_gets_its_own(any_backend: Backend) -> None:
    texts = [f"text {number}" * number * 1000 for number in range(40)]
    drawn = await asyncio.gather(*(any_backend.draw(str.upper, one, slow=len(one) % 2 == 0) for one in texts))
    assert drawn == [one.upper() for one in texts]


async def test_what_takes_long_keeps_nobody_waiting(any_backend: Backend, tmp_path: Path) -> None:
    long = asyncio.ensure_future(any_backend.draw(calls.giving_way_until, tmp_path / "there", slow=True))
    later = asyncio.ensure_future(any_backend.draw(str.upper, "later", slow=True))
    assert await any_backend.draw(str.upper, "now") == "NOW"
    assert not long.done()
    assert not later.done()
    (tmp_path / "there").touch()
    await long
    assert await later == "LATER"


async def test_a_picture_is_drawn_again_if_the_process_dies(backend: Process, tmp_path: Path) -> None:
    before = await backend.draw(os.getpid)
    dying = backend.draw(calls.fatal_once, tmp_path / "deaths")
    after, other = await asyncio.gather(dying, backend.draw(str.upper, "waiting"))
    assert after not in (before, os.getpid())
    assert (other, backend.pid) == ("WAITING", after)


async def test_one_that_dies_between_two_pictures_is_not_missed(backend: Process) -> None:
    before = await backend.draw(os.getpid)
    os.kill(before, signal.SIGKILL)
    assert await backend.draw(os.getpid) != before


@pytest.mark.slow
async def test_a_picture_that_kills_the_process_twice_is_an_error(backend: Process, tmp_path: Path) -> None:
    deaths = tmp_path / "deaths"
    for fatal in (calls.fatal, partial(calls.fatal)):
        with pytest.raises(WorkFailed, match=r"died 2 times at .*fatal"):
            await backend.draw(fatal, deaths)
    assert (deaths.read_text().splitlines(), await backend.draw(str.upper, "on")) == (["once"] * 4, "ON")


async def test_pictures_between_the_frames_of_a_replay_change_nothing(backend: Process) -> None:
    game_id, view, scene = a_picture("bouncers")
    shots = [Shot(view), Shot(view, scene.events)] * 4
    filmed = partial(replay, clock=calls.midnight, give_way=give_way)
    film = asyncio.ensure_future(backend.draw(filmed, game_id, len(shots), shots.__getitem__, scene, slow=True))
    drawn = [await backend.draw(draw, game_id, view, scene) for _ in range(4)]
    assert await film == replay(game_id, len(shots), shots.__getitem__, scene, clock=calls.midnight)
    assert drawn == [draw(game_id, view, scene)] * 4


@pytest.mark.slow
async def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    with contextlib.closing(Process(timeout=0.2)) as backend:
        with pytest.raises(WorkFailed):
            await backend.draw(calls.computing, tmp_path / "begun")
        assert backend.pid is None


async def test_an_error_is_what_it_was_and_says_where_it_was(backend: Process) -> None:
    with pytest.raises(KeyError, match="no such game") as error:
        await backend.draw(calls.wrong)
    assert "in wrong" in "".join(error.value.__notes__)
    with pytest.raises(RuntimeError, match=r"Odd\('1 and 2'\)") as replaced:
        await backend.draw(calls.odd)
    assert "in odd" in "".join(replaced.value.__notes__)
    with pytest.raises(KeyError):
        await backend.draw(draw, "no such game", *a_picture("bouncers")[1:])


async def test_what_cannot_be_sent_is_an_error_at_once(backend: Process) -> None:
    with pytest.raises((AttributeError, TypeError), match=r"pickle|local object"):  # the words changed with Python 3.12
        await backend.draw(lambda: None)
    assert await backend.draw(str.upper, "on") == "ON"


async def test_who_does_not_wait_any_more_disturbs_nobody(backend: Process, tmp_path: Path) -> None:
    first = asyncio.ensure_future(backend.draw(calls.when_there, tmp_path / "there"))
    second = asyncio.ensure_future(backend.draw(calls.noted, tmp_path / "second"))
    third = asyncio.ensure_future(backend.draw(str.upper, "third"))
    await asyncio.sleep(0)
    first.cancel()
    second.cancel()
    await asyncio.wait({first, second})
    (tmp_path / "there").touch()
    assert await third == "THIRD"
    assert not (tmp_path / "second").exists(), "it was not begun, and nobody wanted it any more"


async def test_the_end_does_not_wait_for_what_is_being_drawn(tmp_path: Path) -> None:
    backend = Process()
    drawn = [
        asyncio.ensure_future(backend.draw(calls.when_there, tmp_path / "never", slow=slow)) for slow in (True, False, False)
    ]
    while (pid := backend.pid) is None:
        await asyncio.sleep(0)
    backend.close()
    found = await asyncio.gather(*drawn, return_exceptions=True)
    assert [type(one) for one in found] == [WorkFailed, WorkFailed, WorkFailed]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert backend.pid is None


async def test_signals_to_the_group_do_not_concern_the_process(backend: Process) -> None:
    pid = await backend.draw(os.getpid)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    assert await backend.draw(os.getpid) == pid


@pytest.mark.slow
def test_the_process_does_not_outlive_a_bot_that_is_killed() -> None:
    bot = (
        "import asyncio, os, signal\n"
        "from bot.workers.drawing import Process\n"
        "async def main():\n"
        "    backend = Process()\n"
        "    print(await backend.draw(os.getpid) == backend.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    # Standard error is inherited: it comes to an end when the last process has.
    run = subprocess.run([sys.executable, "-c", bot], capture_output=True, check=False, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (-signal.SIGKILL, b"True\n", b"")


@pytest.mark.slow
async def test_the_process_is_small_and_knows_no_secrets(backend: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "s3cret")
    monkeypatch.setenv("SPRINGBOARD_DATABASE", "postgresql://somebody:s3cret@server/games")
    await backend.draw(draw, *a_picture("pucks"))
    assert not await backend.draw(calls.modules) & {
        "discord", "sqlalchemy", "aiosqlite", "psycopg", "aiohttp", "pydantic", "asyncio",
    }  # fmt: skip
    assert "s3cret" not in repr(await backend.draw(calls.environment))


async def test_what_is_printed_does_not_get_between_the_answers(backend: Process) -> None:
    assert (await backend.draw(calls.talkative), await backend.draw(str.upper, "on")) == ("answer", "ON")


async def test_an_idle_process_rests() -> None:
    with contextlib.closing(Process(rests_after=0)) as backend:
        first = await backend.draw(os.getpid)
        while backend.pid is not None:
            await asyncio.sleep(0.01)
        assert await backend.draw(os.getpid) != first


async def test_an_idle_process_is_tidied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.workers.drawing.TIDIED_AFTER", 0)
    monkeypatch.setattr("bot.workers.drawing.tidy", partial(calls.noted, tmp_path / "tidied"))
    with contextlib.closing(Process()) as backend:
        await backend.draw(os.getpid)
        while not (tmp_path / "tidied").exists():
            await asyncio.sleep(0.01)
        assert await backend.draw(str.upper, "on") == "ON"


async def test_once_nobody_has_waited_for_a_picture_for_a_while_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.workers.drawing.IDLE_AFTER", 0)
    idle = asyncio.Event()
    with contextlib.closing(Process(when_idle=idle.set)) as backend:
        await backend.draw(os.getpid)
        assert not idle.is_set()
        await idle.wait()


def test_tidying_leaves_some_sprites_at_hand() -> None:
    for game_id in GAMES:
        draw(*a_picture(game_id))
    tidy()
    assert 0 < CACHE.size <= AT_REST + PACKED


async def test_pictures_are_drawn_in_threads_unless_another_backend_is_chosen(backend: Process) -> None:
    assert await drawing(os.getpid) == os.getpid()
    with drawing_in(backend):
        assert (await drawing(os.getpid), await drawing(os.getpid, slow=True)) == (backend.pid, backend.pid)
    assert (await drawing(os.getpid, slow=True), await drawing(str, say("unchanged"))) == (os.getpid(), "unchanged")
