"""Commands that could mean several tables: they ask which one, and the answer carries the command out."""

from typing import Any

import pytest

from bot.core.people import Users
from bot.interactions.tables import OFFERED_AT_MOST
from storage import queries
from storage.schema.records import Offers, SeatStatus, WatchFor
from tests.bot.kit import World, buttons, reply, select, selects
from tests.bot.seated import Seated, core_of, open_table
from tests.bot.ways import by_seats

pytestmark = pytest.mark.slow

QUESTION = "There’s more than one game here. Which one?"


async def several(world: World, count: int) -> list[Seated]:
    """Tables of Ann and Ben in one channel, the newest last."""
    await core_of(world).service(Users).change_server(world.guild.id, most_tables=100)
    tables = []
    for _ in range(count):
        tables.append(await open_table(world, "bouncers", world.ann, world.ben))
        await world.pass_time(60)  # nobody opens tables faster than that
    return tables


async def seat_offered_to(table: Seated) -> int | None:
    offered = (await table.snapshot()).table.offers.substitute
    return None if offered is None else offered.to


async def watchers(world: World, table: Seated) -> dict[int, WatchFor]:
    async with core_of(world).store.read() as reader:
        return {watch.user_id: watch.what for watch in await queries.watches.of_table(reader, table.table_id)}


COMMANDS: dict[str, dict[str, Any]] = {
    "move": {"action": "b2 b3"}, "watch": {"what": "turn"}, "board": {}, "replay": {"format": "log"},
}  # fmt: skip
SAID = {"move": "b2 → b3", "watch": "You’ll hear about every turn at table #1.", "board": "#1", "replay": "#1"}
"""What the answer says."""


@pytest.mark.parametrize("command", COMMANDS)
async def test_the_button_of_a_table_carries_the_command_out(world: World, command: str) -> None:
    table, _ = await several(world, 2)
    who = world.cleo if command == "watch" else world.ann
    asked = await who.slash(world.channel, command, **COMMANDS[command])
    assert QUESTION in world.text(asked)
    assert selects(asked) == []
    label = next(one.label for one in buttons(asked) if one.label.startswith("#1 "))
    answer = await who.click(reply(asked), label=label)
    assert SAID[command] in world.text(answer)
    assert QUESTION not in world.text(answer)
    if command == "move":
        assert (await table.snapshot()).table.version == 1
    if command == "watch":
        assert await watchers(world, table) == {world.cleo.id: WatchFor.TURN}


async def test_more_than_a_row_of_tables_become_a_menu_that_does_the_same(world: World) -> None:
    tables = await several(world, 7)
    asked = await world.cleo.slash(world.channel, "watch", what="turn")
    assert buttons(asked) == []
    menu = select(asked)
    assert [label.split()[0] for label in menu.options] == [f"#{n}" for n in range(7, 0, -1)]
    await world.cleo.select(reply(asked), ["#3"])
    assert [world.cleo.id in await watchers(world, table) for table in tables] == [False, False, True, *[False] * 4]
    long = await world.ann.slash(world.channel, "move", action="b2 b3")
    played = await world.ann.select(reply(long), ["#5"])
    assert "b2 → b3" in world.text(played)
    assert (await tables[4].snapshot()).table.version == 1


async def test_the_board_of_the_table_that_was_picked_has_the_buttons_of_that_table(world: World) -> None:
    table, other = await several(world, 2)
    asked = await world.ann.slash(world.channel, "board")
    label = next(one.label for one in buttons(asked) if one.label.startswith("#1 "))
    board = await world.ann.click(reply(asked), label=label)
    seats = await world.ann.click(reply(board), label="Substitute")
    await world.ann.select(reply(seats), [world.cleo])
    assert [await seat_offered_to(each) for each in (table, other)] == [world.cleo.id, None]
    await world.cleo.click(world.last(), label="Accept")
    assert (await table.snapshot()).players[0].user_id == world.cleo.id


async def test_beyond_a_full_menu_the_newest_tables_are_offered_and_the_rest_mentioned(world: World) -> None:
    await several(world, OFFERED_AT_MOST)
    asked = await world.ann.slash(world.channel, "board")
    assert len(select(asked).options) == OFFERED_AT_MOST
    assert "These are the newest" not in world.text(asked)
    await open_table(world, "bouncers", world.ann, world.ben)
    asked = await world.ann.slash(world.channel, "board")
    assert len(select(asked).options) == OFFERED_AT_MOST
    assert "These are the newest 25." in world.text(asked)


async def test_a_seat_is_not_offered_to_somebody_who_has_left(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    seats = await by_seats(world.ann, world.channel)
    world.env.inject_error("GET", "/guilds/*/members/*", status=404, code=10007, message="Unknown Member")
    answer = await world.ann.select(reply(seats), [world.cleo])
    assert "not on this server any more" in world.text(answer)
    snapshot = await table.snapshot()
    assert snapshot.table.offers == Offers()
    assert snapshot.players[0].status is SeatStatus.JOINED
