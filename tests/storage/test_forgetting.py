"""A forgotten person is nowhere in the database any more, whatever else is wrong there."""

import json
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.features.analysis import sql as analysis_sql
from bot.features.ladders import sql as ladders_sql
from bot.features.matchmaking import sql as matchmaking_sql
from bot.features.plans import sql as plans_sql
from bot.features.puzzles import sql as puzzles_sql
from bot.features.tournaments import sql as tournaments_sql
from storage import queries
from storage.queries.forgetting import ABOUT_ONE, REPLACED
from storage.schema import tables
from storage.schema.kinds import TournamentStatus
from storage.schema.records import (
    Contribution,
    Ending,
    Handover,
    JobKind,
    Offers,
    Person,
    Proposal,
    Result,
    SeatStatus,
    Status,
    Watch,
    WatchFor,
)
from storage.schema.rows import to_row
from storage.store import Store, Writer
from tests.storage.dump import everything, where
from tests.storage.reading_back import once
from tests.storage.samples import (
    BERT,
    CARL,
    GUILD,
    a_departure,
    a_job,
    a_ladder_badge,
    a_ladder_place,
    a_plan,
    a_puzzle_attempt,
    a_puzzle_rating,
    a_rating,
    a_seat,
    a_seek,
    a_solver_rating,
    a_table,
    a_tournament,
    a_tournament_entry,
    an_analysis,
    an_entry,
)

ZOE, NAME = 424_242_424_242_424_242, "Zoe Quux"
NEARLY = 4_242_424_242_424_242_421
"""Another person's id, with most of Zoe's digits but not her id inside."""

USER_IDS = {"user_id", "rated_as", "opened_by", "by_user", "to_user", "avoided_id", "organiser_id"}
"""The columns with ids of users, by name."""


async def fill(writer: Writer) -> None:
    """Put Zoe in every place where a person can be."""
    for status in Status:
        offers = Offers(draw=Proposal(by=0, agreed=(0,)), substitute=Handover(by=0, seat=0, to=ZOE))
        over = Result(winners=(0,), how=Ending.RULES, reason="Red has won") if status is Status.FINISHED else None
        table = await queries.tables.add(writer, a_table(status=status, opened_by=ZOE, offers=offers, outcome=over))
        for place, seated in enumerate(SeatStatus):
            other = await queries.tables.add(writer, a_table(status=status, opened_by=BERT))
            await queries.seats.put(writer, a_seat(other.id, ZOE, place, name=NAME, status=seated))
        await queries.seats.put(writer, a_seat(table.id, ZOE, 0, name=NAME))
        await queries.seats.put(writer, a_seat(table.id, BERT, 1, rated_as=ZOE))
        for number, (user, name) in enumerate(((BERT, "Bert"), (ZOE, NAME)), 1):
            await queries.seats.put_departure(writer, a_departure(table.id, user, number, name=name))
        await queries.entries.append(writer, an_entry(table.id, 1, user_id=ZOE))
        await queries.entries.append(writer, an_entry(table.id, 2, user_id=BERT))
        await queries.seats.put_watch(writer, Watch(table_id=table.id, user_id=ZOE, what=WatchFor.END))
        await queries.seats.put_watch(writer, Watch(table_id=table.id, user_id=BERT, what=WatchFor.END))
        for user in (ZOE, BERT):
            await plans_sql.put(writer, a_plan(table.id, user, int(user == BERT)))
            for kind in (JobKind.WATCH, JobKind.REMINDER):
                await queries.jobs.enqueue(
                    writer, a_job(table.id, kind=kind, key=f"1.late.{user}", payload={"user": user, "turn": 1})
                )
            number = 100 * table.id + (user == ZOE)
            contribution = Contribution(
                table_id=table.id, interaction_id=number, user_id=user, word=NAME if user == ZOE else ""
            )
            await put(writer, tables.contributions, contribution)
        await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.BOARD))
    for user in (ZOE, BERT):
        await analysis_sql.add(writer, an_analysis(user), most=20)
        await puzzles_sql.put(writer, a_puzzle_attempt(user, name=NAME if user == ZOE else "Bert"))
        await puzzles_sql.put_solver_rating(writer, a_solver_rating(user))
        name = NAME if user == ZOE else "Bert"
        await matchmaking_sql.put(writer, a_seek(user, name=name))
        await ladders_sql.put_place(writer, a_ladder_place(user, name=name, place=1 + (user == ZOE)))
        await ladders_sql.put_badge(writer, a_ladder_badge(user, name=name, place=1 + (user == ZOE)))
    for stage in TournamentStatus:
        event = await tournaments_sql.add(writer, a_tournament(status=stage, organiser_id=ZOE, organiser_name=NAME))
        for number, (user, name) in enumerate(((BERT, "Bert"), (ZOE, NAME)), 1):
            entry = a_tournament_entry(
                user, event_id=event.id, number=number, name=name, place=number, press=777_004 if user == ZOE else 5,
                asked_id=ZOE if user == BERT else None,
            )  # fmt: skip
            await tournaments_sql.put_entry(writer, entry)
            left = {"event": event.id, "to": user}
            told = a_job(
                None, kind=JobKind.EVENT_LEFT, key=f"{event.id}-{number}", payload=left, guild_id=GUILD, place="person 1"
            )
            await queries.jobs.enqueue(writer, told)
    await puzzles_sql.put_puzzle_rating(writer, a_puzzle_rating())
    for user, avoided in ((ZOE, [BERT]), (BERT, [ZOE, CARL])):
        await matchmaking_sql.avoid(writer, user, avoided, 1000.0)
    for by, to in ((ZOE, BERT), (BERT, ZOE), (BERT, BERT)):
        await queries.people.add_pings(writer, by, [to], 1000.0)
    await queries.people.put(writer, Person(user_id=ZOE, settings={"zone": "UTC"}))
    await queries.ratings.put(writer, a_rating(ZOE, name=NAME))
    await queries.ratings.put(writer, a_rating(BERT))


async def put(writer: Writer, into: sa.Table, record: Any) -> None:
    await writer.execute(sa.insert(into).values(to_row(record)))


async def forget(store: Store) -> tuple[int, ...]:
    async with store.write() as writer:
        return await queries.forgetting.forget_person(
            writer, ZOE, await queries.forgetting.unused_placeholder(writer), "somebody"
        )


async def test_a_forgotten_person_is_nowhere_any_more_and_others_stay(store: Store) -> None:
    await once(store.write(), fill)
    before = await everything(store)
    filled = {line.partition(":")[0] for line in where(before, str(ZOE), NAME)}
    assert filled >= {str(column) for column in (*ABOUT_ONE, *REPLACED)}, "it is to be somewhere to begin with"
    assert filled >= {
        "tables.offers", "outbox.payload", "outbox.key", "seats.name", "departures.name", "ratings.name",
        "puzzle_attempts.name", "seeks.name", "ladder_places.name", "ladder_badges.name", "events.organiser_name",
        "event_entries.name", "contributions.word",
    }  # fmt: skip
    named = await forget(store)
    after = await everything(store)
    assert where(after, str(ZOE), NAME) == []
    assert named == tuple(range(1, len(before["tables"]) + 1))
    assert len(after["tables"]) == len(before["tables"])
    assert len(after["actions"]) == len(before["actions"])
    assert len(where(after, str(BERT))) >= len(where(before, str(BERT))) - 4, "pings between them, and whom they avoid"
    assert [row for row in after["outbox"] if "board" in row] == [row for row in before["outbox"] if "board" in row]


async def test_changes_of_a_persons_rating_go_with_them(store: Store) -> None:
    told = {"rating_before": 1000, "rating_after": 1138}
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(status=Status.FINISHED))
        for place, (user, rated_as) in enumerate(((ZOE, None), (BERT, ZOE), (NEARLY, None))):
            await queries.seats.put(writer, a_seat(table.id, user, place, status=SeatStatus.JOINED, rated_as=rated_as, **told))
        for number, user in enumerate((ZOE, NEARLY), 1):
            await queries.seats.put_departure(writer, a_departure(table.id, user, number, **told))
    await forget(store)
    async with store.read() as reader:
        seats, gone = (
            await queries.seats.of_table(reader, table.id),
            (await queries.seats.departures_of_tables(reader, [table.id]))[table.id],
        )
    assert [(departure.rating_before, departure.rating_after) for departure in gone] == [(None, None), (1000, 1138)]
    assert [seat.rating_after for seat in seats] == [None, None, 1138]
    assert [seat.rating_before for seat in seats] == [None, None, 1000]


def test_every_column_that_holds_a_users_id_is_known() -> None:
    there = {column for table in tables.metadata.sorted_tables for column in table.columns if column.name in USER_IDS}
    assert there == {*ABOUT_ONE, *REPLACED}


async def test_offers_of_others_and_agreements_stay(store: Store) -> None:
    async with store.write() as writer:
        mine = Offers(draw=Proposal(by=0, agreed=(0,)), substitute=Handover(by=0, seat=0, to=ZOE))
        theirs = Offers(substitute=Handover(by=0, seat=0, to=NEARLY))
        for offers in (mine, theirs):
            await queries.tables.add(writer, a_table(status=Status.PLAYING, offers=offers))
    assert await forget(store) == (1,)
    (first, second) = await once(store.read(), queries.tables.find, newest_first=False)
    assert first.offers == Offers(draw=Proposal(by=0, agreed=(0,)))
    assert second.offers == theirs


@pytest.mark.parametrize(
    ("column", "damaged"),
    [
        (tables.tables.c.offers, {"substitute": {"to": ZOE}}), (tables.tables.c.offers, [ZOE]),
        (tables.tables.c.set_aside, f"offers: {ZOE} is no seat"), (tables.outbox.c.payload, [ZOE, "and more"]),
        (tables.seats.c.status, "sleeping"), (tables.tables.c.status, "sleeping"), (tables.tables.c.game, "chess"),
        (tables.actions.c.kind, "sleeping"), (tables.people.c.settings, [1]),
    ],
    ids=str,
)  # fmt: skip
async def test_forgetting_needs_nothing_readable(store: Store, column: sa.Column[Any], damaged: object) -> None:
    async with store.write() as writer:
        await fill(writer)
        name = f"{column.table.name} SET {column.name}"
        value = json.dumps(damaged) if isinstance(damaged, list | dict) else str(damaged)
        sql = f"UPDATE {name} = '{value}'"
        await writer.execute(sa.text(sql))
    await forget(store)
    assert where(await everything(store), str(ZOE), NAME) == []


async def test_invalid_json_does_not_hinder_forgetting(store: Store) -> None:
    if store.address.path is None:
        pytest.skip("PostgreSQL keeps only JSON in such a column")
    async with store.write() as writer:
        await fill(writer)
        await writer.execute(sa.text(f"UPDATE tables SET offers = '{{\"to\": {ZOE}'"))
        await writer.execute(sa.text(f"UPDATE outbox SET payload = 'for {ZOE}'"))
    await forget(store)
    assert where(await everything(store), str(ZOE), NAME) == []


async def test_forgotten_people_are_still_taken_out_of_private_threads(store: Store) -> None:
    async with store.write() as writer:
        await queries.tables.add(writer, a_table(private=True))
        await queries.jobs.enqueue(writer, a_job(1, kind=JobKind.DISMISSAL, key=str(ZOE), payload={"user": ZOE}))
    await forget(store)
    assert [job.kind for job in await once(store.read(), queries.jobs.due, 2000.0)] == [JobKind.DISMISSAL]


async def test_messages_to_them_or_about_them_are_no_longer_sent(store: Store) -> None:
    async with store.write() as writer:
        await queries.tables.add(writer, a_table())
        for number, (to, user) in enumerate(((ZOE, 0), (BERT, ZOE), (BERT, NEARLY))):
            payload = {"to": to, "user": user, "news": "paused", "error": ""}
            await queries.jobs.enqueue(writer, a_job(1, kind=JobKind.LETTER, key=f"paused.{number}.{to}", payload=payload))
    await forget(store)
    assert [job.key for job in await once(store.read(), queries.jobs.due, 2000.0)] == [f"paused.2.{BERT}"]


async def test_a_placeholders_id_is_new_in_every_column(store: Store) -> None:
    await once(store.write(), fill)
    await forget(store)
    async with store.write() as writer:
        assert await queries.forgetting.unused_placeholder(writer) == -2
        with pytest.raises(ValueError, match="already somebody's"):
            await queries.forgetting.forget_person(writer, BERT, -1, "somebody else")


@pytest.mark.parametrize("status", TournamentStatus)
async def test_a_started_event_keeps_a_placeholder_that_has_left(store: Store, status: TournamentStatus) -> None:
    async with store.write() as writer:
        event = await tournaments_sql.add(writer, a_tournament(status=status, due=5000.0, organiser_id=BERT))
        for number, user in enumerate((BERT, ZOE), 1):
            entry = a_tournament_entry(user, event_id=event.id, number=number, press=7, seed=number, lapses=1, place=number)
            await tournaments_sql.put_entry(writer, entry)
    await forget(store)
    async with store.read() as reader:
        (other, *mine), after = await tournaments_sql.entries(reader, event.id), await tournaments_sql.get(reader, event.id)
    assert (other.user_id, other.press, other.has_left) == (BERT, 7, False)
    gone = a_tournament_entry(-1, event_id=event.id, number=2, seed=2, lapses=1, place=2, name="somebody", has_left=True)
    assert mine == ([] if status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN} else [gone])
    assert after is not None
    assert after.due == (0.0 if status is TournamentStatus.RUNNING else 5000.0), "the others do not wait for a game with nobody"


async def test_a_paused_event_stays_paused_when_a_player_is_forgotten(store: Store) -> None:
    async with store.write() as writer:
        event = await tournaments_sql.add(writer, a_tournament(status=TournamentStatus.RUNNING, due=None, paused_at=2000.0))
        await tournaments_sql.put_entry(writer, a_tournament_entry(ZOE, event_id=event.id))
    await forget(store)
    after = await once(store.read(), tournaments_sql.get, event.id)
    assert after is not None
    assert (after.due, after.paused_at) == (None, 2000.0)


async def test_the_events_of_a_forgotten_server_go_with_it(store: Store) -> None:
    async with store.write() as writer:
        for guild_id in (GUILD, GUILD + 1):
            event = await tournaments_sql.add(writer, a_tournament(guild_id=guild_id))
            await tournaments_sql.put_entry(writer, a_tournament_entry(BERT, event_id=event.id))
    await once(store.write(), queries.forgetting.forget_server, GUILD)
    async with store.read() as reader:
        assert await tournaments_sql.of_guild(reader, GUILD) == ()
        assert [event.id for event in await tournaments_sql.of_guild(reader, GUILD + 1)] == [2]
        assert [len(await tournaments_sql.entries(reader, number)) for number in (1, 2)] == [0, 1]


async def test_puzzles_solved_on_a_forgotten_server_stay_with_their_solvers(store: Store) -> None:
    there, elsewhere = a_puzzle_attempt(ZOE), a_puzzle_attempt(ZOE, puzzle="bouncers-18", guild_id=GUILD + 1)
    async with store.write() as writer:
        for attempt in (there, elsewhere):
            await puzzles_sql.put(writer, attempt)
    await once(store.write(), queries.forgetting.forget_server, GUILD)
    async with store.read() as reader:
        assert await puzzles_sql.of_server(reader, GUILD, 1, 9) == ()
        assert await puzzles_sql.get(reader, ZOE, there.puzzle) == replace(there, guild_id=None)
        assert await puzzles_sql.get(reader, ZOE, elsewhere.puzzle) == elsewhere
