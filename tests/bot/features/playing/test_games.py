"""`/games` and the suggestions of tables, with more tables than fit, private ones, and unreadable ones."""

import pytest

from bot.core.listing import Lists
from bot.core.lobby import Lobby
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from tests.bot.damage import damage_beside
from tests.bot.kit import World, a_chief, buttons, reply, select
from tests.bot.service import some
from tests.bot.settings_panels import act, close_table

pytestmark = pytest.mark.slow


async def open_table(world: World, by: int, **more: object) -> Snapshot:
    request = TableRequest(guild_id=world.guild.id, channel_id=world.channel.id, game="bouncers", **more)  # type: ignore[arg-type]
    return await world.client.core.service(Lobby).open(User(by, f"P{by}"), request)


async def test_the_list_of_many_tables_has_pages(world: World) -> None:
    for by in range(1000, 1025):
        await open_table(world, by)
    shown = await world.ann.slash(world.channel, "games")
    assert world.text(shown).count("Bouncers") == 20
    *joining, previous, following, today = [(one.label, one.disabled) for one in buttons(shown)]
    assert joining == [(f"#{number} Bouncers", False) for number in range(25, 5, -1)]
    assert (previous, following, today) == (("Previous", True), ("Next", False), ("What’s on today", False))
    further = await world.ann.click(reply(shown), label="Next")
    assert world.text(further).count("Bouncers") == 5


async def test_private_tables_crowd_no_public_one_out_of_the_suggestions(world: World) -> None:
    public = (await open_table(world, 999)).table.id
    for by in range(1000, 1030):
        await open_table(world, by, private=True, opponents=[User(by + 1000, "Q")])
    chief = a_chief(world)
    lists = world.client.core.service(Lists)
    with world.env._bot_scope():
        found = [one.table.id async for one in lists.summaries(guild_id=world.guild.id, seen_by=world.ann.id, limit=25)]
    assert found == [public]
    listed = select(await act(world, chief, "server-settings", "tables", "pick"))
    assert len(listed.options) == 25, "whoever manages the server may look at the private ones, too"


async def test_a_table_that_cannot_be_read_is_named_in_the_list_and_can_be_closed(world: World) -> None:
    table_id = (await open_table(world, world.ben.id)).table.id
    path = some(world.client.core.store.address.path)
    await damage_beside(path, "UPDATE tables SET offers = 'null'")
    shown = world.text(await world.ann.slash(world.channel, "games"))
    assert "No games going on here." in shown
    again = world.text(await world.ann.slash(world.channel, "games"))
    assert f"1 table is on hold because I can’t read it: #{table_id}." in again
    refused = world.text(await world.ann.slash(world.channel, "board", game=str(table_id)))
    assert f"Table #{table_id} is on hold" in refused
    closed = await close_table(world, a_chief(world), table_id)
    assert f"Table #{table_id} is closed." in world.text(closed)
    assert "on hold" not in world.text(await world.ann.slash(world.channel, "games"))


async def test_players_of_a_quarantined_table_are_told_once_and_only_a_private_ones_number(world: World) -> None:
    public = await open_table(world, world.ben.id, opponents=[User(world.cleo.id, "Cleo")])
    private = await open_table(world, world.ann.id, private=True, opponents=[User(world.ben.id, "Ben")])
    await world.settle()
    path = some(world.client.core.store.address.path)
    await damage_beside(path, "UPDATE tables SET offers = 'null'")
    for _ in range(3):
        await world.ann.slash(world.channel, "games")
        await world.pass_time(60)
    told = [m for m in world.messages() if "is on hold" in world.text(m)]
    told.sort(key=lambda message: not world.pinged(message))
    assert [world.pinged(message) for message in told] == [{world.ben.id, world.cleo.id}, set()]
    assert [f"Table #{s.table.id} " in world.text(m) for s, m in zip((public, private), told, strict=True)] == [True, True]
    assert "Ann" not in world.text(told[1])
    await close_table(world, a_chief(world), public.table.id)
    assert "A moderator closed table" in world.text(world.last())
