"""When the database is down, everybody gets one clear private answer, the log stays short, and all goes on afterwards."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.runtime.outage import EVERY, OutageLog, outages, unreachable
from storage.schema.errors import Unreachable
from storage.schema.records import Status
from storage.store import Store
from tests.bot.kit import World, reply
from tests.bot.seated import open_table
from tests.bot.ways import by_way

TOLD = "I can’t reach my memory right now. Nothing is lost. Try again in a minute."
UNREACHABLE = "database unreachable"


@pytest.fixture(autouse=True)
def fresh_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "_last", None)
    monkeypatch.setattr(outages, "_since", 0)


@contextlib.contextmanager
def down(world: World) -> Iterator[None]:
    """In this block the database is out of reach."""
    world.expected_errors.add(UNREACHABLE)

    @contextlib.asynccontextmanager
    async def refuse(*_: Any) -> AsyncIterator[Any]:
        raise Unreachable("The database has not answered for 8 seconds.")
        yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "_transaction", refuse)
        yield


def lines(world: World) -> list[Any]:
    return [line for line in world.logs if line["event"] == UNREACHABLE]


COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"game": "bouncers"}, "move": {"action": "b2 b3"}, "games": {}, "board": {"game": "1"}, "replay": {"game": "1"},
    "puzzle": {}, "stats": {}, "settings": {},
}  # fmt: skip


async def test_every_command_is_answered_privately_in_plain_words_with_one_line_in_the_log(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    board, before = table.board(), len(world.messages())
    with down(world):
        for name, options in COMMANDS.items():
            answer = await by_way(world.ann, world.channel, name, **options)
            assert world.text(answer) == TOLD, name
            assert answer.ephemeral, name
        clicked = await world.ann.click(board, label="Move")
        assert (world.text(clicked), await world.ann.autocomplete(world.channel, "move", "action", "")) == (TOLD, [])
        assert await world.ann.autocomplete(world.channel, "replay", "game", "") == []
        assert "a field of hidden cards" in world.text(
            await world.ann.slash(world.channel, "rules", game="bunny")
        )  # needs no database
    assert (len(world.messages()), len(lines(world))) == (before, 1)
    assert "exc_info" not in lines(world)[0]
    assert lines(world)[0]["reason"] == "The database has not answered for 8 seconds."


@pytest.mark.slow
async def test_the_loops_go_on_when_it_is_back(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bouncers", clock="1h", strict=True)
    await world.ben.click(reply(shown), label="Join")
    with down(world):
        await world.pass_time(2 * 3600)
    await world.pass_time(60)
    assert (await world.client.core.snapshot(1)).table.status is Status.FINISHED
    assert "Ann ran out of time." in world.text(world.last())
    assert 1 <= len(lines(world)) <= 2 * 60 + 1


async def test_a_board_that_cannot_be_delivered_meanwhile_is_no_further_line_in_the_log(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with down(world):
        delivered = world.client.outbox.deliver_soon(table.table_id)
        await asyncio.wait({delivered})
        await asyncio.sleep(0)
    assert isinstance(delivered.exception(), Unreachable)
    assert [line["event"] for line in world.logs if line["log_level"] == "error"] == [UNREACHABLE]


def test_a_long_outage_is_logged_now_and_again_with_what_failed_meanwhile(world_log: list[Any]) -> None:
    now = [1000.0]
    log = OutageLog(lambda: now[0])
    for _ in range(1000):
        log.note(Unreachable("gone"))
    assert [line["unreported"] for line in world_log] == [0]
    now[0] += EVERY
    log.note(Unreachable("gone"))
    assert [line["unreported"] for line in world_log] == [0, 999]


@pytest.fixture
def world_log() -> Iterator[list[Any]]:
    with capture_logs() as logs:
        yield logs


def test_an_outage_is_found_in_a_group_of_errors() -> None:
    error = Unreachable("gone")
    assert unreachable(ExceptionGroup("some", [ValueError(), ExceptionGroup("more", [error])])) is error
    assert unreachable(ExceptionGroup("some", [ValueError()])) is None
