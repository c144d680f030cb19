"""Any game in Discord, from `/play` to the end, through what the bot offers for all of them."""

import pytest

from engines import GAMES
from storage.schema.records import Status
from tests.bot.kit import World, buttons, reply
from tests.bot.seated import Seated, core_of, open_table, small_table
from tests.bot.ways import by_way, in_words

pytestmark = pytest.mark.slow
TURNS_AT_MOST = 20
"""Longer games end by somebody leaving."""
A_WHILE = 6.0


async def end_it(table: Seated) -> None:
    world = table.world
    while not await table.over():
        member, *_ = await table.awaited()
        await member.click(reply(await by_way(member, table.channel, "resign")), label="Resign")
        await world.settle()


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_game_is_played_in_its_panel_and_by_typing(world: World, game_id: str) -> None:
    people = [world.ann, world.ben][: GAMES[game_id].seats[-1]]
    table = await open_table(world, game_id, *people, **small_table(game_id))
    assert world.picture(table.board()).alt
    words = await in_words(world.ben, table.board())
    assert world.text(reply(words))
    for turn in range(TURNS_AT_MOST):
        if await table.over():
            break
        member, *_ = await table.awaited()
        action = await table.random_action(member)
        picked = turn % 2 and any(button.label == "Move" for button in buttons(table.board()))
        await (table.pick(member, action, by="Move") if picked else table.type(member, action))
    await end_it(table)
    assert (await table.snapshot()).table.status is Status.FINISHED


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_computer_plays_against_somebody(world: World, game_id: str) -> None:
    await world.ann.slash(world.channel, "open", game=game_id, computer="easy", **small_table(game_id))
    (listed, *_) = await core_of(world).tables(guild_id=world.guild.id)
    place = next((thread for thread in world.channel.threads if thread.id == listed.thread_id), world.channel)
    table = Seated(world, listed.id, [world.ann], place)
    acted = 0
    for _ in range(TURNS_AT_MOST):
        snapshot = await table.snapshot()
        if await table.over() or acted >= 3:
            break
        if not snapshot.thinking and snapshot.own_seat(world.ann.id) in snapshot.playing.to_act:
            await table.type(world.ann, await table.random_action(world.ann))
        before = (await table.snapshot()).table.version
        await world.pass_time(A_WHILE)
        acted += (await table.snapshot()).table.version > before
    assert acted > 0
