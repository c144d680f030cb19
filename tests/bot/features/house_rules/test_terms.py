"""House rules: the opener of a table may change them until somebody else joins, and such tables are not rated."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import Refused, WrongStage
from bot.core.terms import Terms, terms_mark, why_fixed
from bot.features.lobby.service import Rematches
from storage.schema.records import Status
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, owed, press

PUCKS = replace(BOUNCERS, game="pucks", seats=2)


async def test_the_opener_can_change_the_options_until_somebody_else_joins(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, options={"order": "shuffled"}))).table.id
    changed = await core.service(Terms).change(table_id, ANN, {"colours": "2"})
    assert changed.table.options == {"order": "shuffled", "colours": "2"}
    assert (await core.snapshot(table_id)).table.options == changed.table.options
    assert (table_id, "lobby") in await owed(core)
    back = await core.service(Terms).change(table_id, ANN, {"colours": "1"})
    assert back.table.options == {"order": "shuffled"}


async def test_a_change_that_changes_nothing_tells_nobody_anything(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, PUCKS)).table.id
    await core.service(Terms).change(table_id, ANN, {"colours": "1"})
    assert await owed(core) == [(table_id, "opening")]


async def test_a_table_with_house_rules_is_not_rated_and_one_without_is(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, PUCKS)).table.id
    assert (await core.snapshot(table_id)).table.rated
    assert not (await core.service(Terms).change(table_id, ANN, {"colours": "2"})).table.rated
    assert not (await core.snapshot(table_id)).table.rated
    assert (await core.service(Terms).change(table_id, ANN, {"colours": "1"})).table.rated
    opened = await core.service(Lobby).open(BEN, replace(PUCKS, options={"colours": "2"}))
    assert not opened.table.rated


async def test_a_table_chosen_to_be_unrated_stays_so_without_house_rules(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, options={"rated": "no"}))).table.id
    await core.service(Terms).change(table_id, ANN, {"colours": "2"})
    assert not (await core.service(Terms).change(table_id, ANN, {"colours": "1"})).table.rated


async def test_the_placing_of_pieces_is_no_house_rule(core: Core) -> None:
    assert (await core.service(Lobby).open(ANN, replace(PUCKS, options={"setup": "random"}))).table.rated


async def test_only_the_opener_changes_them_and_only_until_somebody_joins(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, seats=3))
    table_id = snapshot.table.id
    assert why_fixed(snapshot, ANN.id) is None
    with pytest.raises(Refused, match="Ann sets the house rules"):
        await core.service(Terms).change(table_id, BEN, {"colours": "2"})
    joined = await core.service(Lobby).join(table_id, BEN)
    assert why_fixed(joined, ANN.id) is not None
    with pytest.raises(Refused, match="fixed once somebody else has joined"):
        await core.service(Terms).change(table_id, ANN, {"colours": "2"})
    await core.service(Lobby).leave(table_id, BEN)
    await core.service(Terms).change(table_id, ANN, {"colours": "2"})


async def test_an_unanswered_invitation_fixes_nothing(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, opponents=(BEN,)))).table.id
    assert (await core.service(Terms).change(table_id, ANN, {"colours": "2"})).table.options == {"colours": "2"}


async def test_an_opener_who_has_left_changes_nothing(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, seats=3))).table.id
    await core.service(Lobby).join(table_id, BEN)
    await core.service(Lobby).leave(table_id, ANN)
    with pytest.raises(Refused):
        await core.service(Terms).change(table_id, ANN, {"colours": "2"})


async def test_a_game_that_has_begun_keeps_its_rules(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, PUCKS)).table.id
    await core.service(Lobby).join(table_id, BEN)
    with pytest.raises(WrongStage):
        await core.service(Terms).change(table_id, ANN, {"colours": "2"})


async def test_options_that_do_not_go_together_change_nothing_and_say_why(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, seats=6))).table.id
    for options in ({"colours": "2"}, {"colours": "9"}, {"sides": "4"}):
        with pytest.raises(Refused):
            await core.service(Terms).change(table_id, ANN, options)
    assert (await core.snapshot(table_id)).table.options == {}
    fewer = await core.service(Terms).change(table_id, ANN, {"colours": "2"}, seats=3)
    assert (fewer.table.wanted, fewer.table.options) == (3, {"colours": "2"})


async def test_a_table_keeps_seats_for_all_who_are_invited(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, seats=None, opponents=(BEN, CLEO)))).table.id
    with pytest.raises(Refused, match="3, 4, 5, 6 seats"):
        await core.service(Terms).change(table_id, ANN, {}, seats=2)
    with pytest.raises(Refused, match="3, 4, 5, 6 seats"):
        await core.service(Terms).change(table_id, ANN, {}, seats=7)


async def test_a_table_for_anybody_has_as_many_seats_as_its_options_allow(core: Core) -> None:
    opened = await core.service(Lobby).open(ANN, replace(PUCKS, seats=None, options={"colours": "2"}))
    assert opened.table.wanted == 3
    assert (await core.service(Lobby).open(BEN, replace(PUCKS, seats=None))).table.wanted == 6


async def test_nobody_joins_under_terms_they_have_not_read(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, seats=3))
    table_id, read = snapshot.table.id, terms_mark(snapshot.table)
    changed = await core.service(Terms).change(table_id, ANN, {"colours": "2"})
    with pytest.raises(WrongStage, match="have changed since"):
        await core.service(Lobby).join(table_id, BEN, terms=read)
    joined = await core.service(Lobby).join(table_id, BEN, terms=terms_mark(changed.table))
    assert joined.seat_of(BEN.id) == 1


async def test_a_change_and_the_last_seat_at_the_same_moment_come_one_after_the_other(core: Core) -> None:
    for _ in range(5):
        snapshot = await core.service(Lobby).open(ANN, PUCKS)
        table_id, mark = snapshot.table.id, terms_mark(snapshot.table)
        change = core.service(Terms).change(table_id, ANN, {"colours": "2"})
        join = core.service(Lobby).join(table_id, BEN, press(snapshot, BEN), terms=mark)
        await asyncio.gather(change, join, return_exceptions=True)
        after = await core.snapshot(table_id)
        began = after.table.status is Status.PLAYING
        assert (after.table.options == {}) == began, "either they have joined what they read, or it was changed before"
        if began:
            assert after.playing.view(None).colours == 1
        else:
            assert len(after.players) == 1


async def test_a_rematch_has_the_same_house_rules(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, options={"colours": "2"}))
    await core.service(Lobby).join(snapshot.table.id, BEN)
    await core.service(Play).resign(snapshot.table.id, BEN)
    again = await core.service(Rematches).open(snapshot.table.id, ANN)
    assert (again.table.options, again.table.rated) == ({"colours": "2"}, False)


async def test_nobody_is_drawn_into_a_rematch_under_other_rules(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, PUCKS)
    await core.service(Lobby).join(snapshot.table.id, BEN)
    await core.service(Play).resign(snapshot.table.id, BEN)
    again = await core.service(Rematches).open(snapshot.table.id, ANN)
    assert terms_mark(again.table) == terms_mark((await core.snapshot(snapshot.table.id)).table)
    await core.service(Terms).change(again.table.id, ANN, {"colours": "2"})
    with pytest.raises(WrongStage, match="have changed since"):
        await core.service(Rematches).open(snapshot.table.id, BEN)
    await core.service(Terms).change(again.table.id, ANN, {"colours": "1"})
    assert (await core.service(Rematches).open(snapshot.table.id, BEN)).table.status is Status.PLAYING
