"""Somebody who asks for much at once keeps nobody else waiting, neither for an answer nor with a move."""

import asyncio
import threading
from typing import Any

import pytest

from bot.core.shares import AT_ONCE, in_share
from bot.features.analysis.tree import Beginning
from engines.chance import Fair
from tests.bot.kit import World, reply
from tests.bot.seated import open_table

CODE = Beginning(1, 1, 0.0).of_start("bouncers", Fair(bytes(32))).root


async def test_ten_questions_of_one_person_delay_neither_the_answer_nor_the_move_of_another(world: World) -> None:
    table = await open_table(world, "bouncers", world.ben, world.cleo)
    shares, go = world.client.core.shares, threading.Event()
    with shares.of(world.ann.id):
        asked = [asyncio.create_task(in_share(go.wait)) for _ in range(10)]
    try:
        shown = await world.ben.slash(world.channel, "analyse", code=CODE)
        assert "Analysis: Bouncers" in world.text(shown)
        await world.ben.slash(world.channel, "move", action="b2 b3")
        assert "bounces b2 → b3" in world.text(table.board())
        assert not any(one.done() for one in asked)
    finally:
        go.set()
    assert await asyncio.gather(*asked) == [True] * 10


async def test_moves_do_not_wait_for_questions(world: World) -> None:
    """Every turn of the shares is taken, and threads are left for what is nobody's question."""
    table = await open_table(world, "bouncers", world.ben, world.cleo)
    shares, go = world.client.core.shares, threading.Event()
    asked = []
    for number in range(3 * AT_ONCE):
        with shares.of(1000 + number):
            asked.append(asyncio.create_task(in_share(go.wait)))
    try:
        world.client.core.histories.clear()  # and so the log is replayed
        await world.ben.slash(world.channel, "move", action="b2 b3")
        assert "bounces b2 → b3" in world.text(table.board())
    finally:
        go.set()
    await asyncio.gather(*asked)


@pytest.fixture
def turns(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The people for whom something was computed, each time."""
    shares, taken = world.client.core.shares, list[int]()
    turn = shares.turn

    async def noted(user_id: int) -> None:
        taken.append(user_id)
        await turn(user_id)

    monkeypatch.setattr(shares, "turn", noted)
    return taken


async def test_commands_and_clicks_compute_in_their_users_share(world: World, turns: list[int]) -> None:
    shown = await world.ann.slash(world.channel, "analyse", code=CODE)
    assert set(turns) == {world.ann.id}
    turns.clear()
    await world.ann.click(reply(shown), label="Share")
    assert set(turns) == {world.ann.id}


async def test_suggestions_compute_in_their_users_share(
    world: World, turns: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    core = world.client.core
    snapshot = core.snapshot

    async def computed(*values: Any) -> Any:
        await in_share(str, 1)
        return await snapshot(*values)

    monkeypatch.setattr(core, "snapshot", computed)
    turns.clear()
    assert await world.ann.autocomplete(world.channel, "move", "action", "b2 ")
    assert turns == [world.ann.id]
