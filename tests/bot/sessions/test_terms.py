"""House rules: whoever opens a table may change them until somebody else joins, and such tables are not rated."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.service import Sessions
from bot.core.table.errors import Refused, WrongStage
from bot.core.terms import terms_mark, why_fixed
from storage.schema.records import Status
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, owed, press

PUCKS = replace(BOUNCERS, game="pucks", seats=2)


async def test_the_opener_changes_the_options_as_long_as_nobody_else_has_joined(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PUCKS, options={"order": "shuffled"}))).table.id
    changed = await sessions.terms.change(table_id, ANN, {"colours": "2"})
    assert changed.table.options == {"order": "shuffled", "colours": "2"}
    assert (await sessions.snapshot(table_id)).table.options == changed.table.options
    assert (table_id, "lobby") in await owed(sessions)
    back = await sessions.terms.change(table_id, ANN, {"colours": "1"})
    assert back.table.options == {"order": "shuffled"}


async def test_a_change_that_changes_nothing_tells_nobody_anything(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, PUCKS)).table.id
    await sessions.terms.change(table_id, ANN, {"colours": "1"})
    assert await owed(sessions) == [(table_id, "opening")]


async def test_a_table_with_house_rules_is_not_rated_and_one_without_is(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, PUCKS)).table.id
    assert (await sessions.snapshot(table_id)).table.rated
    assert not (await sessions.terms.change(table_id, ANN, {"colours": "2"})).table.rated
    assert not (await sessions.snapshot(table_id)).table.rated
    assert (await sessions.terms.change(table_id, ANN, {"colours": "1"})).table.rated
    opened = await sessions.lobby.open(BEN, replace(PUCKS, options={"colours": "2"}))
    assert not opened.table.rated


async def test_a_table_that_was_not_to_be_rated_is_not_when_its_house_rules_go(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PUCKS, options={"rated": "no"}))).table.id
    await sessions.terms.change(table_id, ANN, {"colours": "2"})
    assert not (await sessions.terms.change(table_id, ANN, {"colours": "1"})).table.rated


async def test_how_pieces_are_placed_is_no_house_rule(sessions: Sessions) -> None:
    assert (await sessions.lobby.open(ANN, replace(PUCKS, options={"setup": "random"}))).table.rated


async def test_nobody_else_changes_them_and_nobody_once_somebody_has_joined(sessions: Sessions) -> None:
    snapshot = await sessions.lobby.open(ANN, replace(PUCKS, seats=3))
    table_id = snapshot.table.id
    assert why_fixed(snapshot, ANN.id) is None
    with pytest.raises(Refused, match="Ann sets the house rules"):
        await sessions.terms.change(table_id, BEN, {"colours": "2"})
    joined = await sessions.lobby.join(table_id, BEN)
    assert why_fixed(joined, ANN.id) is not None
    with pytest.raises(Refused, match="fixed once somebody else has joined"):
        await sessions.terms.change(table_id, ANN, {"colours": "2"})
    await sessions.lobby.leave(table_id, BEN)
    await sessions.terms.change(table_id, ANN, {"colours": "2"})


async def test_an_invitation_that_is_not_answered_fixes_nothing(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PUCKS, opponents=(BEN,)))).table.id
    assert (await sessions.terms.change(table_id, ANN, {"colours": "2"})).table.options == {"colours": "2"}


async def test_who_has_left_changes_nothing(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PUCKS, seats=3))).table.id
    await sessions.lobby.join(table_id, BEN)
    await sessions.lobby.leave(table_id, ANN)
    with pytest.raises(Refused):
        await sessions.terms.change(table_id, ANN, {"colours": "2"})


async def test_a_game_that_has_begun_keeps_its_rules(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, PUCKS)).table.id
    await sessions.lobby.join(table_id, BEN)
    with pytest.raises(WrongStage):
        await sessions.terms.change(table_id, ANN, {"colours": "2"})


async def test_what_does_not_go_together_changes_nothing_and_says_why(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PUCKS, seats=6))).table.id
    for options in ({"colours": "2"}, {"colours": "9"}, {"sides": "4"}):
        with pytest.raises(Refused):
            await sessions.terms.change(table_id, ANN, options)
    assert (await sessions.snapshot(table_id)).table.options == {}
    fewer = await sessions.terms.change(table_id, ANN, {"colours": "2"}, seats=3)
    assert (fewer.table.wanted, fewer.table.options) == (3, {"colours": "2"})


async def test_a_table_keeps_seats_for_all_who_are_invited(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PUCKS, seats=None, opponents=(BEN, CLEO)))).table.id
    with pytest.raises(Refused, match="3, 4, 5, 6 seats"):
        await sessions.terms.change(table_id, ANN, {}, seats=2)
    with pytest.raises(Refused, match="3, 4, 5, 6 seats"):
        await sessions.terms.change(table_id, ANN, {}, seats=7)


async def test_a_table_for_anybody_has_as_many_seats_as_its_options_allow(sessions: Sessions) -> None:
    opened = await sessions.lobby.open(ANN, replace(PUCKS, seats=None, options={"colours": "2"}))
    assert opened.table.wanted == 3
    assert (await sessions.lobby.open(BEN, replace(PUCKS, seats=None))).table.wanted == 6


async def test_nobody_joins_under_other_terms_than_they_have_read(sessions: Sessions) -> None:
    snapshot = await sessions.lobby.open(ANN, replace(PUCKS, seats=3))
    table_id, read = snapshot.table.id, terms_mark(snapshot.table)
    changed = await sessions.terms.change(table_id, ANN, {"colours": "2"})
    with pytest.raises(WrongStage, match="have changed since"):
        await sessions.lobby.join(table_id, BEN, terms=read)
    joined = await sessions.lobby.join(table_id, BEN, terms=terms_mark(changed.table))
    assert joined.seat_of(BEN.id) == 1


async def test_a_change_and_the_last_seat_at_the_same_moment_come_one_after_the_other(sessions: Sessions) -> None:
    for _ in range(5):
        snapshot = await sessions.lobby.open(ANN, PUCKS)
        table_id, mark = snapshot.table.id, terms_mark(snapshot.table)
        change = sessions.terms.change(table_id, ANN, {"colours": "2"})
        join = sessions.lobby.join(table_id, BEN, press(snapshot, BEN), terms=mark)
        await asyncio.gather(change, join, return_exceptions=True)
        after = await sessions.snapshot(table_id)
        began = after.table.status is Status.PLAYING
        assert (after.table.options == {}) == began, "either they have joined what they read, or it was changed before"
        if began:
            assert after.playing.view(None).colours == 1
        else:
            assert len(after.players) == 1


async def test_a_rematch_has_the_same_house_rules(sessions: Sessions) -> None:
    snapshot = await sessions.lobby.open(ANN, replace(PUCKS, options={"colours": "2"}))
    await sessions.lobby.join(snapshot.table.id, BEN)
    await sessions.play.resign(snapshot.table.id, BEN)
    again = await sessions.consent.rematch(snapshot.table.id, ANN)
    assert (again.table.options, again.table.rated) == ({"colours": "2"}, False)


async def test_nobody_is_drawn_into_a_rematch_under_other_rules(sessions: Sessions) -> None:
    snapshot = await sessions.lobby.open(ANN, PUCKS)
    await sessions.lobby.join(snapshot.table.id, BEN)
    await sessions.play.resign(snapshot.table.id, BEN)
    again = await sessions.consent.rematch(snapshot.table.id, ANN)
    assert terms_mark(again.table) == terms_mark((await sessions.snapshot(snapshot.table.id)).table)
    await sessions.terms.change(again.table.id, ANN, {"colours": "2"})
    with pytest.raises(WrongStage, match="have changed since"):
        await sessions.consent.rematch(snapshot.table.id, BEN)
    await sessions.terms.change(again.table.id, ANN, {"colours": "1"})
    assert (await sessions.consent.rematch(snapshot.table.id, BEN)).table.status is Status.PLAYING
