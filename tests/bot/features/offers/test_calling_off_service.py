"""Calling a game off: until when, by whom, and what remains of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import NotSeated, Refused, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import too_late_to_call_off
from bot.features.computers.service import Computers
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.stats.ratings import Ratings
from bot.features.verify.service import Proof
from bot.features.watching.service import Watching
from bot.parts import PARTS
from engines.game import legal_actions
from storage import queries
from storage.schema.records import Ending, JobKind, Level, OfferKind, Offers, Proposal, Status, WatchFor
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, begun, jobs, some, started

THREE = replace(BOUNCERS, game="trampoline", seats=3)
TWO_PUCKS = replace(BOUNCERS, game="pucks", seats=2)
AGAINST_ONE = replace(BOUNCERS, computers=(Level.EASY,))
LATE = "Everybody has made two moves"


@pytest.fixture
async def table_id(core: Core) -> int:
    return (await started(core)).table.id


async def played(core: Core, table_id: int, *actions: str) -> Snapshot:
    """Play actions, each by the player to move."""
    for action in actions:
        (awaited,) = (await core.snapshot(table_id)).awaited
        await core.service(Play).act(table_id, PEOPLE[awaited.user_id], action)
    return await core.snapshot(table_id)


FOUR_MOVES = ("b2 b3", "b7 b6", "c2 c3", "c7 c6")


async def agreed(core: Core, table_id: int, *users: User) -> Snapshot:
    """Each user proposes to call the game off, or agrees to that."""
    for user in users:
        snapshot = (await core.service(Consent).propose(table_id, user, OfferKind.CALL_OFF)).snapshot
    return snapshot


async def rated_games(core: Core) -> int:
    async with core.store.read() as reader:
        return len(await queries.ratings.find(reader))


@pytest.mark.parametrize("request_", [
    BOUNCERS, replace(BOUNCERS, options={"rated": "no"}), replace(BOUNCERS, clock=int(DAY)),
    replace(BOUNCERS, private=True, opponents=(BEN,)), replace(BOUNCERS, game="bunny"), TWO_PUCKS,
], ids=["rated", "not rated", "with a clock", "private", "Bunny", "Puck Bumpers"])  # fmt: skip
async def test_a_game_called_off_by_all_ends_without_a_result(core: Core, request_: TableRequest) -> None:
    table_id = (await started(core, request_)).table.id
    if not request_.private:
        await core.service(Watching).watch(table_id, CLEO, WatchFor.END)
    answered = await core.service(Consent).propose(table_id, ANN, OfferKind.CALL_OFF)
    assert not answered.carried_out
    assert answered.snapshot.table.offers == Offers(call_off=Proposal(by=0, agreed=(0,)))
    assert (JobKind.OFFER, "call_off") in {(job.kind, job.key) for job in await jobs(core, table_id)}
    answered = await core.service(Consent).agree(table_id, BEN, OfferKind.CALL_OFF)
    assert answered.carried_out
    over, table = answered.snapshot, answered.snapshot.table
    assert (table.status, table.offers, table.deadline, table.notice_at) == (Status.FINISHED, Offers(), None, None)
    assert table.outcome is not None
    assert (table.outcome.how, table.outcome.winners) == (Ending.CALLED_OFF, ())
    assert str(over.result()) == "**Called off by agreement, no result.**"
    assert not over.is_drawn
    assert over.rating_changes == (None, None)
    assert await rated_games(core) == 0
    left = {job.kind for job in await jobs(core, table_id)}
    assert JobKind.BOARD in left
    assert JobKind.REPLAY not in left
    assert (JobKind.WATCH in left) is (not request_.private)


async def test_calling_off_survives_a_restart_and_is_in_log_and_proof(core: Core, table_id: int) -> None:
    await played(core, table_id, "b2 b3", "b7 b6")
    await agreed(core, table_id, BEN)
    again = Core(core.store, parts=PARTS, now=core.now)
    assert (await again.snapshot(table_id)).table.offers.call_off == Proposal(by=1, agreed=(1,))
    over = await agreed(again, table_id, ANN)
    log = await again.service(Proof).log(over)
    assert "ended: called-off\nreason: Called off by agreement, no result." in log
    assert not (await again.service(Proof).verify(table_id, 10)).problems


async def test_among_three_everybody_but_the_asker_has_to_agree(core: Core) -> None:
    table_id = (await started(core, THREE, BEN, CLEO)).table.id
    snapshot = await agreed(core, table_id, BEN, ANN)
    assert snapshot.table.status is Status.PLAYING
    with pytest.raises(Refused, match="You asked for this yourself"):
        await core.service(Consent).agree(table_id, BEN, OfferKind.CALL_OFF)
    assert (await agreed(core, table_id, CLEO)).table.status is Status.FINISHED


async def test_it_is_too_late_when_each_player_has_made_two_moves_and_an_undo_opens_it_again(core: Core, table_id: int) -> None:
    await played(core, table_id, *FOUR_MOVES[:3])
    await agreed(core, table_id, ANN)
    snapshot = await played(core, table_id, FOUR_MOVES[3])
    assert snapshot.table.offers == Offers(), "the move has passed the limit, and the offer has lapsed"
    with pytest.raises(Refused, match=f"{LATE}.*offer a draw or resign"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.CALL_OFF)
    with pytest.raises(Refused, match="offer is gone"):
        await core.service(Consent).agree(table_id, BEN, OfferKind.CALL_OFF)
    await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)
    await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    assert (await agreed(core, table_id, BEN, ANN)).table.status is Status.FINISHED


async def test_a_move_within_the_limit_leaves_the_offer_open(core: Core, table_id: int) -> None:
    await agreed(core, table_id, ANN)
    snapshot = await played(core, table_id, "b2 b3", "b7 b6")
    assert snapshot.table.offers.call_off == Proposal(by=0, agreed=(0,))
    assert (await agreed(core, table_id, BEN)).table.outcome is not None


async def test_placing_pieces_is_no_move(core: Core) -> None:
    snapshot = await started(core, TWO_PUCKS)
    table_id = snapshot.table.id
    placed = 0
    while any(action[0] == "place" for action in actions_of(snapshot)):
        (awaited,) = snapshot.awaited
        action = next(action for action in actions_of(snapshot) if action[0] == "place")
        snapshot = (await core.service(Play).act(table_id, PEOPLE[awaited.user_id], action)).snapshot
        placed += 1
    assert placed > 4
    assert too_late_to_call_off(snapshot) is None


def actions_of(snapshot: Snapshot) -> Sequence[tuple[str, ...]]:
    history = snapshot.playing
    return list(legal_actions(history.game, history.state, history.to_act[0]))


async def test_a_time_out_during_the_offer_counts_as_usual(core: Core, clock: Time) -> None:
    table_id = (await begun(core, replace(BOUNCERS, clock=int(HOUR), strict=True))).table.id
    await agreed(core, table_id, ANN)
    clock.pass_(HOUR + 1 + WAITS)
    await core.service(Timing).sweep()
    over = (await core.snapshot(table_id)).table
    assert (over.status, over.offers) == (Status.FINISHED, Offers())
    assert some(over.outcome).how is Ending.RULES
    assert await rated_games(core) == 2
    with pytest.raises(WrongStage):
        await core.service(Consent).agree(table_id, BEN, OfferKind.CALL_OFF)


async def test_resigning_during_the_offer_counts_and_keeps_the_others_from_calling_off(core: Core) -> None:
    table_id = (await begun(core, THREE, BEN, CLEO)).table.id
    await agreed(core, table_id, ANN)
    snapshot = (await core.service(Play).resign(table_id, CLEO)).snapshot
    assert snapshot.table.offers == Offers()
    with pytest.raises(Refused, match="Somebody has left this game"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.CALL_OFF)
    await core.service(Play).resign(table_id, BEN)
    assert await rated_games(core) == 3


async def test_a_seat_that_was_left_to_a_stand_in_keeps_a_rated_game_from_being_called_off(core: Core, table_id: int) -> None:
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, CLEO))
    await agreed(core, table_id, BEN)
    assert (await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)).snapshot.table.offers == Offers()
    with pytest.raises(Refused, match="Somebody has left this game"):
        await core.service(Consent).propose(table_id, BEN, OfferKind.CALL_OFF)


async def test_with_computers_alone_a_game_is_called_off_at_once(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, AGAINST_ONE)
    answered = await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.CALL_OFF)
    assert answered.carried_out
    assert answered.snapshot.table.status is Status.FINISHED
    assert await core.service(Computers).next_due() is None, "no computer goes on thinking"
    assert JobKind.OFFER not in {job.kind for job in await jobs(core)}


async def test_a_computer_among_people_agrees_and_the_people_are_asked(core: Core) -> None:
    snapshot = await started(core, replace(THREE, computers=(Level.EASY,)))
    answered = await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.CALL_OFF)
    first = answered.snapshot
    assert not answered.carried_out
    assert set(some(first.table.offers.call_off).agreed) == {first.own_seat(ANN.id), *first.computers}
    assert (await agreed(core, snapshot.table.id, BEN)).table.status is Status.FINISHED


async def test_nobody_calls_off_a_game_that_has_not_begun_or_is_over_or_not_theirs(core: Core) -> None:
    opened = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    with pytest.raises(WrongStage, match="hasn’t started"):
        await core.service(Consent).propose(opened, ANN, OfferKind.CALL_OFF)
    await core.service(Lobby).join(opened, BEN)
    with pytest.raises(NotSeated, match="You’re not playing"):
        await core.service(Consent).propose(opened, DEV, OfferKind.CALL_OFF)
    await agreed(core, opened, ANN, BEN)
    with pytest.raises(WrongStage, match="is over"):
        await core.service(Consent).propose(opened, ANN, OfferKind.CALL_OFF)


async def test_the_results_tell_a_game_called_off_as_one_without_a_result(core: Core, table_id: int) -> None:
    await agreed(core, table_id, ANN, BEN)
    results = await core.service(Ratings).results(10, ANN.id, asked_by=ANN.id)
    assert results.standings == ()
    assert [snapshot.table.id for snapshot in results.recent] == [table_id]
