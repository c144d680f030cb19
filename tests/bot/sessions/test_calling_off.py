"""Calling a game off: until when, by whom, and what is left of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.core.clocks.timing import WAITS
from bot.core.service import Sessions
from bot.core.table.errors import NotSeated, Refused, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import too_late_to_call_off
from engines.game import legal_actions
from storage import queries
from storage.schema.records import Ending, JobKind, Level, OfferKind, Offers, Proposal, Status, WatchFor
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, begun, jobs, started

THREE = replace(BOUNCERS, game="trampoline", seats=3)
TWO_PUCKS = replace(BOUNCERS, game="pucks", seats=2)
AGAINST_ONE = replace(BOUNCERS, computers=(Level.EASY,))
LATE = "Everybody has made two moves"


async def played(sessions: Sessions, table_id: int, *actions: str) -> Snapshot:
    """Play actions, each by the player whose turn it is."""
    for action in actions:
        (awaited,) = (await sessions.snapshot(table_id)).awaited
        await sessions.play.act(table_id, PEOPLE[awaited.user_id], action)
    return await sessions.snapshot(table_id)


FOUR_MOVES = ("b2 b3", "b7 b6", "c2 c3", "c7 c6")


async def agreed(sessions: Sessions, table_id: int, *users: User) -> Snapshot:
    """Have each user propose to call the game off, or agree to that."""
    for user in users:
        snapshot, _ = await sessions.consent.call_off(table_id, user)
    return snapshot


async def rated_games(sessions: Sessions) -> int:
    async with sessions._repository.store.read() as reader:
        return len(await queries.ratings.find(reader))


@pytest.mark.parametrize("request_", [
    BOUNCERS, replace(BOUNCERS, options={"rated": "no"}), replace(BOUNCERS, clock=int(DAY)),
    replace(BOUNCERS, private=True, opponents=(BEN,)), replace(BOUNCERS, game="bunny"), TWO_PUCKS,
], ids=["rated", "not rated", "with a clock", "private", "Bunny", "Puck Bumpers"])  # fmt: skip
async def test_a_game_that_all_call_off_ends_without_a_result(sessions: Sessions, request_: TableRequest) -> None:
    table_id = (await started(sessions, request_)).table.id
    if not request_.private:
        await sessions.watching.watch(table_id, CLEO, WatchFor.END)
    first, done = await sessions.consent.call_off(table_id, ANN)
    assert not done
    assert first.table.offers == Offers(call_off=Proposal(by=0, agreed=(0,)))
    assert (JobKind.OFFER, "call_off") in {(job.kind, job.key) for job in await jobs(sessions, table_id)}
    over, done = await sessions.consent.call_off(table_id, BEN, answering=True)
    assert done
    table = over.table
    assert (table.status, table.offers, table.deadline, table.notice_at) == (Status.FINISHED, Offers(), None, None)
    assert table.outcome is not None
    assert (table.outcome.how, table.outcome.winners) == (Ending.CALLED_OFF, ())
    assert str(over.result()) == "**Called off by agreement, no result.**"
    assert not over.is_drawn
    assert over.rating_changes == (None, None)
    assert await rated_games(sessions) == 0
    left = {job.kind for job in await jobs(sessions, table_id)}
    assert JobKind.BOARD in left
    assert JobKind.REPLAY not in left
    assert (JobKind.WATCH in left) is (not request_.private)


async def test_it_stands_through_a_restart_and_in_the_log_and_the_proof(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await played(sessions, table_id, "b2 b3", "b7 b6")
    await agreed(sessions, table_id, BEN)
    again = Sessions(sessions._repository.store, now=sessions._repository.now)
    assert (await again.snapshot(table_id)).table.offers.call_off == Proposal(by=1, agreed=(1,))
    over = await agreed(again, table_id, ANN)
    log = await again.proof.log(over)
    assert "ended: called-off\nreason: Called off by agreement, no result." in log
    assert not (await again.proof.verify(table_id, 10)).problems


@pytest.mark.parametrize("who", [ANN, BEN])
async def test_whoever_is_asked_can_decline_and_who_asked_can_withdraw(sessions: Sessions, who: User) -> None:
    table_id = (await started(sessions)).table.id
    await agreed(sessions, table_id, ANN)
    assert (await sessions.consent.refuse(table_id, who, OfferKind.CALL_OFF)).table.offers == Offers()
    with pytest.raises(Refused, match="offer is gone"):
        await sessions.consent.call_off(table_id, BEN, answering=True)
    assert (await sessions.snapshot(table_id)).table.status is Status.PLAYING


async def test_among_three_all_have_to_agree_and_who_asked_does_not_answer(sessions: Sessions) -> None:
    table_id = (await started(sessions, THREE, BEN, CLEO)).table.id
    snapshot = await agreed(sessions, table_id, BEN, ANN)
    assert snapshot.table.status is Status.PLAYING
    with pytest.raises(Refused, match="You asked for this yourself"):
        await sessions.consent.call_off(table_id, BEN, answering=True)
    assert (await agreed(sessions, table_id, CLEO)).table.status is Status.FINISHED


async def test_it_is_too_late_when_each_player_has_made_two_moves_and_an_undo_opens_it_again(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await played(sessions, table_id, *FOUR_MOVES[:3])
    await agreed(sessions, table_id, ANN)
    snapshot = await played(sessions, table_id, FOUR_MOVES[3])
    assert snapshot.table.offers == Offers(), "the move has passed the limit, and the offer has lapsed"
    with pytest.raises(Refused, match=f"{LATE}.*`/draw`.*`/resign`"):
        await sessions.consent.call_off(table_id, ANN)
    with pytest.raises(Refused, match="offer is gone"):
        await sessions.consent.call_off(table_id, BEN, answering=True)
    await sessions.consent.undo(table_id, BEN)
    await sessions.consent.undo(table_id, ANN)
    assert (await agreed(sessions, table_id, BEN, ANN)).table.status is Status.FINISHED


async def test_a_move_that_does_not_pass_the_limit_leaves_the_offer_standing(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await agreed(sessions, table_id, ANN)
    snapshot = await played(sessions, table_id, "b2 b3", "b7 b6")
    assert snapshot.table.offers.call_off == Proposal(by=0, agreed=(0,))
    assert (await agreed(sessions, table_id, BEN)).table.outcome is not None


async def test_placing_pieces_is_no_move(sessions: Sessions) -> None:
    snapshot = await started(sessions, TWO_PUCKS)
    table_id = snapshot.table.id
    placed = 0
    while any(action[0] == "place" for action in actions_of(snapshot)):
        (awaited,) = snapshot.awaited
        action = next(action for action in actions_of(snapshot) if action[0] == "place")
        snapshot = (await sessions.play.act(table_id, PEOPLE[awaited.user_id], action)).snapshot
        placed += 1
    assert placed > 4
    assert too_late_to_call_off(snapshot) is None


def actions_of(snapshot: Snapshot) -> Sequence[tuple[str, ...]]:
    history = snapshot.playing
    return list(legal_actions(history.game, history.state, history.to_act[0]))


async def test_a_time_out_during_the_offer_counts_as_ever(sessions: Sessions, clock: Time) -> None:
    table_id = (await begun(sessions, replace(BOUNCERS, clock=int(HOUR), strict=True))).table.id
    await agreed(sessions, table_id, ANN)
    clock.pass_(HOUR + 1 + WAITS)
    await sessions.timing.sweep()
    over = (await sessions.snapshot(table_id)).table
    assert (over.status, over.offers) == (Status.FINISHED, Offers())
    assert over.outcome is not None
    assert over.outcome.how is Ending.RULES
    assert await rated_games(sessions) == 2
    with pytest.raises(WrongStage):
        await sessions.consent.call_off(table_id, BEN, answering=True)


async def test_resigning_during_the_offer_counts_and_who_has_left_keeps_the_others_from_calling_off(sessions: Sessions) -> None:
    table_id = (await begun(sessions, THREE, BEN, CLEO)).table.id
    await agreed(sessions, table_id, ANN)
    snapshot = (await sessions.play.resign(table_id, CLEO)).snapshot
    assert snapshot.table.offers == Offers()
    with pytest.raises(Refused, match="Somebody has left this game"):
        await sessions.consent.call_off(table_id, ANN)
    await sessions.play.resign(table_id, BEN)
    assert await rated_games(sessions) == 3


async def test_a_seat_that_was_left_to_a_stand_in_keeps_a_rated_game_from_being_called_off(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await sessions.consent.hand_over(table_id, ANN, ANN.id, CLEO)
    await agreed(sessions, table_id, BEN)
    assert (await sessions.consent.take_over(table_id, CLEO)).table.offers == Offers()
    with pytest.raises(Refused, match="Somebody has left this game"):
        await sessions.consent.call_off(table_id, BEN)


async def test_with_computers_alone_a_game_is_called_off_at_once(sessions: Sessions) -> None:
    snapshot = await sessions.lobby.open(ANN, AGAINST_ONE)
    over, done = await sessions.consent.call_off(snapshot.table.id, ANN)
    assert done
    assert over.table.status is Status.FINISHED
    assert await sessions.computers.next_due() is None, "no computer goes on thinking"
    assert JobKind.OFFER not in {job.kind for job in await jobs(sessions)}


async def test_a_computer_among_people_agrees_and_the_people_are_asked(sessions: Sessions) -> None:
    snapshot = await started(sessions, replace(THREE, computers=(Level.EASY,)))
    first, done = await sessions.consent.call_off(snapshot.table.id, ANN)
    assert not done
    assert first.table.offers.call_off is not None
    assert set(first.table.offers.call_off.agreed) == {first.own_seat(ANN.id), *first.computers}
    assert (await agreed(sessions, snapshot.table.id, BEN)).table.status is Status.FINISHED


async def test_nobody_calls_off_what_has_not_begun_or_is_over_or_is_not_theirs(sessions: Sessions) -> None:
    opened = (await sessions.lobby.open(ANN, BOUNCERS)).table.id
    with pytest.raises(WrongStage, match="hasn’t started"):
        await sessions.consent.call_off(opened, ANN)
    await sessions.lobby.join(opened, BEN)
    with pytest.raises(NotSeated, match="You’re not playing"):
        await sessions.consent.call_off(opened, DEV)
    await agreed(sessions, opened, ANN, BEN)
    with pytest.raises(WrongStage, match="is over"):
        await sessions.consent.call_off(opened, ANN)


async def test_a_game_that_was_called_off_is_told_in_the_results_as_one_without_a_result(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await agreed(sessions, table_id, ANN, BEN)
    results = await sessions.ratings.results(10, ANN.id, asked_by=ANN.id)
    assert results.standings == ()
    assert [snapshot.table.id for snapshot in results.recent] == [table_id]
