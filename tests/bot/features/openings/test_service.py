"""The openings of a server: only its finished public games count."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.features.analysis.tree import Analysed, Beginning, analysed, with_action
from bot.features.offers.service import Consent
from bot.features.openings import sql as openings_sql
from bot.features.openings.service import PlayedBefore, ServerOpenings
from bot.features.settings.moderation import Moderation
from engines import GAMES
from engines.bouncers import State
from engines.bouncers.state import first_state
from engines.chance import UNSEEDED, Fair
from engines.game import Action, legal_actions
from engines.position_codes import position_code
from opponents.bouncers.opening_book import Continuation, games_of_computers, openings_of_computers
from storage.schema.records import Analysis, OfferKind
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, Time, some, started

A, B, C = ("b2", "b3"), ("b7", "b6"), ("c2", "c3")
LINE = (A, B, C, ("c7", "c6"), ("d2", "d3"), ("d7", "d6"))
START = first_state("8x8-16", UNSEEDED)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def played(core: Core, *actions: Action, request: TableRequest = BOUNCERS, over: bool = True) -> int:
    """A game in which Ann and Ben have played these actions, and Ben has then resigned if it is `over`."""
    table_id = (await started(core, request)).table.id
    for action, user in zip(actions, (ANN, BEN) * len(actions), strict=False):
        await core.service(Play).act(table_id, user, action)
    if over:
        await core.service(Play).resign(table_id, BEN)
    return table_id


async def known(core: Core, guild_id: int = BOUNCERS.guild_id, variant: str = "8x8-16") -> tuple[Continuation, ...]:
    """The known first moves on a server."""
    return (await core.service(ServerOpenings).of(guild_id, variant)).continuations(first_state(variant, UNSEEDED))


def beginning(game: str = "bouncers", variant: str | None = None) -> Analysis:
    return Beginning(ANN.id, BOUNCERS.guild_id, 0.0).of_start(game, Fair(bytes(32)), variant)


async def test_finished_games_count_with_their_results_as_soon_as_they_are_over(core: Core, clock: Time) -> None:
    assert await known(core) == ()
    await played(core, A, B, C)
    running = await played(core, A, B, over=False)
    assert await known(core) == (Continuation(A, 1, 1.0),)
    assert await core.service(ServerOpenings).of(BOUNCERS.guild_id, "8x8-16") is await core.service(ServerOpenings).of(
        BOUNCERS.guild_id, "8x8-16"
    )
    clock.pass_(1)
    await core.service(Play).resign(running, ANN)
    assert await known(core) == (Continuation(A, 2, 0.5),)


async def test_private_or_other_games_and_those_without_a_result_do_not_count(core: Core) -> None:
    await played(core, A, request=replace(BOUNCERS, private=True, opponents=(BEN,)))
    await played(core, A, request=replace(BOUNCERS, variant="8x8-16-terminal"))
    await played(core, A, request=replace(BOUNCERS, guild_id=11))
    await played(core, request=replace(BOUNCERS, game="bunny", seats=2))
    closed = await played(core, A, over=False)
    await core.service(Moderation).close(closed, BOUNCERS.guild_id, CLEO)
    called_off = await played(core, A, over=False)
    await core.service(Consent).propose(called_off, ANN, OfferKind.CALL_OFF)
    await core.service(Consent).propose(called_off, BEN, OfferKind.CALL_OFF)
    assert await known(core) == ()
    assert await known(core, guild_id=11) == (Continuation(A, 1, 1.0),)
    assert await known(core, variant="8x8-16-terminal") == (Continuation(A, 1, 1.0),)


async def test_actions_taken_back_do_not_count(core: Core) -> None:
    table_id = await played(core, A, over=False)
    await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)
    await core.service(Play).act(table_id, ANN, C)
    await core.service(Play).resign(table_id, BEN)
    assert await known(core) == (Continuation(C, 1, 1.0),)


@pytest.mark.parametrize("tokens", ["5", '["b7"]', '["b7", "zz"]', '["b7", "b3"]', "[]"])
async def test_a_game_that_cannot_be_read_spoils_no_other(core: Core, store: Store, tokens: str) -> None:
    broken, _ = await played(core, A, B), await played(core, A, ("c7", "c6"))
    async with store.write() as writer:
        changed = sa.text("UPDATE actions SET tokens = :tokens WHERE table_id = :id AND number = 2")
        await writer.execute(changed, {"tokens": tokens, "id": broken})
    openings = await core.service(ServerOpenings).of(BOUNCERS.guild_id, "8x8-16")
    after = analysed(with_action(analysed(beginning()), 0, A)).history.state
    assert openings.continuations(after) == (Continuation(("c7", "c6"), 1, 0.0),)
    async with store.read() as reader:
        games, _ = await openings_sql.extent(reader, BOUNCERS.guild_id, "bouncers", "8x8-16")
    assert games == 2


async def known_at(core: Core, at: Analysed) -> PlayedBefore | None:
    """What was played at a position of an analysis."""
    return await core.service(ServerOpenings).at(at.analysis.guild_id, at.history, at.moves)


async def test_an_analysis_knows_what_was_played_in_the_opening_whatever_led_to_the_position(core: Core) -> None:
    await played(core, *LINE, ("e2", "e3"))
    here = []
    for line in (LINE, (C, B, A, *LINE[3:])):
        analysis = beginning()
        for number, action in enumerate(line):
            at = analysed(analysis)
            found = await known_at(core, at)
            here.append(() if found is None else found.here)
            analysis = with_action(at, number % 2, action)
        assert await known_at(core, analysed(analysis)) is None
    one_by_one = [(Continuation(action, 1, (1.0, 0.0)[number % 2]),) for number, action in enumerate(LINE)]
    assert here == [*one_by_one, one_by_one[0], (), (), *one_by_one[3:]]


async def test_what_computers_played_is_known_apart_and_other_games_have_no_openings(core: Core) -> None:
    found = some(await known_at(core, analysed(beginning())))
    assert found.here == ()
    assert sum(one.games for one in found.computers) >= 20
    assert await known_at(core, analysed(beginning("bunny"))) is None


async def test_a_typed_position_is_found_too(core: Core) -> None:
    await played(core, A, B)
    first = analysed(with_action(analysed(beginning()), 0, A))
    typed = Beginning(ANN.id, BOUNCERS.guild_id, 0.0).of_code(position_code(first.history.game, first.history.state))
    found = some(await known_at(core, analysed(typed)))
    assert found.here == (Continuation(B, 1, 0.0),)


async def departure(core: Core, table_id: int) -> int | None:
    return await core.service(ServerOpenings).departure(await core.snapshot(table_id))


async def test_a_game_leaves_the_known_paths_with_the_first_move_that_no_other_game_has(core: Core) -> None:
    first = await played(core, *LINE)
    other = (*LINE[:3], ("e7", "e6"), ("d2", "d3"))
    second = await played(core, *other)
    assert [await departure(core, table_id) for table_id in (first, second)] == [4, 4]
    again = await played(core, *LINE)
    assert [await departure(core, table_id) for table_id in (first, second, again)] == [None, 4, None]
    private = await played(core, *other, request=replace(BOUNCERS, private=True, opponents=(BEN,)))
    assert await departure(core, private) is None
    assert await departure(core, second) == 4, "a private game is no path"


async def test_a_game_never_on_a_known_path_or_always_on_one_leaves_none(core: Core) -> None:
    unusual = await played(core, ("b2", "a3", "a4", "b5"), B)
    assert await departure(core, unusual) is None, "its own moves do not make it known"
    await played(core, *LINE)
    assert await departure(core, await played(core, *LINE[:3])) is None
    assert await departure(core, await played(core, request=replace(BOUNCERS, game="bunny", seats=2))) is None


async def test_games_of_computers_make_paths_known_too(core: Core) -> None:
    game, known = next(games_of_computers("8x8-16")), openings_of_computers("8x8-16")
    before = state_after(game.actions[:3])
    others = (
        action
        for action in legal_actions(GAMES["bouncers"], before, 1)
        if not known.knows(before, state_after([*game.actions[:3], action]), without=-1)
    )
    assert await departure(core, await played(core, *game.actions[:3], next(others))) == 4
    assert await departure(core, await played(core, *game.actions)) is None


def state_after(actions: Sequence[Action]) -> State:
    state = START
    for action in actions:
        state = GAMES["bouncers"].advance(state, state.to_move, action)
    return state
