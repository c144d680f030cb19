"""Computers at a table: their questions, their answers, and what becomes of the table."""

from dataclasses import replace

import pytest

from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.computer_players import is_computer
from bot.core.table.errors import BadAction, NotSeated, Refused, TableFull, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark, why_fixed
from bot.core.undoing import undoable
from bot.features.computers import sql as computers_sql
from bot.features.computers.questions import AFTER_LEAVING, BETWEEN_COMPUTERS, PAUSE, UNSEEN, WHILE_ASKED
from bot.features.computers.service import Computers, QuestionKind
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.features.verify.service import Proof
from engines.chance import Fair
from opponents import Thought
from opponents.contract import PACES
from storage import queries
from storage.schema.records import Ending, EntryKind, JobKind, Level, OfferKind, SeatStatus, Status, Thinking
from tests.bot.features.computers.seated_computers import Mind, acted, answered, asked, minded, thought
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, Time, jobs, press, some

AGAINST_ONE = replace(BOUNCERS, computers=(Level.EASY,), clock=3600)
PUCKS = TableRequest(guild_id=10, channel_id=20, game="pucks", options={"setup": "random"}, clock=3600)


@pytest.fixture(autouse=True)
def mind(monkeypatch: pytest.MonkeyPatch) -> Mind:
    return minded(monkeypatch)


@pytest.fixture
async def snapshot(core: Core) -> Snapshot:
    """A game of Ann's against a computer."""
    return await core.service(Lobby).open(ANN, AGAINST_ONE)


# --- seats ------------------------------------------------------------------------------------------------------------
async def test_a_game_against_a_computer_begins_at_once_without_clock_or_rating(core: Core, snapshot: Snapshot) -> None:
    assert (snapshot.table.status, snapshot.computers, snapshot.persons) == (Status.PLAYING, (1,), (0,))
    computer = snapshot.players[1]
    assert is_computer(computer.user_id)
    assert computer.name
    assert not any(is_computer(user.id) for user in (ANN, BEN, CLEO))
    assert (snapshot.table.clock, snapshot.table.rated) == (None, False)
    assert await core.snapshot(snapshot.table.id) == snapshot


async def test_with_an_invited_person_it_begins_when_they_accept_and_keeps_its_clock(core: Core) -> None:
    request = replace(PUCKS, opponents=(BEN,), computers=(Level.HARD, Level.EASY))
    snapshot = await core.service(Lobby).open(ANN, request)
    assert (snapshot.table.status, snapshot.table.wanted, snapshot.table.rated) == (Status.OPEN, 4, False)
    invited = [job for job in await jobs(core) if job.kind is JobKind.INVITATION]
    assert len(invited) == 1
    snapshot = await core.service(Lobby).join(snapshot.table.id, BEN)
    assert (snapshot.table.status, snapshot.table.clock, snapshot.computers) == (Status.PLAYING, 3600, (2, 3))
    assert [player.computer for player in snapshot.players] == [None, None, Level.HARD, Level.EASY]
    assert len({player.user_id for player in snapshot.players}) == 4


async def test_a_computer_in_a_free_seat_makes_the_table_unrated_and_changes_its_mark(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, seats=4))
    assert snapshot.table.rated
    before = terms_mark(snapshot.table)
    with_one = await core.service(Computers).add(snapshot.table.id, ANN, Level.MEDIUM)
    assert not with_one.table.rated
    assert terms_mark(with_one.table) != before
    with pytest.raises(WrongStage):
        await core.service(Lobby).join(snapshot.table.id, BEN, terms=before)
    assert why_fixed(with_one, ANN.id) is None, "nobody else has joined, so the opener may still choose other rules"
    two = await core.service(Computers).add(snapshot.table.id, ANN, Level.EASY)
    one_left = await core.service(Computers).remove(snapshot.table.id, ANN, two.people[1].user_id)
    assert (one_left.table.rated, len(one_left.computers)) == (False, 1)
    none_left = await core.service(Computers).remove(snapshot.table.id, ANN, two.people[2].user_id)
    assert (none_left.table.rated, terms_mark(none_left.table)) == (True, before)
    assert await core.snapshot(snapshot.table.id) == none_left


async def test_one_press_seats_one_computer_however_often_it_arrives(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, seats=4))
    once = await core.service(Computers).add(snapshot.table.id, ANN, Level.EASY, 1)
    assert await core.service(Computers).add(snapshot.table.id, ANN, Level.EASY, 1) == once
    twice = await core.service(Computers).add(snapshot.table.id, ANN, Level.EASY, 2)
    assert (len(once.computers), len(twice.computers)) == (1, 2)


async def test_a_computer_in_the_last_seat_begins_the_game_and_its_press_is_mixed_in(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, seats=2))
    snapshot = await core.service(Computers).add(snapshot.table.id, ANN, Level.EASY, press(snapshot, ANN))
    assert snapshot.table.status is Status.PLAYING
    async with core.store.read() as reader:
        mixed = await queries.entries.contributions_of_table(reader, snapshot.table.id)
    assert [(one.user_id, one.interaction_id, one.number) for one in mixed] == [(ANN.id, press(snapshot, ANN), 1)]


async def test_nobody_can_seat_a_computer_without_room_or_a_seat_of_their_own(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=(BEN,)))
    table_id = snapshot.table.id
    with pytest.raises(TableFull):
        await core.service(Computers).add(table_id, ANN, Level.EASY)
    for stranger in (BEN, CLEO):
        with pytest.raises(NotSeated):
            await core.service(Computers).add(table_id, stranger, Level.EASY)
    with pytest.raises(Refused, match="isn’t at table"):
        await core.service(Computers).remove(table_id, ANN, BEN.id)
    await core.service(Lobby).join(table_id, BEN)
    with pytest.raises(WrongStage):
        await core.service(Computers).add(table_id, ANN, Level.EASY)


async def test_too_many_computers_are_refused(core: Core) -> None:
    with pytest.raises(Refused, match="more opponents than seats"):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, seats=2, computers=(Level.EASY, Level.EASY)))


async def test_a_table_closes_with_its_last_person_whatever_computers_sit_there(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, seats=4, computers=(Level.EASY,)))
    assert (await core.service(Lobby).leave(snapshot.table.id, ANN)).table.status is Status.CLOSED


async def test_a_rematch_is_against_the_same_computers_in_the_next_seats(core: Core, clock: Time, snapshot: Snapshot) -> None:
    await core.service(Play).resign(snapshot.table.id, ANN)
    again = await core.service(Rematches).open(snapshot.table.id, ANN)
    assert again.table.status is Status.PLAYING
    computer = snapshot.players[1]
    assert [(p.user_id, p.computer) for p in again.players] == [(computer.user_id, Level.EASY), (ANN.id, None)]
    assert (await asked(core, clock, again.table.id)).seat == 0


async def test_a_person_who_is_forgotten_leaves_the_computers_as_they_are(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, computers=(Level.EASY, Level.HARD)))
    await core.service(Privacy).forget(ANN)
    after = await core.snapshot(snapshot.table.id)
    assert after.table.status is Status.FINISHED
    assert [(p.user_id, p.name, p.computer) for p in after.players[1:]] == [
        (p.user_id, p.name, p.computer) for p in snapshot.players[1:]
    ]
    assert after.players[0].user_id < 0
    assert await core.service(Computers).next_due() is None
    assert (await core.service(Proof).verify(snapshot.table.id)).problems == ()


# --- questions and answers ----------------------------------------------------------------------------------------------
async def test_a_computer_is_asked_sooner_where_nothing_is_posted(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(AGAINST_ONE, solo=True))
    assert (snapshot.table.private, snapshot.table.solo) == (True, True)
    await acted(core, snapshot, ANN)
    assert await core.service(Computers).next_due() == clock.now + UNSEEN


async def test_a_computer_is_asked_after_a_moment_and_answers_once(core: Core, clock: Time, snapshot: Snapshot) -> None:
    table_id = snapshot.table.id
    assert await core.service(Computers).next_due() is None, "it is Ann's turn"
    snapshot = await acted(core, snapshot, ANN)
    assert await core.service(Computers).next_due() == clock.now + PAUSE
    assert await core.service(Computers).due() == ()
    assert await core.service(Computers).question(table_id) is None
    question = await asked(core, clock, table_id)
    assert await core.service(Computers).due(without=(table_id,)) == ()
    assert await core.service(Computers).next_due(without=(table_id,)) is None
    assert (question.kind, question.seat, question.level, question.version) == (QuestionKind.MOVE, 1, Level.EASY, 1)
    assert (question.guild_id, question.person) == (10, ANN.id)
    after = some(await core.service(Computers).answer(question, thought(question)))
    assert (after.playing.version, after.playing.log[1].entry.user_id) == (2, after.players[1].user_id)
    assert await core.service(Computers).next_due() is None
    assert await core.service(Computers).answer(question, thought(question)) is None
    assert await core.snapshot(table_id) == after


async def test_computers_wait_less_for_each_other_than_for_a_person(core: Core, clock: Time) -> None:
    three = (Level.EASY,) * 3
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, options={}, computers=three))
    table_id, computers, pauses = snapshot.table.id, set(snapshot.computers), []
    while set(snapshot.playing.to_act) <= computers:  # who begins is drawn
        snapshot = await answered(core, clock, table_id)
    snapshot = (await core.service(Play).act(table_id, ANN, ("auto",))).snapshot
    while set(snapshot.playing.to_act) <= computers:
        due = some(await core.service(Computers).next_due())
        pauses.append(due - clock.now)
        snapshot = await answered(core, clock, table_id)
        if len(pauses) == 6:
            break
    shown = [pause + PACES[Level.EASY] for pause in pauses]
    assert shown == pytest.approx([PAUSE, *[BETWEEN_COMPUTERS] * 5]), "Ann's own pieces are placed in between"


async def test_the_state_it_is_given_holds_nothing_of_the_real_dice(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, computers=(Level.EASY,)))
    assert isinstance(snapshot.playing.state.chance, Fair)
    while 1 not in snapshot.playing.to_act:
        snapshot = await acted(core, snapshot, ANN)
    question = await asked(core, clock, snapshot.table.id)
    assert not isinstance(question.state.chance, Fair)
    assert question.state.hands[1] == snapshot.playing.state.hands[1]
    game = snapshot.playing.game
    assert game.view(question.state, 1) == game.view(snapshot.playing.state, 1)


async def test_a_question_about_another_board_is_dropped_and_asked_anew(core: Core, clock: Time) -> None:
    snapshot = await acted(core, await core.service(Lobby).open(ANN, AGAINST_ONE), ANN)
    table_id = snapshot.table.id
    question = await asked(core, clock, table_id)
    agreement = await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    assert agreement.carried_out
    assert await core.service(Computers).answer(question, thought(question)) is None
    assert await core.service(Computers).next_due() is None
    await acted(core, agreement.snapshot, ANN)
    assert (await asked(core, clock, table_id)).version == 3


async def test_an_illegal_action_is_an_error_and_leaves_the_question_open(core: Core, clock: Time) -> None:
    snapshot = await acted(core, await core.service(Lobby).open(ANN, AGAINST_ONE), ANN)
    question = await asked(core, clock, snapshot.table.id)
    with pytest.raises(BadAction):
        await core.service(Computers).answer(question, Thought(("a1", "h8"), 0.5))
    with pytest.raises(ValueError, match="has not said"):
        await core.service(Computers).answer(question, None)
    assert (await core.service(Computers).question(snapshot.table.id)) == question


async def test_a_game_ends_as_soon_as_only_computers_are_left(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, computers=(Level.EASY, Level.EASY)))
    after = (await core.service(Play).resign(snapshot.table.id, ANN)).snapshot
    assert after.table.outcome is not None
    assert (after.table.outcome.how, after.table.outcome.winners) == (Ending.DESERTED, ())
    assert await core.service(Computers).next_due() is None
    assert (await core.service(Proof).verify(snapshot.table.id)).problems == ()


async def test_resigning_against_one_computer_loses_by_the_rules(core: Core, snapshot: Snapshot) -> None:
    ended = some((await core.service(Play).resign(snapshot.table.id, ANN)).snapshot.table.outcome)
    assert (ended.how, ended.winners) == (Ending.RULES, (1,))


async def test_the_last_person_among_computers_has_no_clock(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, opponents=(BEN,), computers=(Level.EASY,)))
    snapshot = await core.service(Lobby).join(snapshot.table.id, BEN)
    assert snapshot.table.clock == 3600
    snapshot = (await core.service(Play).resign(snapshot.table.id, BEN)).snapshot
    assert (snapshot.table.status, snapshot.table.clock) == (Status.PLAYING, None)
    assert await core.snapshot(snapshot.table.id) == snapshot


async def test_computers_wait_after_a_departure_so_that_the_seat_can_be_taken(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(BEN, replace(PUCKS, opponents=(ANN,), computers=(Level.EASY,)))
    snapshot = await core.service(Lobby).join(snapshot.table.id, ANN)
    while 2 not in snapshot.playing.to_act:
        (seat,) = snapshot.playing.to_act
        snapshot = await acted(core, snapshot, (BEN, ANN)[seat])
    await core.service(Play).resign(snapshot.table.id, BEN)
    assert await core.service(Computers).next_due() == clock.now + AFTER_LEAVING
    await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    assert await core.service(Computers).next_due() == clock.now + WHILE_ASKED
    snapshot = (await core.service(Consent).agree(snapshot.table.id, CLEO, OfferKind.SUBSTITUTE)).snapshot
    assert await core.service(Computers).next_due() == clock.now + PAUSE - PACES[Level.EASY]
    assert [player.user_id for player in snapshot.players][:2] == [CLEO.id, ANN.id]


# --- turns --------------------------------------------------------------------------------------------------------------
async def test_turns_count_only_when_it_is_a_persons_turn(core: Core, clock: Time, snapshot: Snapshot) -> None:
    first = snapshot.table.turn
    snapshot = await acted(core, snapshot, ANN)
    assert snapshot.table.turn == first
    snapshot = await answered(core, clock, snapshot.table.id)
    assert snapshot.table.turn == first + 1


async def test_a_computer_has_no_time_outs_and_is_never_reminded(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, opponents=(BEN,), computers=(Level.EASY,)))
    snapshot = await core.service(Lobby).join(snapshot.table.id, BEN)
    table_id = snapshot.table.id
    while 2 not in snapshot.playing.to_act:
        (seat,) = snapshot.playing.to_act
        snapshot = await acted(core, snapshot, (ANN, BEN)[seat])
    assert snapshot.table.notice_at is None
    with pytest.raises(Refused, match="A computer is thinking"):
        await core.service(Play).nudge(table_id, ANN)
    clock.pass_(3601 + WAITS)
    await core.service(Timing).sweep()
    snapshot = await core.snapshot(table_id)
    assert snapshot.players[2].timeouts == 0
    assert snapshot.players[2].status is SeatStatus.JOINED
    assert 2 not in snapshot.playing.to_act
    assert not [job for job in await jobs(core) if job.kind is JobKind.REMINDER and is_computer(job.payload["user"])]


async def test_after_months_the_person_is_warned_and_the_game_abandoned(core: Core, clock: Time, snapshot: Snapshot) -> None:
    clock.pass_(54 * DAY + WAITS)
    await core.service(Timing).sweep()
    assert [job.payload["user"] for job in await jobs(core) if job.kind is JobKind.REMINDER] == [ANN.id]
    clock.pass_(7 * DAY + WAITS)
    await core.service(Timing).sweep()
    outcome = some((await core.snapshot(snapshot.table.id)).table.outcome)
    assert (outcome.how, outcome.winners) == (Ending.ABANDONED, ())


# --- manners --------------------------------------------------------------------------------------------------------------
async def test_a_computer_resigns_after_two_lost_looking_turns(core: Core, clock: Time, mind: Mind, snapshot: Snapshot) -> None:
    for hopeless in (True, False, True):
        mind.hopeless = hopeless
        snapshot = await answered(core, clock, (await acted(core, snapshot, ANN)).table.id)
        assert snapshot.table.status is Status.PLAYING
    snapshot = await answered(core, clock, (await acted(core, snapshot, ANN)).table.id)
    last = snapshot.playing.log[-1].entry
    assert (last.kind, last.tokens, last.seat) == (EntryKind.WITHDRAW, ("resigned",), 1)
    assert some(snapshot.table.outcome).winners == (0,)
    assert (await core.service(Proof).verify(snapshot.table.id)).problems == ()


async def test_among_several_players_a_computer_never_resigns(core: Core, clock: Time, mind: Mind) -> None:
    mind.hopeless = True
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, computers=(Level.EASY, Level.EASY)))
    for _ in range(25):
        if 0 in snapshot.playing.to_act:
            snapshot = await acted(core, snapshot, ANN)
        else:
            snapshot = await answered(core, clock, snapshot.table.id)
    assert snapshot.present == (0, 1, 2)
    assert max(player.hopeless for player in snapshot.players) > 2


@pytest.mark.parametrize("agrees", [True, False])
async def test_a_computer_answers_a_draw_offer_by_its_own_judgement(core: Core, clock: Time, mind: Mind, agrees: bool) -> None:
    mind.drawn = agrees
    snapshot = await core.service(Lobby).open(ANN, AGAINST_ONE)
    assert not (await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.DRAW)).carried_out
    question = await asked(core, clock, snapshot.table.id)
    assert (question.kind, question.seat) == (QuestionKind.DRAW, 1)
    after = some(await core.service(Computers).answer(question, Thought((), 0.5)))
    assert after.table.offers.draw is None
    assert (after.table.status is Status.FINISHED) == agrees
    assert after.is_drawn == agrees
    assert await core.service(Computers).next_due() is None


async def test_computers_are_offered_a_draw_once_on_each_board(core: Core, clock: Time, snapshot: Snapshot) -> None:
    table_id = snapshot.table.id
    for _ in range(2):
        await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
        await core.service(Computers).answer(await asked(core, clock, table_id), Thought((), 0.5))
        with pytest.raises(Refused, match="already offered a draw"):
            await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
        assert (await core.snapshot(table_id)).table.offers.draw is None
        assert await core.service(Computers).next_due() is None
        await acted(core, await core.snapshot(table_id), ANN)
        snapshot = await answered(core, clock, table_id)


async def test_a_note_about_a_table_without_computers_is_deleted(core: Core) -> None:
    snapshot = await core.service(Lobby).join((await core.service(Lobby).open(ANN, BOUNCERS)).table.id, BEN)
    table_id, now = snapshot.table.id, core.now()
    async with core.store.write() as writer:
        await computers_sql.put(writer, Thinking(table_id=table_id, version=0, due=now, created_at=now))
    assert await core.service(Computers).due() == (table_id,)
    assert await core.service(Computers).question(table_id) is None
    assert await core.service(Computers).next_due() is None


@pytest.mark.parametrize("counted", [0, 2, 2**63 - 1])
async def test_a_computer_plays_even_if_the_table_row_miscounts_the_log(core: Core, clock: Time, counted: int) -> None:
    snapshot = await acted(core, await core.service(Lobby).open(ANN, AGAINST_ONE), ANN)
    async with core.store.write() as writer:
        await queries.tables.change(writer, snapshot.table.id, version=counted)
    clock.now += PAUSE
    await core.service(Computers).question(snapshot.table.id)
    after = await answered(core, clock, snapshot.table.id)
    assert after.playing.version == after.table.version == 2
    assert await core.service(Computers).next_due() is None


async def test_a_computer_offers_an_obvious_draw_but_not_all_the_time(core: Core, clock: Time, mind: Mind) -> None:
    mind.drawn = True
    snapshot = await acted(core, await core.service(Lobby).open(ANN, AGAINST_ONE), ANN)
    snapshot = await answered(core, clock, snapshot.table.id)
    assert some(snapshot.table.offers.draw).by == 1
    assert await core.service(Computers).next_due() is None, "it does not answer itself"
    await core.service(Consent).refuse(snapshot.table.id, ANN, OfferKind.DRAW)
    snapshot = await acted(core, snapshot, ANN)
    snapshot = await answered(core, clock, snapshot.table.id)
    assert snapshot.table.offers.draw is None
    assert not (await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.DRAW)).carried_out


async def test_a_computers_draw_offer_is_accepted_like_any_other(core: Core, clock: Time, mind: Mind) -> None:
    mind.drawn = True
    snapshot = await acted(core, await core.service(Lobby).open(ANN, AGAINST_ONE), ANN)
    snapshot = await answered(core, clock, snapshot.table.id)
    agreement = await core.service(Consent).agree(snapshot.table.id, ANN, OfferKind.DRAW)
    assert (agreement.carried_out, agreement.snapshot.is_drawn) == (True, True)


async def test_an_undo_also_takes_back_the_computers_answer(core: Core, clock: Time, snapshot: Snapshot) -> None:
    first = await answered(core, clock, (await acted(core, snapshot, ANN)).table.id)
    second = await answered(core, clock, (await acted(core, first, ANN)).table.id)
    agreement = await core.service(Consent).propose(second.table.id, ANN, OfferKind.UNDO)
    assert agreement.carried_out
    assert "played in reply" in str(undoable(agreement.before, agreement.offer.by)[0])
    after = agreement.snapshot.playing
    assert (after.state, after.to_act, after.version) == (first.playing.state, (0,), 6)
    agreement = await core.service(Consent).propose(second.table.id, ANN, OfferKind.UNDO)
    assert agreement.carried_out
    assert agreement.snapshot.playing.state == snapshot.playing.state
    with pytest.raises(Refused, match="nothing to take back"):
        await core.service(Consent).propose(second.table.id, ANN, OfferKind.UNDO)
    assert (await core.service(Proof).verify(second.table.id)).problems == ()


async def test_computers_agree_to_an_undo_but_other_people_are_asked(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, opponents=(BEN,), computers=(Level.EASY,), options={}))
    snapshot = await core.service(Lobby).join(snapshot.table.id, BEN)
    snapshot = await acted(core, snapshot, ANN)
    assert not (await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.UNDO)).carried_out
    agreement = await core.service(Consent).agree(snapshot.table.id, BEN, OfferKind.UNDO)
    assert agreement.carried_out
    assert agreement.snapshot.playing.state == agreement.snapshot.playing.first


async def test_a_computers_answer_waits_while_people_consider_an_undo(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, opponents=(BEN,), computers=(Level.EASY,), options={}))
    snapshot = await core.service(Lobby).join(snapshot.table.id, BEN)
    while 2 not in snapshot.playing.to_act:
        snapshot = await acted(core, snapshot, (ANN, BEN)[snapshot.playing.to_act[0]])
    question, last = await asked(core, clock, snapshot.table.id), snapshot.playing.log[-1].entry
    by, other = (ANN, BEN) if last.seat == 0 else (BEN, ANN)
    await core.service(Consent).propose(snapshot.table.id, by, OfferKind.UNDO)
    assert await core.service(Computers).answer(question, thought(question)) is None
    assert await core.service(Computers).next_due() == snapshot.playing.log[-1].entry.at + WHILE_ASKED
    agreement = await core.service(Consent).agree(snapshot.table.id, other, OfferKind.UNDO)
    assert agreement.carried_out
    assert last.seat in agreement.snapshot.playing.to_act
