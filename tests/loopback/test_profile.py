"""The pictures of the bot's profile, uploaded to the loopback Discord."""

import io

import pytest
from PIL import Image

from bot import profile
from bot.cluster.running import scouted
from renderers import profile as pictures
from tests.bot.command_line import TOKEN
from tests.loopback.faults import Fault, Route
from tests.loopback.test_shard_client import RunInWorld
from tests.loopback.world import LoopbackWorld

ANOTHER = b"\x89PNG of the operator's own"


def edits(world: LoopbackWorld) -> int:
    return sum(call.method == "PATCH" and call.path == "/users/@me" for call in world.loopback.calls)


def test_a_bot_without_pictures_is_given_both_once(run_in_world: RunInWorld) -> None:
    async def play(world: LoopbackWorld) -> None:
        bot = world.loopback.discord.bot
        await profile.settle(world.client)
        assert Image.open(io.BytesIO(bot.avatar or b"")).size == (pictures.AVATAR_SIDE, pictures.AVATAR_SIDE)
        assert Image.open(io.BytesIO(bot.banner or b"")).size == pictures.BANNER_SIZE
        await profile.settle(world.client)
        assert edits(world) == 2

    run_in_world(play)


@pytest.mark.parametrize("own", ["avatar", "banner"])
def test_a_picture_of_the_operators_own_stays(run_in_world: RunInWorld, own: str) -> None:
    async def play(world: LoopbackWorld) -> None:
        bot = world.loopback.discord.bot
        setattr(bot, own, ANOTHER)
        await profile.settle(world.client)
        assert getattr(bot, own) == ANOTHER
        assert None not in {bot.avatar, bot.banner}

    run_in_world(play)


@pytest.mark.parametrize("fault", [Fault.FORBIDDEN, pytest.param(Fault.LONG_LIMIT, marks=pytest.mark.slow)])
def test_a_refusal_harms_nothing_and_the_next_start_tries_again(run_in_world: RunInWorld, fault: Fault) -> None:
    async def play(world: LoopbackWorld) -> None:
        bot = world.loopback.discord.bot
        world.goes_wrong(Route.OTHER, fault)
        await profile.settle(world.client)
        assert bot.avatar is None
        world.all_well()
        await profile.settle(world.client)
        assert bot.avatar is not None

    run_in_world(play)


def test_a_refused_avatar_keeps_no_banner_away(run_in_world: RunInWorld) -> None:
    async def play(world: LoopbackWorld) -> None:
        bot = world.loopback.discord.bot
        world.goes_wrong(Route.OTHER, Fault.FORBIDDEN, 1, where=lambda call: call.method == "PATCH")
        await profile.settle(world.client)
        assert bot.avatar is None
        assert bot.banner is not None

    run_in_world(play)


def test_a_process_that_runs_shards_does_it_through_its_scout(run_in_world: RunInWorld) -> None:
    async def play(world: LoopbackWorld) -> None:
        async with scouted(TOKEN) as scout:
            await profile.settle(scout)
        assert world.loopback.discord.bot.banner is not None

    run_in_world(play)
