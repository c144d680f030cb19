"""The bot fills in its profile: its pictures, its words, and what *Add App* does."""

import io
from typing import Any

import pytest
from PIL import Image

from bot import profile
from bot.cluster.running import scouted
from bot.invitation import PERMISSIONS
from engines import GAMES
from loopback.faults import Fault, Route
from renderers import profile as pictures
from tests.bot.command_line import TOKEN
from tests.loopback.world import LoopbackWorld

ANOTHER = b"\x89PNG of the operator's own"


def edits(world: LoopbackWorld) -> int:
    return sum(call.method == "PATCH" and call.path == "/users/@me" for call in world.loopback.calls)


@pytest.mark.slow
async def test_a_bot_without_pictures_is_given_both_once(world: LoopbackWorld) -> None:
    bot = world.loopback.discord.bot
    await profile.settle(world.client)
    assert Image.open(io.BytesIO(bot.avatar or b"")).size == (pictures.AVATAR_SIDE, pictures.AVATAR_SIDE)
    assert Image.open(io.BytesIO(bot.banner or b"")).size == pictures.BANNER_SIZE
    await profile.settle(world.client)
    assert edits(world) == 2


@pytest.mark.parametrize("own", ["avatar", "banner"])
async def test_a_picture_of_the_operators_own_stays(world: LoopbackWorld, own: str) -> None:
    bot = world.loopback.discord.bot
    setattr(bot, own, ANOTHER)
    await profile.settle(world.client)
    assert getattr(bot, own) == ANOTHER
    assert None not in {bot.avatar, bot.banner}


@pytest.mark.parametrize("fault", [Fault.FORBIDDEN, pytest.param(Fault.LONG_LIMIT, marks=pytest.mark.slow)])
async def test_a_refusal_harms_nothing_and_the_next_start_tries_again(world: LoopbackWorld, fault: Fault) -> None:
    bot = world.loopback.discord.bot
    world.goes_wrong(Route.OTHER, fault)
    await profile.settle(world.client)
    assert bot.avatar is None
    world.all_well()
    await profile.settle(world.client)
    assert bot.avatar is not None


@pytest.mark.slow
async def test_a_refused_avatar_keeps_no_banner_away(world: LoopbackWorld) -> None:
    bot = world.loopback.discord.bot
    world.goes_wrong(Route.OTHER, Fault.FORBIDDEN, 1, where=lambda call: (call.method, call.path) == ("PATCH", "/users/@me"))
    await profile.settle(world.client)
    assert bot.avatar is None
    assert bot.banner is not None


COMMANDS_ALONE = {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}
WITH_THE_BOT = {"oauth2_install_params": {"scopes": ["bot", "applications.commands"], "permissions": str(PERMISSIONS.value)}}


@pytest.mark.slow
async def test_a_new_application_is_described_and_adds_the_bot_and_people_keep_their_way(world: LoopbackWorld) -> None:
    application = world.loopback.discord.application
    await profile.settle(world.client)
    assert application.profile["description"].startswith("Bounce games that you play turn by turn, right in the channel: ")
    assert all(str(game.title) in application.profile["description"] for game in GAMES.values())
    assert len(application.profile["tags"]) == 5
    assert application.profile["integration_types_config"] == {"0": WITH_THE_BOT, "1": COMMANDS_ALONE}
    changed = changes(world)
    await profile.settle(world.client)
    assert changes(world) == changed == 3, "nothing is missing any more"


@pytest.mark.slow
@pytest.mark.parametrize("ways", [{}, {"0": {}}, {"0": COMMANDS_ALONE}])
async def test_where_nobody_has_said_what_add_app_does_it_adds_the_bot(world: LoopbackWorld, ways: dict[str, Any]) -> None:
    world.loopback.discord.application.profile["integration_types_config"] = ways
    await profile.settle(world.client)
    assert world.loopback.discord.application.profile["integration_types_config"] == {"0": WITH_THE_BOT}


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [
    {"integration_types_config": {"0": {"oauth2_install_params": {"scopes": ["bot"], "permissions": "8"}}}},
    {"integration_types_config": {"1": COMMANDS_ALONE}},
    {"custom_install_url": "https://example.com/add"},
    {"integration_types_config": {}, "install_params": {"scopes": ["bot", "applications.commands"], "permissions": "2048"}},
    {"bot_public": False},
])  # fmt: skip
async def test_what_the_owner_has_chosen_stays(world: LoopbackWorld, chosen: dict[str, Any]) -> None:
    application = world.loopback.discord.application
    application.profile |= {"description": "Ours.", "tags": ["ours"], **chosen}
    before = dict(application.profile)
    await profile.settle(world.client)
    assert (application.profile, changes(world)) == (before, 0)


@pytest.mark.slow
async def test_a_refused_description_keeps_nothing_else_away(world: LoopbackWorld) -> None:
    application = world.loopback.discord.application
    world.goes_wrong(Route.OTHER, Fault.FORBIDDEN, 1, where=lambda call: call.method == "PATCH")
    await profile.settle(world.client)
    assert (application.profile["description"], application.profile.get("tags")) == ("", list(profile.TAGS))
    assert application.profile["integration_types_config"]["0"] == WITH_THE_BOT
    assert world.loopback.discord.bot.banner is not None
    await profile.settle(world.client)
    assert application.profile["description"]


def changes(world: LoopbackWorld) -> int:
    return sum((call.method, call.path) == ("PATCH", "/applications/@me") for call in world.loopback.calls)


@pytest.mark.slow
async def test_a_process_that_runs_shards_does_it_through_its_scout(world: LoopbackWorld) -> None:
    async with scouted(TOKEN) as scout:
        await profile.settle(scout)
    assert world.loopback.discord.bot.banner is not None
