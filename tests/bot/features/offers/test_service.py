"""Undoing, handing over, nudging and rematches."""

from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import NotSeated, Refused, WrongStage
from bot.core.table.snapshot import Snapshot, User
from bot.core.undoing import undoable
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.parts import PARTS
from engines.game import Action
from storage.schema.records import EntryKind, OfferKind, Offers, SeatStatus, Status
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, Time, jobs, started

EVE = User(5, "Eve")
FOUR = replace(BOUNCERS, game="trampoline", seats=4, clock=int(DAY))
THREE_PUCKS = replace(BOUNCERS, game="pucks", seats=3, options={"setup": "random"})


# --- undo -------------------------------------------------------------------------------------------------------------
@pytest.fixture
async def table_id(core: Core) -> int:
    return (await started(core)).table.id


async def test_an_action_is_undone_when_the_other_player_agrees(core: Core) -> None:
    start = await started(core)
    table_id = start.table.id
    await core.service(Play).act(table_id, ANN, "b2 b3")
    answered = await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    assert (str(undoable(answered.before, answered.offer.by)[0]), answered.carried_out) == ("Red: b2 → b3", False)
    assert ("offer", "undo") in {(e.kind, e.key) for e in await jobs(core)}
    answered = await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)
    snapshot = answered.snapshot
    assert answered.carried_out
    assert snapshot.playing.state == start.playing.state
    assert [p.name for p in snapshot.awaited] == ["Ann"]
    assert [logged.entry.kind for logged in snapshot.playing.log] == [EntryKind.PLAY, EntryKind.UNDO]
    again = await Core(core.store, parts=PARTS, now=core.now).snapshot(table_id)
    assert again.playing.state == start.playing.state
    played = await core.service(Play).act(table_id, ANN, "c2 c3")
    assert [logged.notation for logged in played.snapshot.playing.in_force] == ["c2-c3"]


async def test_players_can_only_take_back_their_own_last_action(core: Core, table_id: int) -> None:
    with pytest.raises(Refused, match="nothing to take back"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    await core.service(Play).act(table_id, ANN, "b2 b3")
    with pytest.raises(Refused, match="your own last move"):
        await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)
    await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    await core.service(Play).act(table_id, BEN, "b7 b6")
    with pytest.raises(Refused, match="your own last move"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    assert (await core.snapshot(table_id)).table.offers == Offers()


async def test_nothing_is_taken_back_past_a_die(core: Core) -> None:
    table_id = (await started(core, FOUR, BEN, CLEO, DEV)).table.id
    await core.service(Play).act(table_id, ANN, "roll")
    with pytest.raises(Refused, match="drew or turned up"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)


async def test_nothing_is_taken_back_past_a_card_that_was_turned_up(core: Core) -> None:
    table_id = (await started(core, replace(BOUNCERS, game="bunny"))).table.id
    await core.service(Play).act(table_id, BEN, "enter a")
    snapshot = await core.snapshot(table_id)
    if snapshot.playing.in_force[-1].entry.seat == 1:
        with pytest.raises(Refused, match="can’t be taken back: it drew or turned up a card"):
            await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)


async def test_among_several_all_others_must_agree_to_an_undo(core: Core) -> None:
    snapshot = await started(core, THREE_PUCKS, BEN, CLEO)
    table_id = snapshot.table.id
    await core.service(Play).act(table_id, ANN, "draw")
    snapshot = await core.snapshot(table_id)
    move = a_move(snapshot)
    await core.service(Play).act(table_id, ANN, move)
    snapshot = await core.snapshot(table_id)
    if snapshot.playing.in_force[-1].entry.tokens != move:
        return
    assert not (await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)).carried_out
    assert not (await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)).carried_out
    assert (await core.service(Consent).propose(table_id, CLEO, OfferKind.UNDO)).carried_out


# --- one's own offers -------------------------------------------------------------------------------------------------
async def test_nobody_answers_their_own_request_for_an_undo(core: Core, table_id: int) -> None:
    await core.service(Play).act(table_id, ANN, "b2 b3")
    before = (await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)).snapshot.table.offers
    with pytest.raises(Refused, match="asked for this yourself, and I’m waiting for Blue"):
        await core.service(Consent).agree(table_id, ANN, OfferKind.UNDO)
    assert (await core.snapshot(table_id)).table.offers == before
    assert (await core.service(Consent).agree(table_id, BEN, OfferKind.UNDO)).carried_out


async def test_nobody_answers_their_own_draw_offer(core: Core) -> None:
    table_id = (await started(core, FOUR, BEN, CLEO, DEV)).table.id
    await core.service(Consent).propose(table_id, BEN, OfferKind.DRAW)
    await core.service(Consent).agree(table_id, CLEO, OfferKind.DRAW)
    with pytest.raises(Refused, match="waiting for Red, Yellow"):
        await core.service(Consent).agree(table_id, BEN, OfferKind.DRAW)
    assert not (await core.service(Consent).agree(table_id, CLEO, OfferKind.DRAW)).carried_out, (
        "who has agreed may say so again"
    )


async def test_whoever_is_left_can_complete_their_own_draw_offer(core: Core) -> None:
    """Nobody else is awaited once those who had not agreed have left."""
    table_id = (await started(core, replace(FOUR, seats=3), BEN, CLEO)).table.id
    await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
    await core.service(Consent).agree(table_id, BEN, OfferKind.DRAW)
    await core.service(Play).resign(table_id, CLEO)
    assert (await core.service(Consent).agree(table_id, ANN, OfferKind.DRAW)).carried_out


async def test_nobody_takes_the_seat_they_hand_over(core: Core, table_id: int) -> None:
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    with pytest.raises(Refused, match="asked for this yourself, and I’m waiting for <@3>"):
        await core.service(Consent).agree(table_id, BEN, OfferKind.SUBSTITUTE)
    with pytest.raises(Refused, match="Nobody’s offering you a seat"):
        await core.service(Consent).agree(table_id, ANN, OfferKind.SUBSTITUTE)
    assert (await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)).snapshot.seat_of(CLEO.id) == 1


def a_move(snapshot: Snapshot) -> Action:
    """Some move of a piece by the first player. Not all actions are examined, since there are very many for mats."""
    history = snapshot.playing
    for choice in history.game.choices(history.state, 0):
        if not choice.final and choice.token != "play":
            direction = history.game.choices(history.state, 0, (choice.token,))[0]
            return (choice.token, direction.token)
    raise AssertionError("somebody can always move a piece at the start")


# --- substitutes ------------------------------------------------------------------------------------------------------
async def test_a_player_hands_their_own_seat_to_somebody_who_accepts(core: Core, table_id: int) -> None:
    await core.service(Play).act(table_id, ANN, "b2 b3")
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    with pytest.raises(Refused, match="offering you a seat"):
        await core.service(Consent).agree(table_id, DEV, OfferKind.SUBSTITUTE)
    snapshot = (await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)).snapshot
    assert snapshot.names == ("Ann", "Cleo")
    assert [p.name for p in snapshot.awaited] == ["Cleo"]
    assert snapshot.table.turn == 3, "somebody new is waited for, and has to be told"
    await core.service(Play).act(table_id, CLEO, "b7 b6")
    with pytest.raises(NotSeated):
        await core.service(Play).act(table_id, BEN, "c7 c6")


async def test_nobody_gives_away_the_seat_of_somebody_who_is_there(core: Core, table_id: int) -> None:
    with pytest.raises(Refused, match="Only Blue can"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    with pytest.raises(Refused, match="is already at this table"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, BEN))
    with pytest.raises(Refused, match="not playing at table"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(DEV.id, CLEO))


async def test_a_left_seat_can_be_taken_over_only_at_once(core: Core) -> None:
    table_id = (await started(core, FOUR, BEN, CLEO, DEV)).table.id
    await core.service(Play).resign(table_id, CLEO)
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, EVE))
    snapshot = (await core.service(Consent).agree(table_id, EVE, OfferKind.SUBSTITUTE)).snapshot
    assert snapshot.names == ("Ann", "Ben", "Eve", "Dev")
    assert all(p.status is SeatStatus.JOINED for p in snapshot.players)
    await core.service(Play).resign(table_id, EVE)
    await core.service(Play).act(table_id, ANN, "roll")
    with pytest.raises(Refused, match="stays empty"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(EVE.id, CLEO))


# --- nudging, playing again -------------------------------------------------------------------------------------------
async def test_a_nudge_is_possible_once_a_turn_after_half_of_its_time(core: Core, clock: Time) -> None:
    table_id = (await started(core, replace(BOUNCERS, clock=int(DAY)))).table.id
    with pytest.raises(Refused, match="your own turn"):
        await core.service(Play).nudge(table_id, ANN)
    with pytest.raises(Refused, match="You can nudge"):
        await core.service(Play).nudge(table_id, BEN)
    clock.pass_(12 * HOUR)
    await core.service(Play).nudge(table_id, BEN)
    assert [e.payload for e in await jobs(core) if e.kind == "nudge"] == [{"by": 1, "turn": 1}]
    with pytest.raises(Refused, match="one nudge per turn"):
        await core.service(Play).nudge(table_id, BEN)


async def test_a_rematch_is_the_same_game_with_everybody_moved_on_by_one_seat(core: Core, table_id: int) -> None:
    with pytest.raises(WrongStage, match="isn’t over yet"):
        await core.service(Rematches).open(table_id, ANN)
    await core.service(Play).resign(table_id, ANN)
    with pytest.raises(NotSeated):
        await core.service(Rematches).open(table_id, CLEO)
    opened = await core.service(Rematches).open(table_id, ANN)
    assert [p.name for p in opened.invited] == ["Ben"]
    snapshot = await core.service(Rematches).open(table_id, BEN)
    assert snapshot.table.id == opened.table.id
    assert snapshot.table.status is Status.PLAYING
    assert snapshot.names == ("Ben", "Ann")
