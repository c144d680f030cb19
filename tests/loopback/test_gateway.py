"""The loopback's gateway with many shards, spoken to directly: who is told what, what can be resumed, what is refused."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from loopback.gateway import BEAT, DISPATCH, HELLO, IDENTIFY, IDENTIFY_EVERY, INVALID, RESUMABLE_FOR, RESUME
from loopback.model import DIRECT, Channel
from loopback.people import NobodyThere
from loopback.server import Loopback
from tests.loopback.conftest import Clock
from tests.loopback.people import People

SHARDS = 4
WAIT_LIMIT = 60.0
"""Seconds after which an expected event will never come."""


@pytest.fixture
async def loopback(clock: Clock) -> AsyncIterator[Loopback]:
    """A Discord with four shards in two buckets, and a server on each."""
    async with Loopback(clock, shards=SHARDS, identify_every=IDENTIFY_EVERY, concurrency=2) as opened:
        for shard in range(SHARDS):
            guild = opened.discord.guild(f"Server {shard}", (1_000_000 + shard) << 22)
            opened.discord.channel(guild, "games")
        yield opened


class Socket:
    """A bot's connection that knows only the protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.heard = 0
        self.session = ""

    async def next(self) -> tuple[Any, Any]:
        """The next packet: name and data of an event, or opcode and data of anything else."""
        packet = await self._socket.receive_json(timeout=WAIT_LIMIT)
        self.heard = packet.get("s") or self.heard
        return packet["t"] if packet["op"] == DISPATCH else packet["op"], packet.get("d")

    async def until(self, name: Any) -> Any:
        """The data of the next packet with this name."""
        while True:
            found, data = await self.next()
            if found == name:
                return data

    async def send(self, op: int, data: Any) -> None:
        await self._socket.send_json({"op": op, "d": data})

    async def identify(self, shard: int, of: int = SHARDS) -> Any:
        await self.send(IDENTIFY, {"token": "", "shard": [shard, of]})
        found, data = await self.next()
        self.session = data["session_id"] if found == "READY" else ""
        return found, data

    async def resume(self, session: str, heard: int) -> None:
        await self.send(RESUME, {"token": "", "session_id": session, "seq": heard})

    async def closed(self) -> int | None:
        while not self._socket.closed:
            message = await self._socket.receive(timeout=WAIT_LIMIT)
            if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING):
                break
        return self._socket.close_code

    async def close(self, code: int) -> None:
        await self._socket.close(code=code)


@contextlib.asynccontextmanager
async def connected(loopback: Loopback) -> AsyncIterator[Socket]:
    async with aiohttp.ClientSession() as session, session.ws_connect(loopback.gateway.address) as socket:
        made = Socket(socket)
        assert (await made.next())[0] == HELLO
        yield made


async def gone(loopback: Loopback, shard: int) -> None:
    """Wait until Discord has noticed that a shard is away."""
    await loopback.gateway.lines[shard].lost.wait()


async def asked(loopback: Loopback, path: str) -> Any:
    async with aiohttp.ClientSession() as session, session.get(loopback.discord.base + path) as answer:
        return answer.status, await answer.json()


async def test_a_shard_gets_its_own_servers_and_what_happens_there(loopback: Loopback) -> None:
    async with connected(loopback) as one, connected(loopback) as two:
        _, ready = await one.identify(1)
        await two.identify(2)
        assert (ready["shard"], [int(guild["id"]) >> 22 for guild in ready["guilds"]]) == ([1, SHARDS], [1_000_001])
        assert (await one.until("GUILD_CREATE"))["name"] == "Server 1"
        assert (await two.until("GUILD_CREATE"))["name"] == "Server 2"
        guilds = list(loopback.discord.guilds.values())
        loopback.discord.channel(guilds[2], "told to two")
        loopback.discord.channel(guilds[1], "told to one")
        assert (await one.until("CHANNEL_CREATE"))["name"] == "told to one"
        assert (await two.until("CHANNEL_CREATE"))["name"] == "told to two"


async def test_direct_messages_come_to_the_first_shard(loopback: Loopback) -> None:
    people, known = People(loopback), loopback.discord
    ann = known.person("Ann")
    letter = known.channels[int(known.direct(ann.id)["id"])]
    known.register([{"name": "games"}])
    async with connected(loopback) as first, connected(loopback) as other:
        await other.identify(1)
        with pytest.raises(NobodyThere):
            people.begin_slash(ann, letter, "games")
        await first.identify(0)
        people.begin_slash(ann, letter, "games")
        told = await first.until("INTERACTION_CREATE")
        assert (told["user"]["id"], told["channel"]["type"]) == (str(ann.id), DIRECT)
        assert "guild_id" not in told


async def test_whoever_knows_the_session_takes_it_up_and_is_told_what_has_happened(loopback: Loopback, clock: Clock) -> None:
    guild = list(loopback.discord.guilds.values())[3]
    async with connected(loopback) as one:
        await one.identify(3)
        await one.until("GUILD_CREATE")
        await one.close(4000)
    await gone(loopback, 3)
    loopback.discord.channel(guild, "missed")
    clock.at += RESUMABLE_FOR - 1
    async with connected(loopback) as two:
        await two.resume(one.session, one.heard)
        assert ((await two.next())[1]["name"], (await two.next())[0]) == ("missed", "RESUMED")
        loopback.discord.channel(guild, "heard")
        assert (await two.until("CHANNEL_CREATE"))["name"] == "heard"
    assert (loopback.gateway.identified, loopback.gateway.resumed) == (1, 1)


@pytest.mark.parametrize(("code", "later"), [(1000, 0), (1001, 0), (4000, RESUMABLE_FOR + 1)])
async def test_an_ended_or_expired_session_cannot_be_resumed(loopback: Loopback, clock: Clock, code: int, later: float) -> None:
    async with connected(loopback) as one:
        await one.identify(0)
        await one.close(code)
    await gone(loopback, 0)
    clock.at += later
    async with connected(loopback) as two:
        await two.resume(one.session, one.heard)
        assert await two.next() == (INVALID, False)


async def test_of_two_connections_the_newer_one_has_the_session(loopback: Loopback) -> None:
    guild = next(iter(loopback.discord.guilds.values()))
    async with connected(loopback) as old, connected(loopback) as new:
        await old.identify(0)
        await old.until("GUILD_CREATE")
        await new.resume(old.session, old.heard)
        await new.until("RESUMED")
        loopback.discord.channel(guild, "games")
        assert ((await new.until("CHANNEL_CREATE"))["name"], await old.closed()) == ("games", 4000)
        assert loopback.gateway.lines[0].ready.is_set()


async def test_two_sessions_of_a_shard_are_both_told(loopback: Loopback, clock: Clock) -> None:
    """As in Discord: a replaced process has to stop listening by itself."""
    guild = next(iter(loopback.discord.guilds.values()))
    async with connected(loopback) as one, connected(loopback) as two:
        await one.identify(0)
        clock.at += IDENTIFY_EVERY
        await two.identify(0)
        loopback.discord.channel(guild, "for both")
        assert (await one.until("CHANNEL_CREATE"))["name"] == (await two.until("CHANNEL_CREATE"))["name"] == "for both"


async def test_sessions_begin_five_seconds_apart_in_each_bucket(loopback: Loopback, clock: Clock) -> None:
    async with connected(loopback) as one, connected(loopback) as two, connected(loopback) as three:
        assert ((await one.identify(0))[0], (await two.identify(1))[0]) == ("READY", "READY")
        clock.at += IDENTIFY_EVERY - 1
        assert await three.identify(2) == (INVALID, False)
        clock.at += IDENTIFY_EVERY
        assert (await three.identify(2))[0] == "READY"
    assert loopback.gateway.breaches == ["IDENTIFY of shard 2: 4.00 s after another one of its bucket"]


async def test_the_sessions_of_a_day_are_counted(loopback: Loopback, clock: Clock) -> None:
    loopback.gateway.starts_a_day = 2
    async with connected(loopback) as socket:
        await socket.identify(0)
        clock.at += 3600
        _, said = await asked(loopback, "/gateway/bot")
        assert said["shards"] == SHARDS
        assert said["session_start_limit"] == {"total": 2, "remaining": 1, "reset_after": 82_800_000, "max_concurrency": 2}
    async with connected(loopback) as second, connected(loopback) as third:
        await second.identify(0)
        clock.at += 10
        assert await third.identify(0) == (INVALID, False)
        clock.at += 86_400
        assert (await third.identify(0))[0] == "READY"


async def test_a_shard_that_does_not_exist_is_refused(loopback: Loopback) -> None:
    async with connected(loopback) as socket:
        await socket.send(IDENTIFY, {"shard": [4, 4]})
        assert await socket.closed() == 4010


async def test_everything_is_ready_when_every_shard_is(loopback: Loopback, clock: Clock) -> None:
    async with contextlib.AsyncExitStack() as open_sockets:
        for shard in range(SHARDS):
            assert not loopback.gateway.ready.is_set()
            socket = await open_sockets.enter_async_context(connected(loopback))
            await socket.identify(shard)
            await socket.send(BEAT, None)
            await socket.until(11)  # by then the session has been noted
            clock.at += IDENTIFY_EVERY
        assert loopback.gateway.ready.is_set()
    await loopback.gateway.lost.wait()
    assert not loopback.gateway.ready.is_set()


async def test_the_servers_of_the_bot_come_in_pages(loopback: Loopback) -> None:
    ids = [str(guild) for guild in sorted(loopback.discord.guilds)]
    _, page = await asked(loopback, "/users/@me/guilds?limit=3")
    assert [one["id"] for one in page] == ids[:3]
    _, page = await asked(loopback, f"/users/@me/guilds?limit=3&after={ids[2]}")
    assert [one["id"] for one in page] == ids[3:]


async def test_the_limit_of_all_calls_is_that_of_a_second_and_spares_answers(loopback: Loopback, clock: Clock) -> None:
    loopback.globally = 2
    where = next(iter(loopback.discord.channels.values()))
    assert isinstance(where, Channel)
    path = f"/channels/{where.id}"
    assert [(await asked(loopback, path))[0] for _ in range(2)] == [200, 200]
    clock.at += 0.75
    status, said = await asked(loopback, path)
    assert (status, said["global"], said["retry_after"]) == (429, True, 0.25)
    assert (await asked(loopback, "/webhooks/1/token/messages/@original"))[0] == 404
    clock.at += 0.25
    assert ((await asked(loopback, path))[0], loopback.limited, loopback.busiest) == (200, 1, 2)
