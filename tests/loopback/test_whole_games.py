"""Whole games of every kind, wherever possible: Discord refuses nothing, and everything is there in the end."""

import asyncio
import random
from itertools import product
from typing import Any, Final

import pytest

from engines import GAMES
from loopback.model import FORUM, VOICE, Channel
from opponents import Level, opponent
from storage.schema.records import Status
from tests.loopback.natures import Nature
from tests.loopback.owed import unmet
from tests.loopback.scenes import SOON
from tests.loopback.settings import choose
from tests.loopback.world import LoopbackWorld

HOUR: Final = 3600.0
PAUSES: Final = (SOON, SOON, SOON, 2 * HOUR)
"""Seconds between two moves. After an hour, edits of the previous board are rationed."""

TABLES: Final[dict[str, dict[str, Any]]] = {
    "bouncers": {}, "bunny": {}, "trampoline": {"seats": 2}, "pucks": {"options": "setup:random"},
}  # fmt: skip

PLACES: Final[dict[str, dict[str, Any]]] = {
    "channel": {}, "own thread": {"thread": True}, "own private thread": {"private": True}, "post": {}, "voice channel": {},
    "thread of people": {}, "private thread of people": {},
}  # fmt: skip
"""Where games are played, with the options for that."""
OLD_BOARDS: Final = ("fold", "keep")
QUICK: Final = ("trampoline", "post")
CASES: Final = [
    pytest.param(game, where, old_boards, marks=
        [] if (game, where) == QUICK else
        pytest.mark.slow if (row + column + kept) % 2 else
        pytest.mark.proof)
    for (row, game), (column, where), (kept, old_boards) in product(*map(enumerate, (TABLES, PLACES, OLD_BOARDS)))
]  # fmt: skip
"""Every game in every place. In the slow tests, boards are folded and kept in turns; the rest is a proof."""


def place(world: LoopbackWorld, name: str) -> Channel:
    discord = world.loopback.discord
    match name:
        case "thread of people" | "private thread of people":
            return discord.people_thread(world.channel, "us", world.ann, world.ben, private="private" in name)
        case "post":
            return discord.forum_post(discord.channel(world.guild, "game-talk", FORUM), world.cleo, "Anybody?")
        case "voice channel":
            return discord.channel(world.guild, "lounge", VOICE)
    return world.channel


async def played(world: LoopbackWorld, where: Channel, dice: random.Random, **options: Any) -> Channel:
    """Play a whole game of Ann against Ben, neither better than a computer. Returns where it was played."""
    people, core, computer = world.people, world.client.core, opponent(options["game"], Level.EASY)
    await people.slash(world.ann, where, "open", opponent=world.ben, clock="none", **options)
    await asyncio.sleep(SOON)
    (invited,) = [one for one in people.around(where, Nature.LOBBY) + people.around(where, Nature.NOTICE)
                  if any("|accept|" in i for i in one.custom_ids)][-1:]  # fmt: skip
    await people.click(world.ben, invited, "sb|accept")
    await asyncio.sleep(SOON)
    while (snapshot := await core.snapshot(1)).table.status is Status.PLAYING:
        there = world.loopback.discord.channels[snapshot.table.thread_id or snapshot.table.channel_id]
        player = dice.choice(snapshot.awaited)
        action = computer.choose(snapshot.playing.state, snapshot.own_seat(player.user_id)).action
        moved = await people.slash(world.loopback.discord.people[player.user_id], there, "move", action=" ".join(action))
        await asyncio.sleep(dice.choice(PAUSES))
        assert (await core.snapshot(1)).table.version > snapshot.table.version, moved.text
    assert snapshot.table.status is Status.FINISHED
    await asyncio.sleep(24 * HOUR)
    return there


@pytest.mark.parametrize(("game", "where", "old_boards"), CASES)
async def test_a_whole_game(world: LoopbackWorld, game: str, where: str, old_boards: str) -> None:
    await choose(world.people, world.chief, world.channel, "server-settings", "new-tables", old_boards=old_boards)
    dice = random.Random(f"{game} {where}")
    there = await played(world, place(world, where), dice, game=game, **TABLES[game], **PLACES[where])
    refused = [f"{call.method} {call.path}: {error}" for call, error in world.loopback.refused]
    assert (refused, world.errors()) == ([], [])
    boards = world.people.seen(there, Nature.BOARD)
    assert [len(board.attachments) for board in boards[:-1]] == [int(old_boards == "keep")] * (len(boards) - 1)
    assert not any(board.custom_ids for board in boards[:-1])
    assert len(boards[-1].attachments) == 1
    if old_boards == "fold":
        assert list(unmet(world.people, world.database)) == []


def test_every_game_is_among_them() -> None:
    assert TABLES.keys() == GAMES.keys()
