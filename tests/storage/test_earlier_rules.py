"""A table that began under earlier rules is replayed, played on and finished under these."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.quarantine import Quarantine
from bot.core.table.errors import Quarantined
from bot.core.table.history import BrokenLog, rebuild
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.verify.logbook import read_log, write_log
from bot.features.verify.service import Proof, check_games
from bot.parts import PARTS
from engines import EARLIER, GAMES
from engines.game import Game
from engines.pucks import FirstPucks, Pucks
from storage.schema.records import Status
from storage.store import Store
from tests.bot.service import ANN, BEN, CLEO, PEOPLE, Time, seeds, started
from tests.engines.contract_games import random_action

PUCKS = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=3, options={"setup": "random"}, most_tables=50)
BEFORE = {**GAMES, "pucks": FirstPucks()}
"""The program's games from before the current rules."""

FREE = {"extra", "double", "sweep", "quick-draw", "u-turn", *(f"take-{number}" for number in range(1, 7))}


def service(store: Store, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: tuple[Game[Any, Any], ...] = EARLIER) -> Core:
    known = seeds()
    return Core(store, parts=PARTS, now=Time(), entropy=lambda _: next(known), games=games, earlier=earlier)


async def one_action(core: Core, snapshot: Snapshot, dice: random.Random) -> Snapshot:
    """The table after a random action of somebody awaited."""
    history = snapshot.playing
    seat = dice.choice(history.to_act)
    action = random_action(history.game, history.state, seat, dice)
    return (await core.service(Play).act(snapshot.table.id, PEOPLE[snapshot.players[seat].user_id], action)).snapshot


async def with_a_turn_that_only_the_first_rules_end(core: Core) -> Snapshot:
    """A table where a turn has just ended by itself, because none of its player's cards is free."""
    for seed in range(1000):
        dice = random.Random(seed)
        snapshot = await started(core, PUCKS, BEN, CLEO)
        for _ in range(8):
            mover = snapshot.playing.state.to_move
            snapshot = await one_action(core, snapshot, dice)
            last, state = snapshot.playing.log[-1].entry, snapshot.playing.state
            over = state.to_move != mover and last.tokens[0] not in {"end", "discard"} and not state.closed
            if over and state.hands[mover]:
                assert not FREE & set(state.hands[mover])
                return snapshot
        for user in PEOPLE.values():
            if (await core.snapshot(snapshot.table.id)).table.status is Status.PLAYING and user.id <= 2:
                await core.service(Play).resign(snapshot.table.id, user)
    raise AssertionError("no such turn was found")


@pytest.mark.slow
async def test_a_game_that_began_under_earlier_rules_goes_on_under_them(store: Store) -> None:
    old = await with_a_turn_that_only_the_first_rules_end(service(store, BEFORE, ()))
    table_id, entries = old.table.id, [logged.entry for logged in old.playing.log]
    updated, dice = service(store), random.Random(1)
    snapshot = await updated.snapshot(table_id)
    assert (snapshot.table.rules, snapshot.playing.game.rules) == (1, 1)
    assert snapshot.playing.state == old.playing.state
    snapshot = await one_action(updated, snapshot, dice)
    with pytest.raises(BrokenLog):
        rebuild(Pucks(), snapshot.table, 3, [logged.entry for logged in snapshot.playing.log])
    for _ in range(40):
        snapshot = await one_action(updated, snapshot, dice)
    hand, discarded = snapshot.playing.state.hands[1], snapshot.playing.state.discard
    left = (await updated.service(Play).resign(table_id, PEOPLE[snapshot.players[1].user_id])).snapshot.playing.state
    assert left.discard == (*discarded, *hand), "under the first rules the cards of who left were seen"
    await updated.service(Play).resign(table_id, PEOPLE[snapshot.players[0].user_id])
    finished = await service(store).snapshot(table_id)
    assert (finished.table.status, finished.table.rules) == (Status.FINISHED, 1)
    assert [logged.entry for logged in finished.playing.log][: len(entries)] == entries
    assert (await updated.service(Proof).verify(table_id)).problems == ()
    read = read_log(write_log(finished, await updated.service(Proof).contributions(table_id))).history
    assert read is not None
    assert read.state == finished.playing.state


async def test_every_new_game_begins_under_the_present_rules(store: Store) -> None:
    core = service(store)
    snapshot = await started(core, PUCKS, BEN, CLEO)
    assert (snapshot.table.rules, snapshot.playing.game.rules) == (2, 2)
    dice = random.Random(5)
    for _ in range(30):
        mover = snapshot.playing.state.to_move
        snapshot = await one_action(core, snapshot, dice)
        last, state = snapshot.playing.log[-1].entry, snapshot.playing.state
        if state.to_move != mover and not state.closed:
            assert last.tokens[0] in {"end", "discard"} or not state.hands[mover]
    assert [problem async for problem in check_games(store)] == []


async def test_a_table_that_was_open_when_the_rules_changed_begins_under_the_new_ones(store: Store) -> None:
    before = service(store, BEFORE, ())
    table_id = (await before.service(Lobby).open(ANN, PUCKS)).table.id
    await before.service(Lobby).join(table_id, BEN)
    core = service(store)
    assert (await core.snapshot(table_id)).table.rules == 1
    snapshot = await core.service(Lobby).join(table_id, CLEO)
    assert (snapshot.table.status, snapshot.table.rules, snapshot.playing.game.rules) == (Status.PLAYING, 2, 2)
    again = await service(store).snapshot(table_id)
    assert (again.table.rules, again.playing.state) == (2, snapshot.playing.state)


async def test_a_game_under_unknown_rules_is_quarantined_and_not_lost(store: Store) -> None:
    old = await with_a_turn_that_only_the_first_rules_end(service(store, BEFORE, ()))
    without = service(store, earlier=())
    with pytest.raises(Quarantined):
        await without.snapshot(old.table.id)
    problems = [problem async for problem in check_games(store, without.rules_of)]
    assert f"Table {old.table.id}: there is no version 1 of the rules of Puck Bumpers." in problems
    again = service(store)
    assert await again.service(Quarantine).release(old.table.id) is None
    assert (await again.snapshot(old.table.id)).playing.state == old.playing.state
