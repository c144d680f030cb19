"""What organisers do, and the effects of outages, damage and jumping clocks."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.core.core import Core
from bot.core.pings import PINGS_AT_MOST, PINGS_OF_ALL
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.change import EDITED_AFTER
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import LONGEST
from storage import queries
from storage.schema.kinds import JobKind, TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.records import OfferKind, Status
from storage.schema.tables import event_entries, events
from storage.store import Store
from tests.bot.features.tournaments.tournament_games import BY, GUILD, MANAGER, NEWCOMER, PEOPLE, opened, started
from tests.bot.present import present
from tests.bot.service import DAY, HOUR, Time


async def damaged(store: Store, table: sa.Table, **columns: Any) -> None:
    async with store.write() as writer:
        await writer.execute(sa.update(table).where(sa.true()).values(columns))


async def passed_away(store: Store, clock: Time, seconds: float) -> None:
    """Pass time during an outage."""
    since = clock.now
    clock.pass_(seconds)
    async with store.write() as writer:
        await tournaments_sql.move(writer, seconds, since)


async def test_the_log_tells_what_organisers_do(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    events_ = core.service(Tournaments)
    await events_.decide(cup.id, GUILD, MANAGER, (0, 1), (1, 2))
    await events_.pair(cup.id, GUILD, BY, [(1, 2)])
    await events_.pause(cup.id, GUILD, BY)
    await events_.resume(cup.id, GUILD, MANAGER)
    await events_.prolong(cup.id, GUILD, BY, DAY)
    await cup.replace(3, NEWCOMER)
    await events_.remove(cup.id, GUILD, MANAGER, 4)
    await events_.cancel(cup.id, GUILD, BY)
    acts = [(act.deed, act.by, act.entry, act.round, act.game) for act in (await cup.view()).row.acts]
    assert acts == [
        (TournamentDeed.OPENED, BY, None, None, None), (TournamentDeed.HURRIED, BY, None, None, None),
        (TournamentDeed.HURRIED, BY, None, None, None), (TournamentDeed.STARTED, TournamentActor.BOT, None, None, None),
        (TournamentDeed.DECIDED, MANAGER, None, 0, 1), (TournamentDeed.PAIRED, BY, None, None, None),
        (TournamentDeed.PAUSED, BY, None, None, None), (TournamentDeed.RESUMED, MANAGER, None, None, None),
        (TournamentDeed.PROLONGED, BY, None, None, None), (TournamentDeed.ASKED, BY, 3, None, None),
        (TournamentDeed.REPLACED, TournamentActor.PLAYER, 3, None, None),
        (TournamentDeed.WITHDREW, MANAGER, 4, None, None), (TournamentDeed.CANCELLED, BY, None, None, None),
    ]  # fmt: skip


async def test_hand_picked_games_are_played_and_the_others_paired(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    view = await core.service(Tournaments).pair(cup.id, GUILD, BY, [(7, 1), (2,)])
    assert view.row.forced == ((7, 1), (2,))
    view = await cup.finish_round()
    second = view.row.rounds[1]
    assert (second.games[0].seats, second.byes) == ((7, 1), (2,))
    assert sorted(number for game in second.games for number in game.seats) == [1, 3, 4, 5, 6, 7]
    assert view.row.forced == ()


async def test_a_hand_picked_game_of_a_leaver_is_not_played(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 8, "swiss")
    await core.service(Tournaments).pair(cup.id, GUILD, BY, [(8, 1), (2, 7)])
    await core.service(Tournaments).remove(cup.id, GUILD, BY, 8)
    games = [game.seats for game in (await cup.finish_round()).row.rounds[1].games]
    assert games[0] == (2, 7)
    assert 8 not in {number for seats in games for number in seats}
    assert len(games) == 3


async def test_impossible_hand_picked_games_do_not_stop_an_event(core: Core, clock: Time, store: Store) -> None:
    cup = await started(core, clock, 7, "swiss")
    await damaged(store, events, forced=((1, 2), (2, 3)))
    assert len((await cup.finish_round()).row.rounds) == 2


@pytest.mark.parametrize(
    ("format_", "games", "words"),
    [
        ("round_robin", [(1, 2)], "nothing to pair by hand"), ("knockout", [(1, 2)], "nothing to pair by hand"),
        ("swiss", [(1, 2, 3)], "Each game needs players"), ("swiss", [(1, 9)], "Each game needs players"),
        ("swiss", [(1, 2), (2, 3)], "nobody plays twice"), ("swiss", [()], "Each game needs players"),
        ("pods", [(1, 2)], "Each game needs players"),
    ],
)  # fmt: skip
async def test_impossible_pairings_are_refused(core: Core, clock: Time, format_: str, games: Any, words: str) -> None:
    cup = await started(core, clock, 8, format_, game="pucks" if format_ == "pods" else "bouncers")
    with pytest.raises(Refused, match=words):
        await core.service(Tournaments).pair(cup.id, GUILD, BY, games)


async def test_there_is_nothing_to_pair_in_the_last_round(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    for _ in range(3):
        await cup.finish_round()
    with pytest.raises(Refused, match="This is the last round"):
        await core.service(Tournaments).pair(cup.id, GUILD, BY, [(1, 2)])


async def test_a_result_can_be_set_and_changed_until_the_next_round(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    game = await cup.game()
    await core.service(Tournaments).decide(cup.id, GUILD, BY, (0, 0), (2, 2))
    assert (await cup.game()).places == (1, 1), "places begin with the first"
    await cup.lose(game, 0)
    assert (await cup.game()).places == (1, 1), "what was set counts, and not how the game ends"
    await core.service(Tournaments).decide(cup.id, GUILD, BY, (0, 0), (1, 2))
    assert (await cup.points())[game.seats[0]] == 1.0
    await cup.finish_round()
    with pytest.raises(Refused, match="only set results in the current round"):
        await core.service(Tournaments).decide(cup.id, GUILD, BY, (0, 0), (1, 2))


@pytest.mark.parametrize(
    ("place", "places", "words"),
    [
        ((0, 0), (1,), "Every player needs a place"), ((0, 0), (0, 1), "Every player needs a place"),
        ((0, 0), (1, 3), "Every player needs a place"), ((0, 99), (1, 2), "only set results in the current round"),
        ((1, 0), (1, 2), "only set results in the current round"), ((-1, 0), (1, 2), "only set results in the current round"),
    ],
)  # fmt: skip
async def test_impossible_results_are_refused(core: Core, clock: Time, place: Any, places: Any, words: str) -> None:
    cup = await started(core, clock, 7, "swiss")
    with pytest.raises(Refused, match=words):
        await core.service(Tournaments).decide(cup.id, GUILD, BY, place, places)


async def test_a_round_robin_game_with_a_set_result_is_not_played(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 6)
    row = (await cup.view()).row
    place = next((n, i) for n, each in enumerate(row.rounds) for i, game in enumerate(each.games) if game.table_id is None)
    await core.service(Tournaments).decide(cup.id, GUILD, BY, place, (1, 2))
    for _ in range(9):
        view = await cup.finish_round()
    assert view.row.status is TournamentStatus.FINISHED
    game = view.row.rounds[place[0]].games[place[1]]
    assert (game.table_id, game.places) == (None, (1, 2))


async def test_a_substitute_keeps_the_results_and_plays_the_next_games(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    game = await cup.game()
    number = game.seats[0]
    replaced = cup.user(number)
    view = await cup.replace(number, NEWCOMER)
    entry = present(view.entry_of(NEWCOMER.id))
    assert (entry.number, entry.name, entry.lapses) == (number, "Newcomer", 0)
    assert view.entry_of(replaced.id) is None
    await cup.lose(game, 1)
    assert (await cup.game()).places == (1, 2), "who was replaced has the seat still, and has not left it"
    cup.extra[number] = NEWCOMER
    view = await cup.finish_round()
    tables = [game.table_id for game in view.row.rounds[1].games if number in game.seats]
    assert NEWCOMER.id in {player.user_id for player in (await core.snapshot(present(tables[0]))).players}
    with pytest.raises(Refused, match="is already in this event") as refused:
        await cup.replace(1, NEWCOMER)
    assert refused.value.names == (NEWCOMER.name,), "escaped where it is shown"
    with pytest.raises(Refused, match="no such player"):
        await cup.replace(99, PEOPLE[9])


async def test_a_substitute_who_takes_over_the_seat_plays_for_themselves(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    game, table_id = await cup.game(), await cup.table_id()
    replaced = cup.user(game.seats[0])
    await cup.replace(game.seats[0], NEWCOMER)
    await core.service(Consent).propose(table_id, replaced, OfferKind.SUBSTITUTE, Seating(replaced.id, NEWCOMER))
    await core.service(Consent).agree(table_id, NEWCOMER, OfferKind.SUBSTITUTE)
    await cup.lose(game, 1)
    assert (await cup.game()).places == (1, 2)


async def test_a_substitute_during_the_check_in_has_checked_in(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 4)
    await cup.call()
    await cup.enter()
    assert (await cup.replace(1, NEWCOMER)).entries[0].press == 5000 + NEWCOMER.id
    await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    assert [entry.number for entry in (await cup.tick()).entries] == [1, 2, 3, 4]


async def test_nobody_takes_over_before_they_have_accepted(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    number = (await cup.game()).seats[0]
    view = await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, number, NEWCOMER)
    assert view.entry_of(NEWCOMER.id) is None
    (question,) = await cup.owed(JobKind.EVENT_ASK)
    assert question.payload == {"event": cup.id, "entry": number, "to": NEWCOMER.id}
    view = await cup.finish_round()
    tables = [game.table_id for each in view.row.rounds for game in each.games if game.table_id is not None]
    seated = {player.user_id for table_id in tables for player in (await core.snapshot(table_id)).players}
    assert NEWCOMER.id not in seated
    with pytest.raises(Refused, match="This invitation isn’t for you"):
        await core.service(Tournaments).answer(cup.id, GUILD, PEOPLE[40], number, 1)
    assert (await core.service(Tournaments).answer(cup.id, GUILD, NEWCOMER, number, None)).entry_of(NEWCOMER.id) is None
    with pytest.raises(Refused, match="This invitation isn’t for you"):
        await core.service(Tournaments).answer(cup.id, GUILD, NEWCOMER, number, 1)


async def test_a_newer_invitation_replaces_an_older_one(core: Core, clock: Time) -> None:
    cup, other = await started(core, clock, 7, "swiss"), User(901, "Other")
    await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, NEWCOMER)
    with pytest.raises(Refused, match="has already been asked"):
        await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 4, NEWCOMER)
    await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, NEWCOMER)
    assert len(await cup.owed(JobKind.EVENT_ASK)) == 1, "it is asked again if the message was overlooked or deleted"
    await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, other)
    with pytest.raises(Refused, match="no longer stands"):
        await core.service(Tournaments).answer(cup.id, GUILD, NEWCOMER, 3, 1)
    assert (await core.service(Tournaments).answer(cup.id, GUILD, other, 3, 1)).name_of(3) == "Other"


async def test_organisers_have_the_usual_limit_on_pings(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 8, "swiss")
    for _ in range(PINGS_AT_MOST):
        await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, NEWCOMER)
        await core.service(Tournaments).answer(cup.id, GUILD, NEWCOMER, 3, None)
    with pytest.raises(Refused, match="You’ve pinged the same person"):
        await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, NEWCOMER)
    for stranger in range(2000, 2000 + PINGS_OF_ALL - PINGS_AT_MOST):
        await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, User(stranger, "Stranger"))
    with pytest.raises(Refused, match="You’ve pinged a lot of people"):
        await core.service(Tournaments).ask(cup.id, GUILD, BY, PEOPLE[0].id, 3, User(3000, "Stranger"))


@pytest.mark.parametrize("stage", ["open", "check-in", "running"])
async def test_a_removed_player_stays_out_until_let_back(core: Core, clock: Time, stage: str) -> None:
    cup = await opened(core, clock, 8, "swiss") if stage != "running" else await started(core, clock, 8, "swiss")
    if stage != "running":
        await cup.enter()
    if stage == "check-in":
        await core.service(Tournaments).hurry(cup.id, GUILD, BY)
        await cup.tick()
    removed = cup.user(2)
    assert len((await core.service(Tournaments).remove(cup.id, GUILD, BY, 2)).entries) == (8 if stage == "running" else 7)
    for _ in range(2):
        with pytest.raises(Refused, match="Only they can let you back in"):
            await cup.enter(removed)
    if stage == "open":  # also once it has started without them
        others = [user for user in cup.people if user is not removed]
        for _ in range(2):
            await cup.call(*others)
        with pytest.raises(Refused, match="Only they can let you back in"):
            await cup.enter(removed)
    await core.service(Tournaments).let_back(cup.id, GUILD, BY, 2)
    await cup.enter(removed)
    assert not present((await cup.view()).entry_of(removed.id)).has_left
    deeds = (TournamentDeed.WITHDREW, TournamentDeed.LET_BACK)
    assert [deed for deed in await cup.deeds() if deed in deeds] == [*deeds]


async def test_a_leaver_can_come_back_by_themselves(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 8, "swiss")
    await core.service(Tournaments).leave(cup.id, GUILD, cup.user(2))
    await cup.enter(cup.user(2))
    with pytest.raises(Refused, match="no such player"):
        await core.service(Tournaments).let_back(cup.id, GUILD, BY, 2)


async def test_a_pause_postpones_the_event(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    ends_at = await cup.ends_at()
    await core.service(Tournaments).pause(cup.id, GUILD, BY)
    with pytest.raises(Refused, match="already paused"):
        await core.service(Tournaments).pause(cup.id, GUILD, BY)
    await cup.finish_round()
    view = await cup.tick(10 * DAY)
    assert (len(view.row.rounds), view.row.due) == (1, None)
    assert all(game.places for game in view.row.rounds[0].games), "games go on"
    view = await core.service(Tournaments).resume(cup.id, GUILD, BY)
    assert view.row.ends_at == ends_at + 10 * DAY
    assert len((await cup.tick()).row.rounds) == 2
    with pytest.raises(Refused, match="isn’t paused"):
        await core.service(Tournaments).resume(cup.id, GUILD, BY)


async def test_a_pause_before_the_start_postpones_check_in_and_start(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    await cup.enter()
    await core.service(Tournaments).pause(cup.id, GUILD, BY)
    assert (await cup.tick(3 * DAY)).row.status is TournamentStatus.OPEN
    with pytest.raises(Refused, match="The event is paused"):
        await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    await core.service(Tournaments).resume(cup.id, GUILD, BY)
    assert (await cup.tick(DAY - 1)).row.status is TournamentStatus.OPEN
    assert (await cup.tick(1)).row.status is TournamentStatus.CHECK_IN
    await cup.enter()
    assert (await cup.tick(DAY)).row.status is TournamentStatus.RUNNING


async def test_the_end_of_a_round_is_postponed(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    ends_at = await cup.ends_at()
    await core.service(Tournaments).prolong(cup.id, GUILD, BY, DAY)
    view = await cup.tick(7 * DAY)
    assert (len(view.row.rounds), view.row.ends_at, view.row.due) == (1, ends_at + DAY, ends_at + DAY)
    assert len((await cup.tick(DAY)).row.rounds) == 2
    for seconds in (0.0, -DAY, float("inf"), float("nan"), 31 * DAY):
        with pytest.raises(Refused, match="A round can’t end more than 90 days from now"):
            await core.service(Tournaments).prolong(cup.id, GUILD, BY, seconds)
    for _ in range(2):
        await core.service(Tournaments).prolong(cup.id, GUILD, BY, 30 * DAY)
    with pytest.raises(Refused, match="A round can’t end more than 90 days from now"):
        await core.service(Tournaments).prolong(cup.id, GUILD, BY, LONGEST - 67 * DAY + 1)


async def test_a_round_prolonged_in_a_pause_is_not_postponed_twice(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    await cup.tick(6 * DAY)
    await core.service(Tournaments).pause(cup.id, GUILD, BY)
    await cup.tick(5 * DAY)
    await core.service(Tournaments).prolong(cup.id, GUILD, BY, DAY)
    assert (await core.service(Tournaments).resume(cup.id, GUILD, BY)).row.ends_at == clock.now + 2 * DAY


async def test_nothing_is_hurried_or_prolonged_at_another_stage(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    for what in (
        core.service(Tournaments).prolong(cup.id, GUILD, BY, DAY), core.service(Tournaments).pair(cup.id, GUILD, BY, [(1,)]),
        core.service(Tournaments).decide(cup.id, GUILD, BY, (0, 0), (1, 2)),
    ):  # fmt: skip
        with pytest.raises(Refused, match="hasn’t started yet"):
            await what
    await cup.start()
    with pytest.raises(Refused, match="has already started"):
        await core.service(Tournaments).hurry(cup.id, GUILD, BY)


async def test_games_of_a_cancelled_event_go_on(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 3, clock=int(8 * HOUR))
    view = await core.service(Tournaments).cancel(cup.id, GUILD, BY)
    assert (view.row.status, view.row.finished_at, view.row.due) == (TournamentStatus.CANCELLED, clock.now, None)
    table_id = await cup.table_id()
    assert (await core.snapshot(table_id)).table.status is Status.PLAYING
    for _ in range(20):
        view = await cup.tick(8 * HOUR)
    assert view.row.status is TournamentStatus.CANCELLED
    assert (await core.snapshot(table_id)).table.status is Status.FINISHED
    assert not any(entry.has_left or entry.place for entry in view.entries)
    assert await cup.owed(JobKind.EVENT_LEFT) == []
    with pytest.raises(Refused, match="This event is over"):
        await core.service(Tournaments).cancel(cup.id, GUILD, BY)


async def test_messages_and_calls_are_recorded(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    (job,) = await cup.owed(JobKind.EVENT)
    assert (job.due, job.payload) == (clock.now, {"event": cup.id})
    await core.service(Tournaments).record_message(cup.id, 77)
    await core.service(Tournaments).record_call(cup.id, 2)
    await core.service(Tournaments).record_call(cup.id, 1)
    await core.service(Tournaments).record_message(99, 77)
    await core.service(Tournaments).record_call(99, 1)
    row = (await cup.view()).row
    assert (row.message_id, row.told) == (77, 2)
    await cup.enter(PEOPLE[0])
    (job,) = await cup.owed(JobKind.EVENT)
    assert job.due == clock.now + EDITED_AFTER, "several changes are one edit"
    await core.service(Tournaments).record_message(cup.id, None)
    assert (await cup.view()).row.message_id is None


async def test_an_outage_in_a_pause_postpones_nothing_twice(core: Core, clock: Time, store: Store) -> None:
    cup = await started(core, clock, 7, "swiss")
    ends_at = await cup.ends_at()
    await core.service(Tournaments).pause(cup.id, GUILD, BY)
    await passed_away(store, clock, 2 * DAY)
    assert (await core.service(Tournaments).resume(cup.id, GUILD, BY)).row.ends_at == ends_at + 2 * DAY


@pytest.mark.parametrize(
    ("before", "away", "starts"),
    [(0.0, DAY / 2, 2.0), (DAY / 2, DAY, 2.5), (DAY + HOUR, DAY / 2, 2.5), (DAY / 2, 3 * DAY, 4.5)],
)
async def test_an_outage_does_not_shorten_the_check_in(
    core: Core, clock: Time, store: Store, before: float, away: float, starts: float
) -> None:
    cup = await opened(core, clock, 3)
    began = clock.now
    await cup.enter()
    await cup.tick(before)
    await passed_away(store, clock, away)
    view = await cup.tick()
    assert view.row.starts_at == began + starts * DAY
    if view.row.status is TournamentStatus.OPEN:
        view = await cup.tick(view.row.check_in_at - clock.now)
    assert view.row.status is TournamentStatus.CHECK_IN
    await cup.enter()
    assert (await cup.tick(view.row.starts_at - clock.now - 1)).row.status is TournamentStatus.CHECK_IN
    assert (await cup.tick(1)).row.status is TournamentStatus.RUNNING


async def test_an_outage_moves_neither_the_past_nor_other_servers(core: Core, clock: Time, store: Store) -> None:
    cup = await started(core, clock, 3)
    row = (await cup.view()).row
    async with store.write() as writer:
        await tournaments_sql.move(writer, HOUR, clock.now, 11)
        await tournaments_sql.move(writer, 0.0, clock.now)
    assert (await cup.view()).row == row
    async with store.write() as writer:
        await tournaments_sql.put(writer, replace(row, ends_at=clock.now - 5, due=clock.now - 5))
        await tournaments_sql.move(writer, HOUR, clock.now)
    assert (await cup.view()).row.ends_at == clock.now - 5
    assert (await cup.tick()).row.status is TournamentStatus.FINISHED


async def test_with_an_unreliable_clock_rounds_check_ins_and_pauses_restart(core: Core, clock: Time, store: Store) -> None:
    running, paused = await started(core, clock, 7, "swiss"), await started(core, clock, 7, "swiss")
    await core.service(Tournaments).pause(paused.id, GUILD, BY)
    waiting, later = await opened(core, clock, 3), await opened(core, clock, 3, starts_in=50 * DAY)
    await waiting.enter()
    clock.pass_(40 * DAY)
    async with store.write() as writer:
        await tournaments_sql.begin_anew(writer, clock.now)
    assert (await running.tick()).row.ends_at == clock.now + 7 * DAY
    assert (await core.service(Tournaments).resume(paused.id, GUILD, BY)).row.ends_at == clock.now + 7 * DAY
    row = (await waiting.view()).row
    assert (row.status, row.starts_at) == (TournamentStatus.CHECK_IN, clock.now + DAY)
    assert (await later.view()).row.status is TournamentStatus.OPEN
    assert (await later.view()).row.starts_at == clock.now + 10 * DAY


@pytest.mark.slow
@pytest.mark.parametrize("columns", [{"key": b"x"}, {"format": "chess"}, {"game": "chess"}, {"rounds": ()}], ids=str)
async def test_a_damaged_event_holds_no_other_up(core: Core, clock: Time, store: Store, columns: dict[str, Any]) -> None:
    cup = await started(core, clock, 7, "swiss")
    async with store.write() as writer:
        await writer.execute(sa.update(events).where(events.c.id == cup.id).values(columns | {"due": 0.0}))
    other = await started(core, clock, 7, "swiss")
    clock.pass_(HOUR)
    view = await other.finish_round()
    assert len(view.row.rounds) == 2
    assert None not in [game.table_id for game in view.row.rounds[1].games]


async def test_an_unreadable_event_is_checked_again_an_hour_later(core: Core, clock: Time, store: Store) -> None:
    cup, other = await started(core, clock, 7, "swiss"), await started(core, clock, 7, "swiss")
    async with store.write() as writer:
        await writer.execute(sa.text(f"UPDATE events SET acts = '5', due = 0 WHERE id = {cup.id}"))
    with pytest.raises(Refused, match="There’s no event"):
        await cup.view()
    assert len((await other.finish_round()).row.rounds) == 2
    assert await core.service(TournamentRounds).next_due() == clock.now + HOUR
    assert [event.id for event in await core.service(Tournaments).of_guild(GUILD)] == [other.id]
    async with store.write() as writer:
        await writer.execute(sa.text(f"UPDATE events SET acts = '[]' WHERE id = {cup.id}"))
    await cup.finish_round()
    clock.pass_(HOUR)
    assert len((await cup.tick()).row.rounds) == 2, "it goes on when somebody has mended it"


@pytest.mark.parametrize("damage", ["rounds", "entries", "format", "all"])
async def test_games_of_a_damaged_event_still_end(core: Core, clock: Time, store: Store, damage: str) -> None:
    others = {"entries": sa.delete(event_entries), "format": sa.update(events).values(format="chess"), "all": sa.delete(events)}
    cup = await started(core, clock, 3, clock=int(HOUR))
    games = [game for each in (await cup.view()).row.rounds for game in each.games]
    async with store.write() as writer:
        if damage == "rounds":
            row = (await tournaments_sql.get(writer, cup.id)) or pytest.fail("it is there")
            each = row.rounds[0]
            same = replace(each.games[0], seats=(1, 1))
            await tournaments_sql.put(writer, replace(row, rounds=(replace(each, games=(same,)), *row.rounds[1:])))
        else:
            await writer.execute(others[damage])
    tables = [game.table_id for game in games if game.table_id is not None]
    await core.service(Play).resign(tables[0], cup.user(games[0].seats[0]))
    for _ in range(9):
        clock.pass_(HOUR)
        await cup.sweep()
    for table_id in tables:
        assert (await core.snapshot(table_id)).table.status is Status.FINISHED


async def test_events_wait_while_the_bot_is_removed_from_the_server(core: Core, clock: Time, store: Store) -> None:
    cup = await started(core, clock, 7, "swiss")
    async with store.write() as writer:
        await queries.servers.put_left(writer, GUILD, clock.now)
    assert len((await cup.tick(8 * DAY)).row.rounds) == 1
    assert await core.service(TournamentRounds).next_due() is None


async def test_the_next_moment_is_known(core: Core, clock: Time) -> None:
    assert await core.service(TournamentRounds).next_due() is None
    assert not await core.service(TournamentRounds).sweep()
    cup = await opened(core, clock, 3)
    assert await core.service(TournamentRounds).next_due() == clock.now + DAY
    await core.service(Tournaments).cancel(cup.id, GUILD, BY)
    assert await core.service(TournamentRounds).next_due() is None
