"""A computer in a seat that was left: only right after that, and only if everybody still playing agrees."""

from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.computer_players import is_computer
from bot.core.table.errors import NotSeated, Refused
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.computers.questions import PAUSE, WHILE_ASKED
from bot.features.computers.service import Computers
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.stats.ratings import Ratings
from bot.features.verify.service import Proof
from opponents.contract import PACES
from storage.schema.records import EntryKind, JobKind, Level, OfferKind, SeatStatus, Status
from tests.bot.features.computers.seated_computers import acted, asked
from tests.bot.service import ANN, BEN, CLEO, DEV, Time, jobs, started

FOUR = TableRequest(
    guild_id=10, channel_id=20, game="pucks", options={"setup": "random"}, clock=3600, opponents=(BEN, CLEO, DEV)
)


async def left(core: Core) -> Snapshot:
    """A rated game for four that Cleo has just left."""
    snapshot = await started(core, FOUR, BEN, CLEO, DEV)
    assert snapshot.table.rated
    return (await core.service(Play).resign(snapshot.table.id, CLEO)).snapshot


async def test_a_computer_takes_the_seat_when_all_who_play_on_agree(core: Core, clock: Time) -> None:
    snapshot = await left(core)
    table_id, before = snapshot.table.id, snapshot.playing.version
    answered = await core.service(Consent).propose(table_id, BEN, OfferKind.COMPUTER, Seating(CLEO.id, Level.HARD))
    assert not answered.carried_out
    with pytest.raises(Refused, match="asked for this yourself, and I’m waiting for Red, Yellow"):
        await core.service(Consent).agree(table_id, BEN, OfferKind.COMPUTER)
    assert [job.key for job in await jobs(core) if job.kind is JobKind.OFFER] == [OfferKind.COMPUTER]
    assert not (await core.service(Consent).agree(table_id, ANN, OfferKind.COMPUTER)).carried_out
    answered = await core.service(Consent).agree(table_id, DEV, OfferKind.COMPUTER)
    assert answered.carried_out
    snapshot, newcomer = answered.snapshot, answered.snapshot.players[2]
    assert is_computer(newcomer.user_id)
    assert (newcomer.computer, newcomer.status) == (Level.HARD, SeatStatus.JOINED)
    assert (snapshot.table.rated, snapshot.table.offers.computer) == (False, None)
    assert (snapshot.playing.version, snapshot.playing.log[-1].entry.kind) == (before + 1, EntryKind.UNDO)
    assert [(gone.user_id, gone.lost) for gone in snapshot.departures] == [(CLEO.id, False)]
    assert await core.snapshot(table_id) == snapshot
    assert (await core.service(Ratings).results(10, CLEO.id, asked_by=CLEO.id)).recent == ()
    assert (await core.service(Proof).verify(table_id)).problems == ()


async def test_the_computer_plays_when_it_is_its_turn(core: Core, clock: Time) -> None:
    snapshot = await started(core, FOUR, BEN, CLEO, DEV)
    people = (ANN, BEN, CLEO, DEV)
    while 2 not in snapshot.playing.to_act:
        snapshot = await acted(core, snapshot, people[snapshot.playing.to_act[0]])
    await core.service(Play).resign(snapshot.table.id, CLEO)
    for person in (ANN, BEN, DEV):
        if person is ANN:
            await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.COMPUTER, Seating(CLEO.id, Level.EASY))
        else:
            await core.service(Consent).agree(snapshot.table.id, person, OfferKind.COMPUTER)
    assert await core.service(Computers).next_due() == clock.now + PAUSE - PACES[Level.EASY]
    assert (await asked(core, clock, snapshot.table.id)).seat == 2


async def test_computers_at_the_table_agree_and_wait_while_people_are_asked(core: Core, clock: Time) -> None:
    request = replace(FOUR, opponents=(BEN, CLEO), computers=(Level.EASY,))
    snapshot = await started(core, request, BEN, CLEO)
    people = (ANN, BEN, CLEO)
    while 3 not in snapshot.playing.to_act:
        snapshot = await acted(core, snapshot, people[snapshot.playing.to_act[0]])
    await core.service(Play).resign(snapshot.table.id, CLEO)
    await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.COMPUTER, Seating(CLEO.id, Level.EASY))
    assert await core.service(Computers).next_due() == clock.now + WHILE_ASKED
    answered = await core.service(Consent).agree(snapshot.table.id, BEN, OfferKind.COMPUTER)
    assert (answered.carried_out, answered.snapshot.computers) == (True, (2, 3))
    assert len({player.user_id for player in answered.snapshot.players}) == 4


async def test_declining_keeps_the_seat_empty(core: Core) -> None:
    snapshot = await left(core)
    await core.service(Consent).propose(snapshot.table.id, BEN, OfferKind.COMPUTER, Seating(CLEO.id, Level.HARD))
    snapshot = (await core.service(Consent).refuse(snapshot.table.id, ANN, OfferKind.COMPUTER)).snapshot
    assert snapshot.table.offers.computer is None
    with pytest.raises(Refused, match="offer is gone"):
        await core.service(Consent).agree(snapshot.table.id, DEV, OfferKind.COMPUTER)
    assert snapshot.table.rated


async def test_the_proposal_lapses_with_the_next_action(core: Core) -> None:
    snapshot = await left(core)
    snapshot = (
        await core.service(Consent).propose(snapshot.table.id, BEN, OfferKind.COMPUTER, Seating(CLEO.id, Level.HARD))
    ).snapshot
    people = (ANN, BEN, CLEO, DEV)
    await acted(core, snapshot, people[snapshot.playing.to_act[0]])
    with pytest.raises(Refused, match="offer is gone"):
        await core.service(Consent).agree(snapshot.table.id, DEV, OfferKind.COMPUTER)
    with pytest.raises(Refused, match="moved on"):
        await core.service(Consent).propose(snapshot.table.id, BEN, OfferKind.COMPUTER, Seating(CLEO.id, Level.HARD))


async def test_only_a_seat_that_was_left_is_offered_and_only_by_those_who_play(core: Core) -> None:
    snapshot = await left(core)
    with pytest.raises(Refused, match="still in the game"):
        await core.service(Consent).propose(snapshot.table.id, BEN, OfferKind.COMPUTER, Seating(DEV.id, Level.HARD))
    with pytest.raises(Refused, match="left this game"):
        await core.service(Consent).propose(snapshot.table.id, CLEO, OfferKind.COMPUTER, Seating(CLEO.id, Level.HARD))
    with pytest.raises(Refused, match="not playing"):
        await core.service(Consent).propose(snapshot.table.id, BEN, OfferKind.COMPUTER, Seating(99, Level.HARD))
    assert (await core.snapshot(snapshot.table.id)).table.status is Status.PLAYING
    with pytest.raises(NotSeated):
        await core.service(Consent).propose(
            snapshot.table.id, User(98, "Eve"), OfferKind.COMPUTER, Seating(CLEO.id, Level.HARD)
        )
