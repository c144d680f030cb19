"""A computer in the seat of somebody who left: only right after that, and only if all who play on agree."""

from dataclasses import replace

import pytest

from bot.core.service import Sessions
from bot.core.table.computer_players import is_computer
from bot.core.table.errors import NotSeated, Refused
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.computers.questions import PAUSE, WHILE_ASKED
from opponents.contract import PACES
from storage.schema.records import EntryKind, JobKind, Level, OfferKind, SeatStatus, Status
from tests.bot.service import ANN, BEN, CLEO, DEV, Time, jobs, started
from tests.bot.sessions.seated_computers import acted, asked

FOUR = TableRequest(
    guild_id=10, channel_id=20, game="pucks", options={"setup": "random"}, clock=3600, opponents=(BEN, CLEO, DEV)
)


async def left(sessions: Sessions) -> Snapshot:
    """A rated game for four that Cleo has just left."""
    snapshot = await started(sessions, FOUR, BEN, CLEO, DEV)
    assert snapshot.table.rated
    return (await sessions.play.resign(snapshot.table.id, CLEO)).snapshot


async def test_a_computer_takes_the_seat_when_all_who_play_on_agree(sessions: Sessions, clock: Time) -> None:
    snapshot = await left(sessions)
    table_id, before = snapshot.table.id, snapshot.playing.version
    snapshot, done = await sessions.relieving.propose(table_id, BEN, CLEO.id, Level.HARD)
    assert not done
    with pytest.raises(Refused, match="asked for this yourself, and I’m waiting for Red, Yellow"):
        await sessions.relieving.agree(table_id, BEN)
    assert [job.key for job in await jobs(sessions) if job.kind is JobKind.OFFER] == [OfferKind.COMPUTER]
    snapshot, done = await sessions.relieving.agree(table_id, ANN)
    assert not done
    snapshot, done = await sessions.relieving.agree(table_id, DEV)
    assert done
    newcomer = snapshot.players[2]
    assert is_computer(newcomer.user_id)
    assert (newcomer.computer, newcomer.status) == (Level.HARD, SeatStatus.JOINED)
    assert (snapshot.table.rated, snapshot.table.offers.computer) == (False, None)
    assert (snapshot.playing.version, snapshot.playing.log[-1].entry.kind) == (before + 1, EntryKind.UNDO)
    assert [(gone.user_id, gone.lost) for gone in snapshot.departures] == [(CLEO.id, False)]
    assert await sessions.snapshot(table_id) == snapshot
    assert (await sessions.ratings.results(10, CLEO.id, asked_by=CLEO.id)).recent == ()
    assert (await sessions.proof.verify(table_id)).problems == ()


async def test_the_computer_plays_when_it_is_its_turn(sessions: Sessions, clock: Time) -> None:
    snapshot = await started(sessions, FOUR, BEN, CLEO, DEV)
    people = (ANN, BEN, CLEO, DEV)
    while 2 not in snapshot.playing.to_act:
        snapshot = await acted(sessions, snapshot, people[snapshot.playing.to_act[0]])
    await sessions.play.resign(snapshot.table.id, CLEO)
    for person in (ANN, BEN, DEV):
        if person is ANN:
            await sessions.relieving.propose(snapshot.table.id, ANN, CLEO.id, Level.EASY)
        else:
            await sessions.relieving.agree(snapshot.table.id, person)
    assert await sessions.computers.next_due() == clock.now + PAUSE - PACES[Level.EASY]
    assert (await asked(sessions, clock, snapshot.table.id)).seat == 2


async def test_computers_at_the_table_agree_and_wait_while_people_are_asked(sessions: Sessions, clock: Time) -> None:
    request = replace(FOUR, opponents=(BEN, CLEO), computers=(Level.EASY,))
    snapshot = await started(sessions, request, BEN, CLEO)
    people = (ANN, BEN, CLEO)
    while 3 not in snapshot.playing.to_act:
        snapshot = await acted(sessions, snapshot, people[snapshot.playing.to_act[0]])
    await sessions.play.resign(snapshot.table.id, CLEO)
    await sessions.relieving.propose(snapshot.table.id, ANN, CLEO.id, Level.EASY)
    assert await sessions.computers.next_due() == clock.now + WHILE_ASKED
    snapshot, done = await sessions.relieving.agree(snapshot.table.id, BEN)
    assert done
    assert snapshot.computers == (2, 3)
    assert len({player.user_id for player in snapshot.players}) == 4


async def test_one_who_declines_keeps_the_seat_empty(sessions: Sessions) -> None:
    snapshot = await left(sessions)
    await sessions.relieving.propose(snapshot.table.id, BEN, CLEO.id, Level.HARD)
    snapshot = await sessions.consent.refuse(snapshot.table.id, ANN, OfferKind.COMPUTER)
    assert snapshot.table.offers.computer is None
    with pytest.raises(Refused, match="offer is gone"):
        await sessions.relieving.agree(snapshot.table.id, DEV)
    assert snapshot.table.rated


async def test_the_proposal_lapses_with_the_next_action(sessions: Sessions) -> None:
    snapshot = await left(sessions)
    snapshot, _ = await sessions.relieving.propose(snapshot.table.id, BEN, CLEO.id, Level.HARD)
    people = (ANN, BEN, CLEO, DEV)
    await acted(sessions, snapshot, people[snapshot.playing.to_act[0]])
    with pytest.raises(Refused, match="offer is gone"):
        await sessions.relieving.agree(snapshot.table.id, DEV)
    with pytest.raises(Refused, match="moved on"):
        await sessions.relieving.propose(snapshot.table.id, BEN, CLEO.id, Level.HARD)


async def test_only_a_seat_that_was_left_is_offered_and_only_by_those_who_play(sessions: Sessions) -> None:
    snapshot = await left(sessions)
    with pytest.raises(Refused, match="still in the game"):
        await sessions.relieving.propose(snapshot.table.id, BEN, DEV.id, Level.HARD)
    with pytest.raises(Refused, match="left this game"):
        await sessions.relieving.propose(snapshot.table.id, CLEO, CLEO.id, Level.HARD)
    with pytest.raises(Refused, match="not playing"):
        await sessions.relieving.propose(snapshot.table.id, BEN, 99, Level.HARD)
    assert (await sessions.snapshot(snapshot.table.id)).table.status is Status.PLAYING
    with pytest.raises(NotSeated):
        await sessions.relieving.propose(snapshot.table.id, User(98, "Eve"), CLEO.id, Level.HARD)
