"""`/server-settings`: where and when *What’s on* is posted, daily or weekly."""

from typing import Any

import pytest

from tests.bot.features.posts.test_service import at
from tests.bot.kit import World, a_chief, reply
from tests.bot.outbox.test_permissions import allow
from tests.bot.present import present
from tests.bot.settings_panels import act, control, fill, form, open_panel, send, standing
from tests.bot.today import post_of


async def test_the_weekday_is_chosen_kept_and_cleared(world: World) -> None:
    chief, role = a_chief(world), world.guild.create_role("bouncers", mentionable=True)
    assert "**What’s on**\nOff" in world.text(await open_panel(world, chief, "server-settings"))
    first: dict[str, Any] = {"channel": world.channel, "day": 0, "hour": 20, "zone": "Europe/Berlin", "role": role}
    shown = await fill(world, chief, "server-settings", "today", **first)
    assert reply(shown).ephemeral
    words = f"\nIn <#{world.channel.id}> each Monday at 20:00, Europe/Berlin, mentions <@&{role.id}>"
    assert f"**✅ What’s on · saved**{words}" in world.text(shown)
    monday = at("2026-01-05T20:00", "Europe/Berlin")
    assert f"The next one comes <t:{int(monday)}:f>, if anything has happened by then." in world.text(shown)
    assert f"**What’s on**{words}" in world.text(await open_panel(world, chief, "server-settings"))
    post = present(await post_of(world))
    assert (post.weekday, post.due) == (0, monday)
    shown = await fill(world, chief, "server-settings", "today", hour=7)
    saved = f"**✅ What’s on · saved**\nIn <#{world.channel.id}>"
    assert f"{saved} each Monday at 7:00, Europe/Berlin, mentions <@&{role.id}>\n" in world.text(shown)
    shown = await fill(world, chief, "server-settings", "today", day=-1)
    assert f"{saved} at 7:00, Europe/Berlin, mentions <@&{role.id}>\n" in world.text(shown)
    post = present(await post_of(world))
    assert (post.weekday, post.due) == (None, at("2026-01-01T07:00", "Europe/Berlin"))


async def test_each_day_is_the_default(world: World) -> None:
    chief = a_chief(world)
    asked = await form(world, chief, "server-settings", "today")
    assert control(asked, "channel")["required"]
    assert standing(control(asked, "day")) == ["-1"]
    assert "at 9:00, UTC" in world.text(await fill(world, chief, "server-settings", "today", channel=world.channel))
    assert present(await post_of(world)).weekday is None


async def test_where_the_bot_cannot_post_it_says_so_at_once(world: World) -> None:
    chief, other = a_chief(world), world.guild.create_text_channel("news")
    allow(world, other.id, attach_files=False)
    refused = await fill(world, chief, "server-settings", "today", channel=other)
    assert f"I can’t post in <#{other.id}>. I still need: Attach Files" in world.text(refused)
    assert await post_of(world) is None


async def test_both_posts_of_a_server_are_configured_separately(world: World) -> None:
    chief = a_chief(world)
    await fill(world, chief, "server-settings", "today", channel=world.channel, hour=8)
    await fill(world, chief, "server-settings", "daily", channel=world.channel, hour="10")
    shown = world.text(await open_panel(world, chief, "server-settings"))
    assert f"**Daily puzzle**\nIn <#{world.channel.id}> at 10:00, UTC" in shown
    assert f"**What’s on**\nIn <#{world.channel.id}> at 8:00, UTC" in shown
    shown = world.text(await act(world, chief, "server-settings", "daily", "off"))
    assert "✅ Daily puzzle · switched off" in shown
    assert "**What’s on**\nIn" in world.text(await open_panel(world, chief, "server-settings"))


@pytest.mark.parametrize("switched_off", [False, True])
async def test_the_time_zone_of_one_post_is_offered_for_another_and_kept(world: World, *, switched_off: bool) -> None:
    chief = a_chief(world)
    await fill(world, chief, "server-settings", "daily", channel=world.channel, zone="Berlin")
    if switched_off:
        await act(world, chief, "server-settings", "daily", "off")
    asked = await form(world, chief, "server-settings", "today")
    assert standing(control(asked, "zone")) == ["Europe/Berlin"]
    shown = world.text(await send(world, chief, asked, channel=world.channel, hour=8))
    assert f"**✅ What’s on · saved**\nIn <#{world.channel.id}> at 8:00, Europe/Berlin" in shown
    await fill(world, chief, "server-settings", "today", zone="UTC")
    asked = await form(world, chief, "server-settings", "today")
    assert standing(control(asked, "zone")) == ["UTC"], "once it has one of its own, that stays"
