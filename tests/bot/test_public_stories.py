"""On two servers that differ only in what somebody cannot know, Discord is told the same, to the last byte.

The second server's game begins with everything hidden dealt anew (tests/engines/public_stories.py). Seeds, interactions and
times are the same, and each action tells the onlooker the same on both. Only private answers to the other player may differ.
"""

import contextlib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from simcord.actors import MemberActor

from bot.messages.click import Click
from engines import GAMES
from engines.game import Action
from storage.schema.records import Status
from tests.bot.forging import forged
from tests.bot.kit import World, a_world
from tests.bot.seated import Seated, all_that_is_public, open_table, seeded, small_table
from tests.engines.contract_games import Case
from tests.engines.public_stories import dealt_anew, hidden_differences, next_moment

pytestmark = pytest.mark.slow
ONLOOKER = 0
"""Ann's seat, through whose eyes the servers are compared."""
ACTIONS = 4
ATTACHED = re.compile(r"/[0-9]+/(?=[a-z0-9-]+\.(?:png|gif)\b)")
"""An attachment's number in its URL, which Discord assigns in order of arrival."""
DEALS = 2000
"""How many deals to try for one with which enough actions tell the same."""


@dataclass
class Script:
    """What is played on both servers: which seat does what, and the `deal` of everything hidden on the second server."""

    deal: int = 0
    moments: list[tuple[int, Action]] = field(default_factory=list)


@contextlib.contextmanager
def hidden_otherwise(case: Case, deal: int) -> Iterator[None]:
    """In this block games start with everything hidden changed, but look the same to the onlooker."""
    kind = type(GAMES[case.game_id])
    start = kind.start

    def started(game: Any, *arguments: Any, **options: Any) -> Any:
        return dealt_anew(case, start(game, *arguments, **options), ONLOOKER, random.Random(deal))

    with mock.patch.object(kind, "start", started):
        yield


async def look_around(world: World, table: Seated) -> None:
    board = table.board()
    for person in (world.ann, world.ben, world.cleo):
        for verb in ("words", "board", "more", "hand", "move", "happened", "replay", "verify"):
            await forged(person, board, Click(verb, table.table_id, tokens=("log",) if verb == "replay" else ()))
        await person.slash(world.channel, "games")
        await person.autocomplete(world.channel, "board", "game", "")
        for typed in ("", "play ", "x"):
            await person.autocomplete(world.channel, "move", "action", typed)
    for wrong in ("play whistle", "spy z9"):  # in no state can this be played
        await world.ann.slash(world.channel, "move", action=wrong)
        await world.cleo.slash(world.channel, "move", action=wrong, game=str(table.table_id))


def told(world: World, hidden_from: MemberActor, since: int = 0) -> list[Any]:
    """All that Discord was told, except the content of what only one person reads."""
    private = {str(one.id) for one in world.env.backend.interactions.values() if one.user_id == hidden_from.id}
    private |= {one.token for one in world.env.backend.interactions.values() if one.user_id == hidden_from.id}
    calls: list[Any] = []
    for call in world.watch.calls[since:]:
        if private & set(call.path.split("/")):
            calls.append((call.at, call.kind, call.method, call.path))
        else:
            calls.append((call.at, call.kind, call.method, call.path, str(call.body), call.files))
    return calls


def script(case: Case, state: Any) -> Script:
    """Actions that tell the onlooker the same in this game and in one where everything hidden is different."""
    for deal in range(DEALS):
        dice, found = random.Random(deal), Script(deal)
        pair = (state, dealt_anew(case, state, ONLOOKER, random.Random(deal)))
        assert hidden_differences(case, pair) >= 15
        while len(found.moments) < ACTIONS and (told := next_moment(case, ONLOOKER, pair, dice, tries=30)) is not None:
            assert told.seat is not None
            assert told.action is not None
            found.moments.append((told.seat, told.action))
            pair = told.states
        if len(found.moments) == ACTIONS and hidden_differences(case, pair) >= 10 and not case.game.outcome(pair[0]):
            return found
    raise AssertionError("no deal was found with which the story goes on")


async def seen(world: World, case: Case, played: Script) -> list[Any]:
    """Play, have everybody look around now and then, and return all that the onlooker could see.

    On the first server this writes the script.
    """
    table = await open_table(world, case.game_id, world.ann, world.ben, **small_table(case.game_id))
    if not played.moments:
        written = script(case, (await table.snapshot()).playing.state)
        played.deal, played.moments = written.deal, written.moments
    for number, (seat, action) in enumerate(played.moments, 1):
        await table.type(table.people[seat], action)
        if number in {ACTIONS // 2, ACTIONS}:
            await look_around(world, table)
    assert (await table.snapshot()).playing.version == ACTIONS
    assert (await table.snapshot()).table.status is Status.PLAYING
    pictures = [(picture.alt, picture.png) for message in world.messages() for picture in world.pictures(message)]
    return [told(world, world.ben), ATTACHED.sub("/", all_that_is_public(world)), pictures]


@pytest.mark.parametrize("game", [game.id for game in GAMES.values() if game.secret])
async def test_discord_is_told_nothing_but_the_public_story(tmp_path: Path, game: str) -> None:
    case = Case(game, GAMES[game].variants[0], max(2, GAMES[game].seats[0]))
    played, found = Script(), list[list[Any]]()
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        async with a_world(folder, seeded(1)) as world:
            with hidden_otherwise(case, played.deal) if found else contextlib.nullcontext():
                found.append(await seen(world, case, played))
    (calls, public, pictures), (other_calls, other_public, other_pictures) = found
    assert len(calls) > 60
    # What is sent at the same moment, a board and the answer to the click, arrives in either order.
    for call, other in zip(sorted(calls, key=str), sorted(other_calls, key=str), strict=True):
        assert call == other
    assert (public, pictures) == (other_public, other_pictures)
