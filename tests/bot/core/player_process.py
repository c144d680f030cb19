"""A process that plays Bouncers against itself through the core until it is killed.

It reports ``ask`` before every action and ``ack`` after it, each with interaction, table and version. What it acknowledged must
survive the kill. What it asked for and repeats after the restart with the same interaction must be there at most once. The
player who waits has often planned ahead.
"""

import asyncio
import random
import time
from pathlib import Path

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import SessionError
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.plans.service import Plans
from bot.parts import PARTS
from engines.game import Action, legal_actions
from storage.schema.records import Status
from storage.store import Store
from tests.forking import Tell

BEN = User(2, "Ben")


async def a_game(core: Core) -> Snapshot:
    """The running game, or a new one."""
    for table in await core.tables(guild_id=1, statuses=(Status.PLAYING,)):
        return await core.snapshot(table.id)
    for table in await core.tables(guild_id=1, statuses=(Status.OPEN,)):
        return await core.service(Lobby).join(table.id, BEN)
    somebody = User(random.randrange(1000, 10**9), "Ann")  # one person may not open tables so fast
    opened = await core.service(Lobby).open(somebody, TableRequest(guild_id=1, channel_id=2, game="bouncers"))
    return await core.service(Lobby).join(opened.table.id, BEN)


def play_on(tell: Tell, path: Path, unanswered: list[tuple[int, int, int]]) -> None:
    """Play on; `unanswered` holds interaction, table and version of what the last process asked for without an answer."""
    asyncio.run(_play_on(tell, path, unanswered))


async def _play_on(tell: Tell, path: Path, unanswered: list[tuple[int, int, int]]) -> None:
    store = await Store.open(path)
    core = Core(store, parts=PARTS, now=time.time)
    interaction = time.time_ns()
    for again, table_id, version in unanswered:
        snapshot = await core.snapshot(table_id)
        if snapshot.table.status is Status.PLAYING:
            await act(tell, core, snapshot, again, version)
    while True:
        snapshot = await a_game(core)
        interaction += 1
        await act(tell, core, snapshot, interaction, snapshot.table.version)


async def act(tell: Tell, core: Core, snapshot: Snapshot, interaction: int, version: int) -> None:
    """Play a legal action for the player whose turn it is."""
    history = snapshot.playing
    seat = history.to_act[0]
    chosen = random.Random(interaction).choice(list(legal_actions(history.game, history.state, seat)))
    user = User(snapshot.players[seat].user_id, "player")
    if interaction % 3:
        await plan_ahead(core, snapshot, 1 - seat, chosen)
    tell(("ask", interaction, snapshot.table.id, version))
    try:
        played = await core.service(Play).act(snapshot.table.id, user, chosen, version=version, interaction_id=interaction)
    except SessionError as error:
        tell(("refused", interaction, type(error).__name__))
    else:
        tell(("ack", interaction, snapshot.table.id, played.snapshot.table.version))


async def plan_ahead(core: Core, snapshot: Snapshot, seat: int, theirs: Action) -> None:
    """Plan an answer to the opponent's next action, and one after that."""
    table_id, game, state = snapshot.table.id, snapshot.playing.game, snapshot.playing.state
    user = User(snapshot.players[seat].user_id, "planner")
    path: tuple[int, ...] = ()
    for _ in range(2):
        state = game.play(state, 1 - seat, theirs).state
        if seat not in game.to_act(state):
            break
        mine = next(iter(legal_actions(game, state, seat)))
        await core.service(Plans).clear(table_id, user) if not path else None
        await core.service(Plans).add_reply(table_id, user, None, path, theirs, mine)
        state, path = game.play(state, seat, mine).state, (0,)
        if 1 - seat not in game.to_act(state):
            break
        theirs = next(iter(legal_actions(game, state, 1 - seat)))
