"""`/server-settings`: where and when the daily puzzle is posted."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest

from tests.bot.daily_posts import dailies, post_of
from tests.bot.kit import World, a_chief, buttons, reply, select
from tests.bot.outbox.test_permissions import allow
from tests.bot.present import present
from tests.bot.settings_panels import act, control, fill, form, open_panel, send, standing


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """Each day has its puzzle."""
    with dailies():
        yield


@pytest.mark.slow
async def test_channel_hour_zone_and_role_are_chosen_shown_and_changed_one_by_one(world: World) -> None:
    chief, role = a_chief(world), world.guild.create_role("bouncers", mentionable=True)
    assert "**Daily puzzle**\nOff" in world.text(await open_panel(world, chief, "server-settings"))
    first: dict[str, Any] = {"channel": world.channel, "hour": 20, "zone": "Europe/Berlin", "role": role}
    shown = await fill(world, chief, "server-settings", "daily", **first)
    assert reply(shown).ephemeral
    words = f"\nIn <#{world.channel.id}> at 20:00, Europe/Berlin, mentions <@&{role.id}>"
    assert f"**✅ Daily puzzle · saved**{words}" in world.text(shown)
    post = present(await post_of(world))
    assert post.due == datetime(2026, 1, 1, 20, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
    assert f"The next one comes <t:{int(post.due)}:f>." in world.text(shown)
    assert "A new puzzle day starts here at that hour." in world.text(shown)
    assert f"**Daily puzzle**{words}" in world.text(await open_panel(world, chief, "server-settings"))
    other = world.guild.create_text_channel("daily")
    shown, words = (
        await fill(world, chief, "server-settings", "daily", channel=other),
        f"\nIn <#{other.id}> at 20:00, Europe/Berlin",
    )
    assert f"**✅ Daily puzzle · saved**{words}, mentions <@&{role.id}>" in world.text(shown), "the role stays"
    shown = await fill(world, chief, "server-settings", "daily", role=[])
    assert f"{words}\n" in world.text(shown), "no role is named any more"
    assert "at 7:00" in world.text(await fill(world, chief, "server-settings", "daily", hour=7))
    assert "**✅ Daily puzzle · switched off**\nOff" in world.text(await act(world, chief, "server-settings", "daily", "off"))
    shown = await fill(world, chief, "server-settings", "daily", hour=7)
    assert f"In <#{other.id}> at 7:00, Europe/Berlin" in world.text(shown)


@pytest.mark.slow
async def test_at_first_a_channel_is_needed_and_the_rest_has_defaults(world: World) -> None:
    chief = a_chief(world)
    asked = await form(world, chief, "server-settings", "daily")
    assert control(asked, "channel")["required"]
    assert [standing(control(asked, name)) for name in ("hour", "zone", "role")] == [["9"], ["UTC"], []]
    shown = await open_panel(world, chief, "server-settings")
    assert "Switch off" not in [one.label for one in buttons(shown)]
    assert await post_of(world) is None
    assert "at 9:00, UTC" in world.text(await fill(world, chief, "server-settings", "daily", channel=world.channel))


@pytest.mark.parametrize(("right", "words"), [("send_messages", "Send Messages"), ("attach_files", "Attach Files")])
async def test_where_the_bot_cannot_post_it_says_so_at_once(world: World, right: str, words: str) -> None:
    chief, other = a_chief(world), world.guild.create_text_channel("daily")
    allow(world, other.id, **{right: False})
    refused = await fill(world, chief, "server-settings", "daily", channel=other)
    assert reply(refused).ephemeral
    assert f"**⚠️ Daily puzzle · not saved**\nI can’t post in <#{other.id}>. I still need: " in world.text(refused)
    assert words in world.text(refused)
    assert await post_of(world) is None


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("Mars/Olympus", "There’s no time zone “Mars/Olympus”. Try a large city"),
        (" ", "A time zone is needed. Is it one of these?"),
    ],
)
async def test_an_unknown_time_zone_is_refused(world: World, zone: str, words: str) -> None:
    refused = await fill(world, a_chief(world), "server-settings", "daily", channel=world.channel, zone=zone)
    assert words in world.text(refused)
    assert await post_of(world) is None


async def test_similar_time_zones_are_suggested_and_the_other_entries_kept(world: World) -> None:
    chief, role = a_chief(world), world.guild.create_role("bouncers", mentionable=True)
    asked = await fill(world, chief, "server-settings", "daily", channel=world.channel, hour=20, role=role, zone="Berlim")
    assert "There’s no time zone “Berlim”. Did you mean one of these?" in world.text(asked)
    assert "Europe/Berlin" in select(asked).options.values()
    assert await post_of(world) is None, "nothing is kept before it is clear"
    shown = await chief.select(reply(asked), ["Europe/Berlin"])
    assert f"In <#{world.channel.id}> at 20:00, Europe/Berlin, mentions <@&{role.id}>" in world.text(shown)


async def test_a_deleted_channel_is_not_entered_again(world: World) -> None:
    chief, other = a_chief(world), world.guild.create_text_channel("other")
    allow(world, other.id, send_messages=False)
    refused = await fill(world, chief, "server-settings", "daily", channel=other, hour=20, zone="Europe/Berlin")
    world.env.backend.delete_channel(other.id)
    await world.settle()
    asked = await chief.click(reply(refused), label="Try again")
    assert [standing(control(asked, name)) for name in ("channel", "hour", "zone")] == [[], ["20"], ["Europe/Berlin"]]
    shown = await send(world, chief, asked, channel=world.channel)
    assert f"**✅ Daily puzzle · saved**\nIn <#{world.channel.id}> at 20:00, Europe/Berlin" in world.text(shown)


async def test_a_time_zone_can_be_a_city(world: World) -> None:
    shown = await fill(world, a_chief(world), "server-settings", "daily", channel=world.channel, zone="mumbai")
    assert "Asia/Kolkata" in world.text(shown)
    assert present(await post_of(world)).zone == "Asia/Kolkata"


async def test_a_role_that_cannot_be_mentioned_is_refused(world: World) -> None:
    permitted = world.guild.create_role("loud", permissions=discord.Permissions(manage_guild=True, mention_everyone=True))
    chief = world.guild.add_member(world.env.create_user("loud"), roles=[permitted])
    role = world.guild.create_role("quiet")
    options: dict[str, Any] = {"channel": world.channel}
    refused = await fill(world, chief, "server-settings", "daily", role=role, **options)
    assert f"<@&{role.id}> can’t be mentioned." in world.text(refused)
    everyone = await fill(world, chief, "server-settings", "daily", role=world.guild.default_role, **options)
    assert "I don’t mention everyone." in world.text(everyone)
    assert await post_of(world) is None
    own = next(one for one in world.env.backend.get_guild(world.guild.id).roles.values() if one.managed)
    bits = own.permissions | discord.Permissions(mention_everyone=True).value
    world.env.backend.edit_role(world.guild.id, own.id, {"permissions": bits})
    no_more = await fill(world, a_chief(world), "server-settings", "daily", role=role, **options)
    assert "you need the permission Mention Everyone" in world.text(no_more), "the bot mentions nobody whom they couldn’t"
    assert await post_of(world) is None
    assert "mentions" in world.text(await fill(world, chief, "server-settings", "daily", role=role, **options))
