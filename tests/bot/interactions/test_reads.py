"""What an answer reads from the database: each thing once, and nothing that it does not need."""

from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from bot.core.people import Users
from bot.core.table.settings import PersonSettings
from tests.bot.kit import World, button, reply
from tests.bot.seated import Seated, open_table


def counted(world: World, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The database snapshots taken from now on."""
    store, taken = world.client.core.store, list[str]()
    read = store.read

    def noted() -> AbstractAsyncContextManager[Any]:
        taken.append("read")
        return read()

    monkeypatch.setattr(store, "read", noted)
    return taken


@pytest.fixture
async def table(world: World) -> Seated:
    """A game of Bouncers in which it is Ann's turn."""
    return await open_table(world, "bouncers", world.ann, world.ben)


@pytest.mark.slow
async def test_a_click_reads_its_table_and_settings_once(world: World, table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.type(world.ann, ("b2", "b3"))
    (awaited,) = await table.awaited()
    board = table.board()
    more = reply(await awaited.click(board, label="More"))
    reads = counted(world, monkeypatch)
    for label, message in (("Move", board), ("More", board), ("What happened?", board), ("Board in words", more)):
        await awaited.click(message, label=label)
        assert reads == ["read"], label
        reads.clear()


@pytest.mark.slow
async def test_a_step_in_the_panel_reads_the_table_once(world: World, table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    (awaited,) = await table.awaited()
    panel = reply(await awaited.click(world.last(), label="Move"))
    choice = (await table.choices(awaited))[0]
    reads = counted(world, monkeypatch)
    await awaited.click(panel, label=button(panel, choice.label).label)
    assert reads == ["read"]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "options", "most"), [
    ("help", {}, 1),  # the settings
    ("board", {"game": "1"}, 2),  # and the table
    ("board", {}, 3),  # and which table there is
    ("move", {"action": "nonsense"}, 2),
])  # fmt: skip
async def test_a_command_reads_settings_choice_and_table(
    world: World, table: Seated, monkeypatch: pytest.MonkeyPatch, command: str, options: dict[str, Any], most: int
) -> None:
    (awaited,) = await table.awaited()
    reads = counted(world, monkeypatch)
    await awaited.slash(world.channel, command, **options)
    assert len(reads) == most


async def test_a_command_is_answered_despite_unreadable_settings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: int) -> PersonSettings:
        raise OSError("the disk is tired")

    monkeypatch.setattr(world.client.core.service(Users), "settings", broken)
    world.expected_errors.add("settings not read")
    assert "Springboard" in world.text(reply(await world.ann.slash(world.channel, "help")))
