"""The connection to one shard, which goes on with the session of another process."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.app import make_client
from bot.cluster.client import ShardClient
from bot.cluster.holding import Holding, Session
from tests.bot.command_line import TOKEN
from tests.loopback.stage import PATIENCE, Stage

OnStage = Callable[[Callable[[Stage], Awaitable[None]]], None]

NOBODY_THERE = "ws://127.0.0.1:1/"


class AtOnce:
    """Every shard may begin a session at once."""

    async def turn(self, shard: int, *, necessary: bool = True) -> None:
        """It is its turn."""

    async def can_spare(self) -> bool:
        return True


def shard_client(stage: Stage, inherited: Session | None) -> ShardClient:
    store = stage.client.sessions._repository.store
    holding = Holding(0, 1, "shard 0 of 1", 1, math.inf)
    made = make_client(
        store, now=stage.now, kind=ShardClient, holding=holding, identifying=AtOnce(), inherited=inherited, **PATIENCE
    )
    assert isinstance(made, ShardClient)
    return made


async def connected(client: ShardClient) -> "asyncio.Task[None]":
    """Start a client, and wait until it is connected."""
    working = asyncio.create_task(client.start(TOKEN))
    for _ in range(120):
        if client.heartbeat.is_connected:
            return working
        await asyncio.sleep(1)
    raise AssertionError("not connected within two minutes")


def test_a_session_whose_own_address_is_gone_is_resumed_at_the_address_for_everybody(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        first = shard_client(stage, None)
        working = await connected(first)
        left = await first.leave()
        working.cancel()
        await first.close()
        assert left is not None
        resumed = stage.loopback.gateway.resumed
        second = shard_client(stage, Session(left.id, NOBODY_THERE, left.sequence, exact=True))
        try:
            working = await connected(second)
            assert stage.loopback.gateway.resumed == resumed + 1
            assert stage.loopback.gateway.invalidated == 0
        finally:
            working.cancel()
            await second.close()

    on_stage(play)


def test_a_shard_that_is_left_begins_no_session_of_its_own_any_more(on_stage: OnStage) -> None:
    class Late(AtOnce):
        """One for which the turn to begin a session that is not necessary comes when the shard is being left."""

        def __init__(self) -> None:
            self.asked, self.begun = asyncio.Event(), 0

        async def turn(self, shard: int, *, necessary: bool = True) -> None:
            if not necessary:
                self.asked.set()
                await asyncio.sleep(1.0)
                self.begun += 1

    async def play(stage: Stage) -> None:
        first = shard_client(stage, None)
        working = await connected(first)
        left = await first.leave()
        working.cancel()
        await first.close()
        assert left is not None
        second, turns = shard_client(stage, left), Late()
        second._identifying = turns  # type: ignore[assignment]
        working = await connected(second)
        await turns.asked.wait()
        answering = asyncio.create_task(asyncio.sleep(2.5))  # something that was pressed is still being answered
        second._running.add(answering)
        identified = stage.loopback.gateway.identified
        try:
            again = await second.leave()
            assert again is not None
            assert again.id == left.id
            assert turns.begun == 0
            assert stage.loopback.gateway.identified == identified
        finally:
            working.cancel()
            await second.close()

    on_stage(play)


def test_a_session_is_left_exact_once_all_that_it_had_to_tell_is_heard(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        first = shard_client(stage, None)
        working = await connected(first)
        left = await first.leave()
        working.cancel()
        await first.close()
        assert left is not None
        assert left.exact
        killed = replace(left, exact=False)  # as far as its lease tells
        for inherited in (killed, left):
            hurried = shard_client(stage, inherited)
            assert await hurried.leave() == inherited
            await hurried.close()
        patient = shard_client(stage, killed)
        working = await connected(patient)
        try:
            again = await patient.leave()
            assert again is not None
            assert again.exact
        finally:
            working.cancel()
            await patient.close()

    on_stage(play)
