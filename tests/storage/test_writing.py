from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from storage import queries
from storage.schema.records import (
    Contribution,
    Ending,
    EntryKind,
    Handover,
    JobKind,
    OfferKind,
    Offers,
    Person,
    Proposal,
    Question,
    Result,
    Seat,
    SeatStatus,
    Server,
    Status,
    Table,
    Watch,
    WatchFor,
)
from storage.store import Conflict, Repeated, Store, Writer
from tests.storage.reading_back import once, stored_table
from tests.storage.samples import ANNA, BERT, CARL, GUILD, OTHER_GUILD, a_job, a_rating, a_seat, a_table, an_entry

FULL = Table(
    guild_id=GUILD, channel_id=2, thread_id=3, game="pucks", variant="goals", options={"mats": "basic block pool"}, wanted=3,
    status=Status.PLAYING, opened_by=ANNA, private=True, rated=False, clock=86400, seed=bytes(range(32)), chain=2, version=4,
    turn=5, turn_began=6.5, deadline=7.5, notice_at=8.5, outcome=Result(winners=(0, 2), reason="ä", how=Ending.RULES),
    offers=Offers(draw=Proposal(by=0, agreed=(0,)), substitute=Handover(by=0, seat=1, to=2**63 - 1)),
    questions=(Question(offer=OfferKind.UNDO, channel_id=3, message_id=2**63 - 1), Question(channel_id=2, message_id=8)),
    nudged_turn=4, rematch_id=2**40, interaction_id=2**63 - 1, lobby_message_id=9, board_channel_id=10,
    board_message_id=2**63 - 1, board_version=11, board_since=12, board_turn=13, board_posted=14.5,
    created_at=1764000000.123456, started_at=16.5, finished_at=17.5,
)  # fmt: skip


OVER = Result(winners=(), how=Ending.ABANDONED, reason="")


@pytest.mark.parametrize("table", [FULL, a_table()])
async def test_a_table_is_kept_as_it_is_and_gets_a_number(store: Store, table: Table) -> None:
    async with store.write() as writer:
        added = await queries.tables.add(writer, table)
        assert added == replace(table, id=added.id)
        assert await queries.tables.get(writer, added.id) == added
    kept = await once(store.read(), queries.tables.get, added.id)
    assert kept == added
    assert isinstance(kept.status, Status)


async def test_an_interaction_opens_one_table_which_is_found_by_it(store: Store) -> None:
    async with store.write() as writer:
        assert await queries.tables.by_interaction(writer, 7) is None
        table, _ = await queries.tables.add(writer, a_table(interaction_id=7)), await queries.tables.add(writer, a_table())
        assert await queries.tables.by_interaction(writer, 7) == table.id
    with pytest.raises(IntegrityError):
        await once(store.write(), queries.tables.add, a_table(interaction_id=7))
    assert [found.interaction_id for found in await once(store.read(), queries.tables.find)] == [None, 7]


async def test_no_number_of_a_table_comes_twice_even_after_a_table_was_removed(store: Store) -> None:
    async with store.write() as writer:
        first = await queries.tables.add(writer, a_table())
        await queries.forgetting.forget_server(writer, GUILD)
        second = await queries.tables.add(writer, a_table())
    assert second.id > first.id


async def test_fields_of_a_table_are_changed_and_the_others_stay(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, FULL)
        other = await queries.tables.add(writer, replace(FULL, interaction_id=None))
        changed = await queries.tables.change(writer, table.id, status=Status.FINISHED, deadline=None, outcome=OVER)
        assert changed == replace(table, status=Status.FINISHED, deadline=None, outcome=OVER)
        assert await queries.tables.change(writer, table.id) == changed
    async with store.read() as reader:
        assert await queries.tables.get(reader, table.id) == changed
        assert await queries.tables.get(reader, other.id) == other


@pytest.mark.parametrize("name", ["id", "colour"])
async def test_only_fields_of_a_table_can_be_changed(store: Store, table: Table, name: str) -> None:
    async with store.write() as writer:
        with pytest.raises(TypeError, match=name):
            await queries.tables.change(writer, table.id, **{name: 1})


async def test_a_table_that_does_not_exist_cannot_be_changed(store: Store) -> None:
    async with store.write() as writer:
        for columns in ({"version": 1}, {}):
            with pytest.raises(LookupError, match="no table 77"):
                await queries.tables.change(writer, 77, **columns)


async def test_a_table_that_was_read_is_changed_without_being_read_again(store: Store) -> None:
    table = await once(store.write(), queries.tables.add, FULL)
    async with store.write() as writer:
        first = await queries.tables.amend(writer, table, status=Status.FINISHED, deadline=None, outcome=OVER)
        twice = await queries.tables.amend(writer, first, version=9, offers=Offers())
        assert twice == replace(table, status=Status.FINISHED, deadline=None, outcome=OVER, version=9, offers=Offers())
        assert await queries.tables.amend(writer, twice) == twice
        assert await queries.tables.get(writer, table.id) == twice, "what is asked comes after what was written"
        last = await queries.tables.amend(writer, twice, turn=7)
        with pytest.raises(TypeError, match="colour"):
            await queries.tables.amend(writer, last, colour=1)
    assert await once(store.read(), queries.tables.get, table.id) == last


async def test_errors_of_later_writes_are_raised_by_the_end(store: Store, table: Table) -> None:
    await once(store.write(), queries.entries.append, an_entry(table.id, 1, interaction_id=1))

    async def try_to(write: Callable[[Writer], Awaitable[object]], *, asks: bool) -> None:
        async with store.write() as writer:
            await queries.seats.put(writer, a_seat(table.id, ANNA, 0))
            await write(writer)
            if asks:
                await queries.tables.get(writer, table.id)
                pytest.fail("it should have been told before the answer")

    for write, error in (
        (lambda writer: queries.entries.append_later(writer, an_entry(table.id, 1, interaction_id=2)), Conflict),
        (lambda writer: queries.entries.append_later(writer, an_entry(table.id, 2, interaction_id=1)), Repeated),
        (lambda writer: queries.entries.append_later(writer, an_entry(table.id, 3)), ValueError),
        (lambda writer: queries.tables.amend(writer, replace(table, id=77), version=2), LookupError),
        (lambda writer: queries.jobs.enqueue_later(writer, a_job(77)), IntegrityError),
    ):
        for asks in (False, True):
            with pytest.raises(error):
                await try_to(write, asks=asks)
            assert await once(store.read(), queries.seats.of_table, table.id) == ()
    async with store.write() as writer:
        await queries.entries.append_later(writer, an_entry(table.id, 2, interaction_id=3))
        job = a_job(table.id)
        await queries.jobs.enqueue_later(writer, job)
    async with store.read() as reader:
        assert [entry.number for entry in await queries.entries.of_table(reader, table.id)] == [1, 2]
        stored = replace(job, guild_id=table.guild_id, subject=f"table {table.id}")
        assert [replace(kept, id=0) for kept in await queries.jobs.unfinished(reader)] == [stored]


@pytest.mark.parametrize(("refused", "newer"), [({"silent": True}, {}), ({}, {"silent": True})])
async def test_a_newer_board_decides_whether_it_is_silent_and_keeps_the_refusal_and_its_tries(
    store: Store, table: Table, refused: dict[str, bool], newer: dict[str, bool]
) -> None:
    async with store.write() as writer:
        job = await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.BOARD, payload=refused))
        await queries.jobs.note_refusal(writer, job.id, 5.0, job.payload | {"refused": 50001, "told": 1})
    stored = await once(store.write(), queries.jobs.enqueue, a_job(table.id, kind=JobKind.BOARD, payload=newer))
    (found,) = await once(store.read(), queries.jobs.of_table, table.id)
    assert (found.payload, found.tries, stored.tries) == (newer | {"refused": 50001, "told": 1}, 1, 1)


async def test_a_seed_that_is_too_short_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError):
        await once(store.write(), queries.tables.add, a_table(seed=b"short"))


async def test_a_status_that_does_not_exist_is_refused(store: Store, table: Table) -> None:
    async with store.write() as writer:
        with pytest.raises(Exception, match="'paused' is not a valid Status"):
            await queries.tables.change(writer, table.id, status="paused")


async def test_a_person_has_one_seat_at_a_table(store: Store, table: Table) -> None:
    async with store.write() as writer:
        await queries.seats.put(writer, a_seat(table.id, ANNA, 0, status=SeatStatus.INVITED))
        joined = Seat(
            table_id=table.id, user_id=ANNA, place=1, status=SeatStatus.JOINED, name="Änna 🦘", timeouts=2, asked_at=3.5
        )
        await queries.seats.put(writer, joined)
        await queries.seats.put(writer, a_seat(table.id, BERT, 0))
        assert await queries.seats.of_table(writer, table.id) == (a_seat(table.id, BERT, 0), joined)
        await queries.seats.remove(writer, table.id, BERT)
        await queries.seats.remove(writer, table.id, CARL)
        assert await queries.seats.of_table(writer, table.id) == (joined,)


async def test_an_entry_is_kept_as_it_is(store: Store, table: Table) -> None:
    async with store.write() as writer:
        entries = (
            an_entry(table.id, 1, tokens=("c2", "c3", "d4"), interaction_id=2**62),
            an_entry(table.id, 2, kind=EntryKind.UNDO, tokens=(), user_id=None, seat=1),
        )
        for entry in entries:
            await queries.entries.append(writer, entry)
    kept = await once(store.read(), queries.entries.of_table, table.id)
    assert kept == entries
    assert isinstance(kept[1].kind, EntryKind)


async def test_a_number_that_is_taken_is_a_conflict_and_the_transaction_can_go_on(store: Store, table: Table) -> None:
    async with store.write() as writer:
        await queries.entries.append(writer, an_entry(table.id, 1, interaction_id=1))
        with pytest.raises(Conflict, match=f"table {table.id} already has an entry 1"):
            await queries.entries.append(writer, an_entry(table.id, 1, interaction_id=2))
        with pytest.raises(Conflict):
            await queries.entries.append(writer, an_entry(table.id, 1))
        await queries.entries.append(writer, an_entry(table.id, 2, interaction_id=2))
    assert [entry.interaction_id for entry in await once(store.read(), queries.entries.of_table, table.id)] == [1, 2]


@pytest.mark.parametrize("number", [1, 2])
async def test_a_repeated_interaction_is_shown_what_it_made(store: Store, table: Table, number: int) -> None:
    async with store.write() as writer:
        first = an_entry(table.id, 1, interaction_id=1)
        await queries.entries.append(writer, first)
        with pytest.raises(Repeated) as repeated:
            await queries.entries.append(writer, an_entry(table.id, number, interaction_id=1, tokens=("other",)))
        assert repeated.value.entry == first
        assert await queries.entries.of_table(writer, table.id) == (first,)


async def test_an_interaction_makes_one_entry_at_all_tables_together(store: Store) -> None:
    async with store.write() as writer:
        table, other = await queries.tables.add(writer, a_table()), await queries.tables.add(writer, a_table())
        await queries.entries.append(writer, an_entry(table.id, 1, interaction_id=1))
        with pytest.raises(Repeated):
            await queries.entries.append(writer, an_entry(other.id, 1, interaction_id=1))


@pytest.mark.parametrize("number", [2, 3, 100])
async def test_a_log_has_no_gaps(store: Store, table: Table, number: int) -> None:
    async with store.write() as writer:
        with pytest.raises(ValueError, match="would leave a gap"):
            await queries.entries.append(writer, an_entry(table.id, number))


@pytest.mark.parametrize("number", [0, -1])
async def test_numbers_count_from_1(store: Store, number: int) -> None:
    table_id = (await once(store.write(), queries.tables.add, a_table())).id
    with pytest.raises(IntegrityError):
        await once(store.write(), queries.entries.append, an_entry(table_id, number))


async def test_nothing_is_written_for_a_table_that_does_not_exist(store: Store) -> None:
    for write in (
        lambda writer: queries.entries.append(writer, an_entry(77, 1)),
        lambda writer: queries.seats.put(writer, a_seat(77, ANNA, 0)),
        lambda writer: queries.jobs.enqueue(writer, a_job(77)),
        lambda writer: queries.seats.put_watch(writer, Watch(table_id=77, user_id=ANNA, what=WatchFor.END)),
    ):
        with pytest.raises(IntegrityError):
            await once(store.write(), write)


async def test_a_newer_job_replaces_the_older_one(store: Store, table: Table) -> None:
    async with store.write() as writer:
        older = await queries.jobs.enqueue(writer, a_job(table.id, payload={"version": 1}, due=1.0))
        await queries.jobs.postpone(writer, older.id, 50.0)
        newer = await queries.jobs.enqueue(writer, a_job(table.id, payload={"version": 2}, due=2.0, tries=9, created_at=1003.0))
        others = [
            await queries.jobs.enqueue(writer, a_job(table.id, key="other", due=3.0)),
            await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.LOBBY, due=4.0)),
        ]
    assert newer.tries == 0
    assert newer.created_at == older.created_at, "something has been owed since then"
    assert {job.id: job for job in await once(store.read(), queries.jobs.due, 10.0)} == {
        job.id: job for job in (newer, *others)
    }


async def test_a_failed_job_is_retried_later(store: Store, table: Table) -> None:
    async with store.write() as writer:
        job = await queries.jobs.enqueue(writer, a_job(table.id, due=1.0))
        await queries.jobs.postpone(writer, job.id, 5.0)
        await queries.jobs.postpone(writer, job.id, 9.0)
        assert await queries.jobs.due(writer, 8.9) == ()
        assert await queries.jobs.due(writer, 9.0) == (replace(job, due=9.0, tries=2),)


async def test_a_finished_job_is_gone(store: Store, table: Table) -> None:
    async with store.write() as writer:
        job = await queries.jobs.enqueue(writer, a_job(table.id))
        assert await queries.jobs.finish(writer, job)
        assert await queries.jobs.next_due(writer) is None
        assert not await queries.jobs.finish(writer, job)


async def test_finishing_or_postponing_the_older_job_leaves_the_newer_alone(store: Store, table: Table) -> None:
    older = await once(store.write(), queries.jobs.enqueue, a_job(table.id, payload={"version": 1}))
    newer = await once(store.write(), queries.jobs.enqueue, a_job(table.id, payload={"version": 2}))
    async with store.write() as writer:
        assert not await queries.jobs.finish(writer, older)
        await queries.jobs.postpone(writer, older.id, 5000.0)
        assert await queries.jobs.due(writer, 1000.0) == (newer,)


async def test_the_same_job_enqueued_again_counts_as_newer(store: Store, table: Table) -> None:
    async with store.write() as writer:
        first = await queries.jobs.enqueue(writer, a_job(table.id))
        assert await queries.jobs.finish(writer, first)
        second = await queries.jobs.enqueue(writer, a_job(table.id))
        assert not await queries.jobs.finish(writer, first)
        assert await queries.jobs.due(writer, 1000.0) == (second,)


async def test_a_forgotten_person_leaves_a_placeholder_in_games_that_were_begun_and_nothing_else(store: Store) -> None:
    async with store.write() as writer:
        lobby, invited, playing, finished = [
            (await queries.tables.add(writer, a_table(status=status))).id
            for status in (Status.OPEN, Status.PLAYING, Status.PLAYING, Status.FINISHED)
        ]
        for table_id in (lobby, playing, finished):
            await queries.seats.put(writer, a_seat(table_id, ANNA, 0))
            await queries.seats.put(writer, a_seat(table_id, BERT, 1, status=SeatStatus.WITHDRAWN))
            await queries.entries.append(writer, an_entry(table_id, 1))
            await queries.entries.append(writer, an_entry(table_id, 2, user_id=BERT))
        await queries.seats.put(writer, a_seat(invited, ANNA, 2, status=SeatStatus.INVITED))
        await queries.seats.put(writer, a_seat(finished, CARL, 2, status=SeatStatus.DECLINED))
        for user_id in (ANNA, BERT):
            await queries.people.put(writer, Person(user_id=user_id, settings={"zone": "UTC"}))
            await queries.ratings.put(writer, a_rating(user_id))
            await queries.seats.put_watch(writer, Watch(table_id=finished, user_id=user_id, what=WatchFor.END))
        for place, user_id in enumerate((ANNA, BERT, ANNA), 1):
            pressed = Contribution(table_id=lobby, interaction_id=place, user_id=user_id, word="a word")
            await queries.entries.put_contribution(writer, pressed)
            await queries.entries.put_contribution(writer, replace(pressed, table_id=playing, number=place))
    async with store.write() as writer:
        placeholder = await queries.forgetting.unused_placeholder(writer)
        await queries.forgetting.forget_person(writer, ANNA, placeholder, "somebody")
    gone, bert = a_seat(playing, placeholder, 0, name="somebody", asked_at=1000.0), SeatStatus.WITHDRAWN
    async with store.read() as reader:
        assert await queries.seats.of_table(reader, lobby) == (a_seat(lobby, BERT, 1, status=bert),)
        assert await queries.seats.of_table(reader, invited) == ()
        assert await queries.seats.of_table(reader, playing) == (gone, a_seat(playing, BERT, 1, status=bert))
        assert (await queries.seats.of_table(reader, finished))[0] == replace(gone, table_id=finished)
        for table_id in (lobby, playing, finished):
            assert [entry.user_id for entry in await queries.entries.of_table(reader, table_id)] == [placeholder, BERT]
            assert (await stored_table(reader, table_id)).opened_by == placeholder
        assert await queries.people.get(reader, ANNA) == Person(user_id=ANNA)
        assert (await queries.people.get(reader, BERT)).settings == {"zone": "UTC"}
        assert [rating.user_id for rating in await queries.ratings.find(reader)] == [BERT]
        assert [watch.user_id for watch in await queries.seats.watches_of_table(reader, finished)] == [BERT]
        assert [one.user_id for one in await queries.entries.contributions_of_table(reader, lobby)] == [BERT]
        mixed = await queries.entries.contributions_of_table(reader, playing)
        assert [(one.number, one.user_id, one.word) for one in mixed] == [
            (1, placeholder, ""),
            (2, BERT, "a word"),
            (3, placeholder, ""),
        ]
        assert [one.removed for one in mixed] == [True, False, True]


async def test_two_forgotten_people_at_one_table_stay_two(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(status=Status.PLAYING))
        await queries.seats.put(writer, a_seat(table.id, ANNA, 0))
        await queries.seats.put(writer, a_seat(table.id, BERT, 1))
        await queries.forgetting.forget_person(writer, ANNA, await queries.forgetting.unused_placeholder(writer), "somebody")
        with pytest.raises(ValueError, match="already somebody's"):
            await queries.forgetting.forget_person(writer, BERT, -1, "somebody")
        await queries.forgetting.forget_person(
            writer, BERT, await queries.forgetting.unused_placeholder(writer), "somebody else"
        )
        assert [(seat.user_id, seat.name) for seat in await queries.seats.of_table(writer, table.id)] == [
            (-1, "somebody"),
            (-2, "somebody else"),
        ]
        assert await queries.forgetting.unused_placeholder(writer) == -3


async def test_a_forgotten_server_leaves_nothing_and_takes_nothing_from_others(store: Store) -> None:
    async with store.write() as writer:
        for guild_id in (GUILD, OTHER_GUILD):
            table = await queries.tables.add(writer, a_table(guild_id=guild_id))
            await queries.seats.put(writer, a_seat(table.id, ANNA, 0))
            await queries.entries.append(writer, an_entry(table.id, 1))
            await queries.jobs.enqueue(writer, a_job(table.id))
            await queries.seats.put_watch(writer, Watch(table_id=table.id, user_id=ANNA, what=WatchFor.END))
            await queries.ratings.put(writer, a_rating(ANNA, guild_id=guild_id))
            await queries.servers.put(writer, Server(guild_id=guild_id, settings={"language": "de"}))
        await queries.people.put(writer, Person(user_id=ANNA, settings={"zone": "UTC"}))
    await once(store.write(), queries.forgetting.forget_server, GUILD)
    async with store.read() as reader:
        assert [table.guild_id for table in await queries.tables.find(reader)] == [OTHER_GUILD]
        assert await queries.seats.of_table(reader, 1) == ()
        assert await queries.entries.of_table(reader, 1) == ()
        assert [job.table_id for job in await queries.jobs.due(reader, 2000.0)] == [2]
        assert [watch.table_id for watch in await queries.seats.watches_of_user(reader, ANNA)] == [2]
        assert [rating.guild_id for rating in await queries.ratings.find(reader)] == [OTHER_GUILD]
        assert await queries.servers.get(reader, GUILD) == Server(guild_id=GUILD)
        assert (await queries.servers.get(reader, OTHER_GUILD)).settings == {"language": "de"}
        assert (await queries.people.get(reader, ANNA)).settings == {"zone": "UTC"}
