"""The openings of a server: its finished public games count, and nothing else."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.core.service import Sessions
from bot.core.table.request import TableRequest
from bot.features.analysis.tree import Beginning, analysed, with_action
from bot.features.openings import sql as openings_sql
from engines import GAMES
from engines.bouncers import State
from engines.bouncers.state import first_state
from engines.chance import UNSEEDED, Fair
from engines.game import Action, legal_actions
from engines.position_codes import position_code
from opponents.bouncers.opening_book import Continuation, games_of_computers, openings_of_computers
from storage.schema.records import Analysis
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, Time, started

A, B, C = ("b2", "b3"), ("b7", "b6"), ("c2", "c3")
LINE = (A, B, C, ("c7", "c6"), ("d2", "d3"), ("d7", "d6"))
START = first_state("8x8-16", UNSEEDED)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def played(sessions: Sessions, *actions: Action, request: TableRequest = BOUNCERS, over: bool = True) -> int:
    """A game in which Ann and Ben have played these actions in turn; then Ben has resigned, unless it is not `over`."""
    table_id = (await started(sessions, request)).table.id
    for action, user in zip(actions, (ANN, BEN) * len(actions), strict=False):
        await sessions.play.act(table_id, user, action)
    if over:
        await sessions.play.resign(table_id, BEN)
    return table_id


async def known(sessions: Sessions, guild_id: int = BOUNCERS.guild_id, variant: str = "8x8-16") -> tuple[Continuation, ...]:
    """The first moves that are known on a server."""
    return (await sessions.openings.of(guild_id, variant)).continuations(first_state(variant, UNSEEDED))


def beginning(game: str = "bouncers", variant: str | None = None) -> Analysis:
    return Beginning(ANN.id, BOUNCERS.guild_id, 0.0).of_start(game, Fair(bytes(32)), variant)


async def test_finished_games_count_with_their_results_as_soon_as_they_are_over(sessions: Sessions, clock: Time) -> None:
    assert await known(sessions) == ()
    await played(sessions, A, B, C)
    running = await played(sessions, A, B, over=False)
    assert await known(sessions) == (Continuation(A, 1, 1.0),)
    assert await sessions.openings.of(BOUNCERS.guild_id, "8x8-16") is await sessions.openings.of(BOUNCERS.guild_id, "8x8-16")
    clock.pass_(1)
    await sessions.play.resign(running, ANN)
    assert await known(sessions) == (Continuation(A, 2, 0.5),)


async def test_private_games_games_of_other_variants_and_servers_and_those_without_a_result_count_nowhere(
    sessions: Sessions,
) -> None:
    await played(sessions, A, request=replace(BOUNCERS, private=True, opponents=(BEN,)))
    await played(sessions, A, request=replace(BOUNCERS, variant="8x8-16-terminal"))
    await played(sessions, A, request=replace(BOUNCERS, guild_id=11))
    await played(sessions, request=replace(BOUNCERS, game="bunny", seats=2))
    closed = await played(sessions, A, over=False)
    await sessions.moderation.close(closed, BOUNCERS.guild_id, CLEO)
    called_off = await played(sessions, A, over=False)
    await sessions.consent.call_off(called_off, ANN)
    await sessions.consent.call_off(called_off, BEN)
    assert await known(sessions) == ()
    assert await known(sessions, guild_id=11) == (Continuation(A, 1, 1.0),)
    assert await known(sessions, variant="8x8-16-terminal") == (Continuation(A, 1, 1.0),)


async def test_what_was_taken_back_was_not_played(sessions: Sessions) -> None:
    table_id = await played(sessions, A, over=False)
    await sessions.consent.undo(table_id, ANN)
    await sessions.consent.undo(table_id, BEN)
    await sessions.play.act(table_id, ANN, C)
    await sessions.play.resign(table_id, BEN)
    assert await known(sessions) == (Continuation(C, 1, 1.0),)


@pytest.mark.parametrize("tokens", ["5", '["b7"]', '["b7", "zz"]', '["b7", "b3"]', "[]"])
async def test_a_game_that_cannot_be_read_spoils_no_other(sessions: Sessions, store: Store, tokens: str) -> None:
    broken, _ = await played(sessions, A, B), await played(sessions, A, ("c7", "c6"))
    async with store.write() as writer:
        changed = sa.text("UPDATE actions SET tokens = :tokens WHERE table_id = :id AND number = 2")
        await writer.execute(changed, {"tokens": tokens, "id": broken})
    openings = await sessions.openings.of(BOUNCERS.guild_id, "8x8-16")
    after = analysed(with_action(analysed(beginning()), 0, A)).history.state
    assert openings.continuations(after) == (Continuation(("c7", "c6"), 1, 0.0),)
    async with store.read() as reader:
        games, _ = await openings_sql.extent(reader, BOUNCERS.guild_id, "bouncers", "8x8-16")
    assert games == 2


# --- in an analysis -----------------------------------------------------------------------------------------------------------


async def test_an_analysis_knows_what_was_played_in_the_opening_whatever_led_to_the_position(sessions: Sessions) -> None:
    await played(sessions, *LINE, ("e2", "e3"))
    here = []
    for line in (LINE, (C, B, A, *LINE[3:])):
        analysis = beginning()
        for number, action in enumerate(line):
            at = analysed(analysis)
            found = await sessions.openings.at(at)
            here.append(() if found is None else found.here)
            analysis = with_action(at, number % 2, action)
        assert await sessions.openings.at(analysed(analysis)) is None
    one_by_one = [(Continuation(action, 1, (1.0, 0.0)[number % 2]),) for number, action in enumerate(LINE)]
    assert here == [*one_by_one, one_by_one[0], (), (), *one_by_one[3:]]


async def test_what_computers_played_is_known_apart_and_other_games_have_no_openings(sessions: Sessions) -> None:
    found = await sessions.openings.at(analysed(beginning()))
    assert found is not None
    assert found.here == ()
    assert sum(one.games for one in found.computers) >= 20
    assert await sessions.openings.at(analysed(beginning("bunny"))) is None


async def test_a_position_that_somebody_has_typed_is_found_too(sessions: Sessions) -> None:
    await played(sessions, A, B)
    first = analysed(with_action(analysed(beginning()), 0, A))
    typed = Beginning(ANN.id, BOUNCERS.guild_id, 0.0).of_code(position_code(first.history.game, first.history.state))
    found = await sessions.openings.at(analysed(typed))
    assert found is not None
    assert found.here == (Continuation(B, 1, 0.0),)


# --- where a game left them ---------------------------------------------------------------------------------------------------


async def departure(sessions: Sessions, table_id: int) -> int | None:
    return await sessions.openings.departure(await sessions.snapshot(table_id))


async def test_a_game_leaves_the_known_paths_with_the_first_move_that_no_other_game_has(sessions: Sessions) -> None:
    first = await played(sessions, *LINE)
    other = (*LINE[:3], ("e7", "e6"), ("d2", "d3"))
    second = await played(sessions, *other)
    assert [await departure(sessions, table_id) for table_id in (first, second)] == [4, 4]
    again = await played(sessions, *LINE)
    assert [await departure(sessions, table_id) for table_id in (first, second, again)] == [None, 4, None]
    private = await played(sessions, *other, request=replace(BOUNCERS, private=True, opponents=(BEN,)))
    assert await departure(sessions, private) is None
    assert await departure(sessions, second) == 4, "a private game is no path"


async def test_a_game_that_never_was_on_a_known_path_or_ended_on_one_leaves_none(sessions: Sessions) -> None:
    unusual = await played(sessions, ("b2", "a3", "a4", "b5"), B)
    assert await departure(sessions, unusual) is None, "its own moves do not make it known"
    await played(sessions, *LINE)
    assert await departure(sessions, await played(sessions, *LINE[:3])) is None
    assert await departure(sessions, await played(sessions, request=replace(BOUNCERS, game="bunny", seats=2))) is None


async def test_computers_make_paths_known_too(sessions: Sessions) -> None:
    game, known = next(games_of_computers("8x8-16")), openings_of_computers("8x8-16")
    before = state_after(game.actions[:3])
    others = (
        action
        for action in legal_actions(GAMES["bouncers"], before, 1)
        if not known.knows(before, state_after([*game.actions[:3], action]), without=-1)
    )
    assert await departure(sessions, await played(sessions, *game.actions[:3], next(others))) == 4
    assert await departure(sessions, await played(sessions, *game.actions)) is None


def state_after(actions: Sequence[Action]) -> State:
    """The state after the first moves of a game."""
    state = START
    for action in actions:
        state = GAMES["bouncers"].advance(state, state.to_move, action)
    return state
