"""What whole games leave behind in a channel, and how many calls to Discord they take.

Games between computers are typed with `/move` on the loopback Discord, whose clock is simulated, once with moves that follow
one another and once with moves hours apart. Heights are estimated for messages that Discord shows 550 pixels wide.
"""

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from pathlib import Path
from struct import unpack
from typing import Any, Final
from unittest import mock

from discord import ComponentType
from simcord.components import walk_components

from benchmarks.figures import Figure
from loopback import virtual_time
from loopback.model import Message
from opponents import Level, opponent
from tests.loopback.natures import Nature
from tests.loopback.world import LoopbackWorld, a_loopback_world

GAMES: Final = (("bouncers", 2), ("bunny", 2), ("trampoline", 2), ("pucks", 2), ("pucks", 4))
SOON: Final = 20.0
DAY: Final = 24 * 3600.0
PACES: Final = (("seconds", SOON), ("hours", 3 * 3600.0))
"""The time between moves, in words and in seconds."""
ACTIONS: Final = 400
"""The number of actions after which a game is left unfinished."""
TINY: Final[Mapping[str, Any]] = {"actions": 2}

WIDTH, INSIDE = 550, 480
"""The width of a message, and the width of a picture in it, in pixels."""
HEADER, FRAME, LINE, BUTTONS = 44, 32, 22, 44
"""The heights in pixels of the name above a message, the frame of a container, a line, and a row of buttons."""
LETTERS = 62
"""The number of letters in a line."""


@dataclass(frozen=True)
class Left:
    """The messages that a game left behind, those with pictures, the height of all in pixels, its actions and its calls."""

    messages: int
    pictures: int
    height: int
    actions: int
    calls: int


def height(message: Message) -> int:
    lines = rows = pixels = frames = 0
    for item in walk_components(message.components):
        frames += item["type"] == ComponentType.container.value
        rows += item["type"] == ComponentType.action_row.value
        lines += sum(ceil(max(1, len(line)) / LETTERS) for line in str(item.get("content") or "").splitlines())
    for file in message.attachments:
        if file.content.startswith(b"\x89PNG") or file.content.startswith(b"GIF8"):
            wide, tall = unpack(">II", file.content[16:24]) if file.content[0] == 0x89 else unpack("<HH", file.content[6:10])
            pixels += round(tall * min(1.0, INSIDE / wide))
    return HEADER + FRAME * frames + LINE * lines + BUTTONS * rows + pixels


async def left_by_game(game_id: str, seats: int, pause: float, actions: int) -> Left:
    """Play at most this many actions of a game, always with the same dice, and look at the channel a day later."""

    def key(*_: object) -> bytes:
        return sha256(f"{game_id} {seats}".encode()).digest()

    with tempfile.TemporaryDirectory() as folder, mock.patch("bot.core.contributions.stream_key", key):
        async with a_loopback_world(Path(folder)) as world:
            await _begin(world, game_id, seats)
            before = len(world.loopback.calls)
            done = await _play(world, game_id, seats, pause, actions)
            await asyncio.sleep(DAY)
            left = world.people.seen(world.channel)
            return Left(
                messages=len(left), pictures=sum(bool(message.attachments) for message in left),
                height=sum(map(height, left)), actions=done, calls=len(world.loopback.calls) - before,
            )  # fmt: skip


async def _begin(world: LoopbackWorld, game_id: str, seats: int) -> None:
    people = world.people
    await people.slash(world.ann, world.channel, "open", game=game_id, seats=seats, clock="none")
    await asyncio.sleep(SOON)
    pressed = [(person, "sb|join") for person in (world.ben, world.cleo, world.chief)[: seats - 1]] + [(world.ann, "sb|start")]
    for person, verb in pressed:
        lobby = people.everywhere(Nature.LOBBY)[-1]
        for custom_id in [one for one in lobby.custom_ids if one.startswith(verb)]:
            await people.click(person, lobby, custom_id)
            await asyncio.sleep(SOON)


async def _play(world: LoopbackWorld, game_id: str, seats: int, pause: float, actions: int) -> int:
    """Play as a computer would. Return the number of actions."""
    players, computer = (world.ann, world.ben, world.cleo, world.chief)[:seats], opponent(game_id, Level.EASY)
    for done in range(actions):
        table = await world.client.core.snapshot(1)
        if not table.playing.to_act:
            return done
        seat = table.playing.to_act[0]
        chosen = computer.choose(table.playing.state, seat, stream=f"{game_id} {seats} {done}").action
        (player,) = (person for person in players if person.id == table.players[seat].user_id)
        await world.people.slash(player, world.channel, "move", action=" ".join(chosen))
        await asyncio.sleep(pause)
    return actions


def run(games: tuple[tuple[str, int], ...] = GAMES, actions: int = ACTIONS) -> Iterator[Figure]:
    for game_id, seats in games:
        for pace, pause in PACES:
            left = virtual_time.run(left_by_game(game_id, seats, pause, actions))
            game, note = f"{game_id} with {seats}, moves {pace} apart", f"{left.actions} actions"
            yield Figure(name=f"{game}: messages left", value=left.messages, note=note)
            yield Figure(name=f"{game}: of them with a picture", value=left.pictures)
            yield Figure(name=f"{game}: height of the channel", value=left.height, unit="px")
            yield Figure(name=f"{game}: calls an action", value=left.calls / left.actions)
