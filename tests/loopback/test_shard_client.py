"""The connection to a shard, which continues another process's session."""

import asyncio
import contextlib
import gc
import math
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from bot.app import make_client
from bot.cluster.client import Others, ShardClient
from bot.cluster.holding import Holding, Session
from bot.interactions.reply import Reply
from bot.known_commands import RETRY
from loopback.faults import Fault, Route
from storage.cluster.leases import Leases
from storage.store import Store
from storage.transactions import ShardFilter
from tests.bot.command_line import TOKEN
from tests.loopback.natures import Nature
from tests.loopback.owed import twice
from tests.loopback.reading import rows
from tests.loopback.world import CLIENT_OPTIONS, LoopbackWorld

SHARD = "shard 0 of 1"
NOBODY_THERE = "ws://127.0.0.1:1/"


class AtOnce:
    async def turn(self, shard: int, *, necessary: bool = True) -> None:
        """Let it begin."""

    async def can_spare(self) -> bool:
        return True


class Alone(AtOnce):
    """No shard begins a session besides the one it resumed."""

    async def can_spare(self) -> bool:
        return False


class Told:
    """The other shards: records that they were told of commands."""

    def __init__(self, commands: asyncio.Event) -> None:
        self._commands = commands

    async def announce_commands(self) -> None:
        self._commands.set()

    async def announce_work(self) -> None:
        pass


def shard_client(
    world: LoopbackWorld,
    inherited: Session | None,
    *,
    since: float = 0.0,
    store: Store | None = None,
    registers: bool = False,
    others: Others | None = None,
) -> ShardClient:
    store = store or world.client.core.store
    holding = Holding(0, 1, SHARD, 1, math.inf, since)
    made = make_client(
        store, now=world.now, kind=ShardClient, holding=holding, identifying=AtOnce(), inherited=inherited, registers=registers,
        others=others, **CLIENT_OPTIONS,
    )  # fmt: skip
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


@contextlib.asynccontextmanager
async def working(client: ShardClient) -> AsyncIterator[ShardClient]:
    task = await connected(client)
    try:
        yield client
    finally:
        task.cancel()
        await client.close()


async def a_session(world: LoopbackWorld) -> Session:
    """A session that can be resumed, with nothing heard yet."""
    async with working(shard_client(world, None)) as first:
        left = await first.leave()
    assert left is not None
    return left


async def test_a_session_whose_own_address_is_gone_is_resumed_at_the_address_for_everybody(world: LoopbackWorld) -> None:
    left = await a_session(world)
    resumed = world.loopback.gateway.resumed
    async with working(shard_client(world, Session(left.id, NOBODY_THERE, left.sequence, exact=True))):
        assert (world.loopback.gateway.resumed, world.loopback.gateway.invalidated) == (resumed + 1, 0)


async def test_a_shard_that_is_left_begins_no_session_of_its_own_any_more(world: LoopbackWorld) -> None:
    class Late(AtOnce):
        """Grants an unnecessary session only when the shard is being left."""

        def __init__(self) -> None:
            self.asked, self.begun = asyncio.Event(), 0

        async def turn(self, shard: int, *, necessary: bool = True) -> None:
            if not necessary:
                self.asked.set()
                await asyncio.sleep(1.0)
                self.begun += 1

    left = await a_session(world)
    second, turns = shard_client(world, left), Late()
    second._identifying = turns  # type: ignore[assignment]
    async with working(second):
        await turns.asked.wait()
        second._running.add(asyncio.create_task(asyncio.sleep(2.5)))  # a press is still being answered
        identified = world.loopback.gateway.identified
        again = await second.leave()
        assert again is not None
        assert (again.id, turns.begun, world.loopback.gateway.identified) == (left.id, 0, identified)


async def test_a_session_is_left_exact_once_all_that_it_had_to_tell_is_heard(world: LoopbackWorld) -> None:
    left = await a_session(world)
    assert left.exact
    killed = replace(left, exact=False)  # as far as its lease tells
    for inherited in (killed, left):
        hurried = shard_client(world, inherited)
        assert await hurried.leave() == inherited
        await hurried.close()
    async with working(shard_client(world, killed)) as patient:
        again = await patient.leave()
        assert again is not None
        assert again.exact


@contextlib.asynccontextmanager
async def hearing(client: ShardClient) -> AsyncIterator[dict[int, bool]]:
    """Which interactions a client hears in this block, and whether it would carry them out at first. Another one does."""
    heard: dict[int, bool] = {}
    is_new = client.is_new

    def note(interaction: Any) -> bool:
        heard.setdefault(interaction.id, is_new(interaction))
        return False

    client.is_new = note  # type: ignore[method-assign]
    async with working(client):
        yield heard


async def test_what_a_killed_process_did_is_not_repeated_although_it_had_resumed_its_session(world: LoopbackWorld) -> None:
    killed = replace(await a_session(world), exact=False)
    former = shard_client(world, killed)
    former._identifying = Alone()  # type: ignore[assignment]
    async with hearing(former) as heard:
        asked = await world.people.slash(world.ann, world.channel, "help")
        assert heard == {asked.id: True}
    await asyncio.sleep(9)
    # It was killed before it could note that it has heard more than when it had claimed the lease.
    later = shard_client(world, killed, since=world.now())
    later._identifying = Alone()  # type: ignore[assignment]
    async with hearing(later) as heard:
        assert heard == {asked.id: False}
        again = await world.people.slash(world.ann, world.channel, "help")
        assert heard == {asked.id: False, again.id: True}


async def parts(world: LoopbackWorld) -> AsyncIterator[Store]:
    """The store as successive processes have it. The world's own bot stops acting."""
    world.client.is_new = lambda interaction: False  # type: ignore[method-assign]
    store = world.client.core.store
    leases = Leases(store)
    await leases.add(SHARD)
    while (lease := await leases.claim(SHARD, "somebody", 3600.0)) is not None:
        yield store.part(ShardFilter(0, 1), SHARD, lease.fence)


async def test_a_command_that_two_processes_hear_opens_one_table_which_is_shown_once(world: LoopbackWorld) -> None:
    processes, left = parts(world), await a_session(world)
    async with working(shard_client(world, None, store=await anext(processes))):
        asked = await world.people.slash(world.ann, world.channel, "open", game="bouncers")
        (shown,) = world.people.seen(world.channel, Nature.LOBBY)
    # The next one's clock is wrong, or it hears of the command in some unforeseen way.
    async with working(shard_client(world, left, store=await anext(processes))) as later:
        await asyncio.sleep(5)
        assert asked.id in later._seen
        (table,) = rows(world.database, "select * from tables")
        assert (table["interaction_id"], table["lobby_message_id"]) == (asked.id, shown.id)
        assert (world.people.seen(world.channel, Nature.LOBBY), list(twice(world.people))) == ([shown], [])
        assert world.errors() == []


async def test_a_command_of_which_a_process_died_before_it_could_answer_is_answered_by_the_next(world: LoopbackWorld) -> None:
    processes, left = parts(world), await a_session(world)
    async with working(shard_client(world, None, store=await anext(processes))):
        with mock.patch.object(Reply, "show", side_effect=asyncio.CancelledError):
            asked = world.people.begin_slash(world.ann, world.channel, "open", game="bouncers")
            await asyncio.sleep(1)
    (table,) = rows(world.database, "select * from tables")
    assert (table["interaction_id"], table["lobby_message_id"]) == (asked.id, None)
    async with working(shard_client(world, left, store=await anext(processes))):
        await asyncio.sleep(1)
        (shown,) = world.people.seen(world.channel, Nature.LOBBY)
        (table,) = rows(world.database, "select * from tables")
        assert table["lobby_message_id"] == shown.id


async def test_what_was_asked_while_another_process_had_the_lease_is_not_done_however_recent(world: LoopbackWorld) -> None:
    for exact in (False, True):
        left = replace(await a_session(world), exact=exact)
        before = await world.people.slash(world.ann, world.channel, "help")
        await asyncio.sleep(0.1)
        since = world.now()
        await asyncio.sleep(0.1)
        after = await world.people.slash(world.ann, world.channel, "help")
        async with hearing(shard_client(world, left, since=since)) as heard:
            assert heard == {before.id: False, after.id: True}


async def test_a_clock_that_is_wrong_keeps_a_shard_from_answering_for_seconds_at_most(world: LoopbackWorld) -> None:
    client = shard_client(world, await a_session(world), since=world.now() + 3600)
    client._identifying = Alone()  # type: ignore[assignment]
    async with hearing(client) as heard:
        soon = await world.people.slash(world.ann, world.channel, "help")
        await asyncio.sleep(10)
        later = await world.people.slash(world.ann, world.channel, "help")
        assert heard == {soon.id: False, later.id: True}


@pytest.mark.slow
async def test_a_client_that_is_closed_while_discord_still_tells_of_servers_says_nothing_more(world: LoopbackWorld) -> None:
    client = shard_client(world, None)
    client._connection.guild_ready_timeout = 2.0
    working = asyncio.create_task(client.start(TOKEN))
    while not client.guilds:
        await asyncio.sleep(0.1)
    assert not client.is_ready()
    working.cancel()
    await client.close()
    await asyncio.sleep(5)
    del client
    gc.collect()  # what a task has raised is told when it is collected
    assert world.errors() == []


async def test_a_process_that_could_not_register_the_commands_tries_again_and_tells_the_others(world: LoopbackWorld) -> None:
    discord, told = world.loopback.discord, asyncio.Event()
    discord.commands.clear()
    world.goes_wrong(Route.REGISTER, Fault.BAD_REQUEST, 2)
    client = shard_client(world, None, registers=True, others=Told(told))
    client.holding.renew(math.inf)
    await client.login(TOKEN)
    await asyncio.sleep(2 * RETRY)
    assert not discord.commands
    assert not told.is_set()
    await asyncio.sleep(2 * RETRY)
    assert discord.commands
    assert told.is_set()
    await client.close()
    assert [one["event"] for one in world.errors()] == ["commands not registered"]


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True])
async def test_commands_are_registered_once_the_lease_is_certain_or_not_at_all(world: LoopbackWorld, lost: bool) -> None:
    discord, told = world.loopback.discord, asyncio.Event()
    discord.commands.clear()
    client = shard_client(world, None, registers=True, others=Told(told))
    holding, sync = client.holding, client.tree.sync

    async def frozen() -> Any:
        holding.valid_until = 0.0
        return await sync()

    with mock.patch.object(client.tree, "sync", frozen):
        await client.login(TOKEN)
        await asyncio.sleep(5)
    assert not discord.commands
    holding.lose() if lost else holding.renew(math.inf)
    await asyncio.sleep(5)
    assert bool(discord.commands) == told.is_set() == (not lost)
    await client.close()
    del client
    gc.collect()  # what a task has raised is told when it is collected
    assert world.errors() == []
