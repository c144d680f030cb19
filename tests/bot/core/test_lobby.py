"""Tables are opened, joined, left and started, and refusals say clearly what is wrong."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.core.change import Change
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.opening import ANSWERED_WITHIN, announce, open_table
from bot.core.play import Play
from bot.core.table.computer_players import Computer, is_computer, strangers
from bot.core.table.errors import NoSuchTable, NotSeated, Refused, TableFull, WrongStage
from bot.core.table.snapshot import Snapshot, User
from bot.parts import PARTS
from engines.chance import seed_hash
from storage import queries
from storage.cluster.leases import Leases
from storage.schema.records import JobKind, Level, SeatStatus, Status
from storage.store import Store
from storage.transactions import ShardFilter
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DEV, HOUR, Time, jobs, owed, started
from tests.storage.samples import a_table


async def test_the_opener_sits_down_and_the_table_waits_for_others(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, BOUNCERS)
    assert (snapshot.table.status, snapshot.names, snapshot.free) == (Status.OPEN, ("Ann",), 1)
    assert snapshot.table.seed == (1).to_bytes(32, "big")
    assert not snapshot.table.begun
    assert await owed(core) == [(snapshot.table.id, "opening")]


async def test_the_game_starts_when_the_last_seat_is_taken(core: Core) -> None:
    snapshot = await started(core)
    assert snapshot.table.status is Status.PLAYING
    assert snapshot.names == ("Ann", "Ben")
    assert [p.name for p in snapshot.awaited] == ["Ann"]
    assert snapshot.table.seed == (1).to_bytes(32, "big")
    assert len(seed_hash(snapshot.table.seed)) == 64
    assert await owed(core) == [(snapshot.table.id, kind) for kind in ("board", "lobby", "opening")]


async def test_a_game_for_one_starts_with_its_first_press(core: Core) -> None:
    snapshot = await core.service(Lobby).open(ANN, replace(BOUNCERS, game="trampoline", seats=1))
    assert (snapshot.table.status, snapshot.table.rated) == (Status.OPEN, False)
    snapshot = await core.service(Lobby).start(snapshot.table.id, ANN)
    assert (snapshot.table.status, snapshot.table.rated) == (Status.PLAYING, False)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "no game “chess”"),
        ({"variant": "9x9"}, "no variant “9x9”"),
        ({"seats": 3}, "Bouncers is for 2 players."),
        ({"game": "trampoline", "seats": 5}, "BOUNCE is for 1 to 4 players."),
        ({"opponents": (ANN,)}, "already in. Invite somebody else"),
        ({"game": "trampoline", "opponents": (BEN, BEN)}, "named somebody twice"),
        ({"game": "trampoline", "opponents": (BEN, CLEO), "seats": 2}, "more opponents than seats"),
        ({"options": {"order": "random"}}, "no option “order:random”"),
        ({"options": {"colour": "red"}}, "no option “colour:red”"),
    ],
)
async def test_unknown_games_and_options_cannot_be_opened(core: Core, change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, **change))
    assert await core.tables(guild_id=10) == ()
    assert await owed(core) == []


async def test_one_person_may_have_only_so_many_tables(core: Core, clock: Time) -> None:
    for _ in range(10):
        await core.service(Lobby).open(ANN, BOUNCERS)
        clock.pass_(HOUR)
    with pytest.raises(Refused, match="10 open tables"):
        await core.service(Lobby).open(ANN, BOUNCERS)
    await core.service(Lobby).open(ANN, replace(BOUNCERS, guild_id=11))
    await core.service(Lobby).open(BEN, BOUNCERS)


async def test_a_command_heard_by_two_processes_opens_one_table(store: Store, clock: Time) -> None:
    leases = Leases(store)
    await leases.add("shard 0 of 1")
    lease = await leases.claim("shard 0 of 1", "this", 10.0)
    assert lease is not None
    core = Core(store.part(ShardFilter(0, 1), lease.name, lease.fence), parts=PARTS, now=clock)
    request = replace(BOUNCERS, interaction_id=2**62, most_tables=1)
    opened = await core.service(Lobby).open(ANN, request)
    assert await core.service(Lobby).open(ANN, request) == opened, "and nobody is told that they have too many"
    joined = await core.service(Lobby).join(opened.table.id, BEN)
    again = await core.service(Lobby).open(ANN, request)
    assert (again.table, again.people) == (joined.table, joined.people), "it is shown as it is by now"
    assert [table.id for table in await core.tables(guild_id=10)] == [opened.table.id]
    other = await core.service(Lobby).open(ANN, replace(request, interaction_id=2**62 + 1, most_tables=2))
    assert other.table.id != opened.table.id
    by_nobody = [(await core.service(Lobby).open(BEN, BOUNCERS)).table.id for _ in range(2)]
    assert len({opened.table.id, other.table.id, *by_nobody}) == 4


async def test_shuffled_seats_come_from_the_first_draws_of_the_seed_and_can_be_replayed(core: Core) -> None:
    request = replace(BOUNCERS, game="trampoline", seats=4, options={"order": "shuffled"})
    table_id = (await core.service(Lobby).open(ANN, request)).table.id
    for user in (BEN, CLEO):
        await core.service(Lobby).join(table_id, user)
    snapshot = await core.service(Lobby).join(table_id, DEV)
    assert sorted(snapshot.names) == ["Ann", "Ben", "Cleo", "Dev"]
    again = Core(core.store, parts=PARTS, now=core.now)
    reread = await again.snapshot(table_id)
    assert reread.names == snapshot.names
    game = snapshot.playing.game
    assert game.position(reread.playing.state, secret=True) == game.position(snapshot.playing.state, secret=True)


async def test_an_invitation_keeps_a_seat_until_it_is_declined(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=(BEN,)))).table.id
    with pytest.raises(TableFull, match="kept for invited players"):
        await core.service(Lobby).join(table_id, CLEO)
    await core.service(Lobby).decline(table_id, BEN)
    snapshot = await core.service(Lobby).join(table_id, CLEO)
    assert snapshot.names == ("Ann", "Cleo")
    assert snapshot.table.status is Status.PLAYING


async def test_only_the_invited_may_join_a_private_table(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=(BEN,), private=True))).table.id
    with pytest.raises(NoSuchTable):
        await core.service(Lobby).join(table_id, CLEO)
    assert (await core.service(Lobby).join(table_id, BEN)).table.status is Status.PLAYING


async def test_somebody_who_declined_may_still_join_while_there_is_room(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=(BEN,)))).table.id
    await core.service(Lobby).decline(table_id, BEN)
    assert (await core.service(Lobby).join(table_id, BEN)).names == ("Ann", "Ben")


async def test_sitting_down_twice_changes_nothing(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    snapshot = await core.service(Lobby).join(table_id, ANN)
    assert (snapshot.names, snapshot.table.status) == (("Ann",), Status.OPEN)


async def test_when_everybody_has_left_the_table_is_closed(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    with pytest.raises(NotSeated):
        await core.service(Lobby).leave(table_id, BEN)
    assert (await core.service(Lobby).leave(table_id, ANN)).table.status is Status.CLOSED
    with pytest.raises(WrongStage, match="is closed"):
        await core.service(Lobby).join(table_id, BEN)


async def test_a_game_can_start_with_fewer_players_but_not_with_too_few(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    with pytest.raises(WrongStage, match="Bouncers needs 2 players"):
        await core.service(Lobby).start(table_id, ANN)
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, game="trampoline", opponents=(CLEO,), seats=4))).table.id
    await core.service(Lobby).join(table_id, BEN)
    with pytest.raises(NotSeated):
        await core.service(Lobby).start(table_id, DEV)
    with pytest.raises(Refused, match="Only Ann, who opened this table, can start the game"):
        await core.service(Lobby).start(table_id, BEN)
    snapshot = await core.service(Lobby).start(table_id, ANN)
    assert (snapshot.names, snapshot.table.wanted, snapshot.invited) == (("Ann", "Ben"), 2, ())


JUMPING = replace(BOUNCERS, game="trampoline")


@pytest.mark.parametrize("named", [1, 2, 3])
async def test_a_table_whose_opponents_are_all_named_starts_when_the_last_of_them_accepts(core: Core, named: int) -> None:
    invited = (BEN, CLEO, DEV)[:named]
    table_id = (await core.service(Lobby).open(ANN, replace(JUMPING, opponents=invited))).table.id
    *others, last = invited
    for user in others:
        assert (await core.service(Lobby).join(table_id, user)).table.status is Status.OPEN
    snapshot = await core.service(Lobby).join(table_id, last)
    assert (snapshot.table.status, len(snapshot.players)) == (Status.PLAYING, 1 + named)


async def test_a_table_with_more_seats_than_were_named_starts_when_all_are_taken(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(JUMPING, opponents=(BEN,), seats=3))).table.id
    assert (await core.service(Lobby).join(table_id, BEN)).table.status is Status.OPEN
    assert (await core.service(Lobby).join(table_id, CLEO)).table.status is Status.PLAYING


async def test_an_open_table_starts_when_all_seats_are_taken(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, JUMPING)).table.id
    for user in (BEN, CLEO):
        assert (await core.service(Lobby).join(table_id, user)).table.status is Status.OPEN
    assert (await core.service(Lobby).join(table_id, DEV)).table.status is Status.PLAYING


@pytest.mark.parametrize("last", ["declines", "accepts"])
async def test_after_a_refusal_the_opener_is_asked_whoever_answers_last(core: Core, last: str) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(JUMPING, opponents=(BEN, CLEO), private=True))).table.id
    answers = [core.service(Lobby).decline(table_id, CLEO), core.service(Lobby).join(table_id, BEN)]
    for answer in answers if last == "accepts" else reversed(answers):
        assert (await answer).table.status is Status.OPEN
    with pytest.raises(Refused, match="Ann, who opened this table"):
        await core.service(Lobby).start(table_id, BEN)
    assert (await core.service(Lobby).start(table_id, ANN)).names == ("Ann", "Ben")


async def test_once_the_opener_has_left_anybody_there_can_start(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, JUMPING)).table.id
    await core.service(Lobby).join(table_id, BEN)
    await core.service(Lobby).leave(table_id, ANN)
    assert (await core.service(Lobby).start(table_id, BEN)).names == ("Ben",)


async def test_nobody_joins_leaves_or_starts_a_running_game(core: Core) -> None:
    table_id = (await started(core)).table.id
    with pytest.raises(WrongStage, match="has already started"):
        await core.service(Lobby).join(table_id, CLEO)
    with pytest.raises(WrongStage, match=r"press \*Resign"):
        await core.service(Lobby).leave(table_id, ANN)
    with pytest.raises(WrongStage, match="has already started"):
        await core.service(Lobby).start(table_id, ANN)


async def test_a_table_that_does_not_exist_or_is_elsewhere_is_not_found(core: Core) -> None:
    table_id = (await started(core)).table.id
    with pytest.raises(NoSuchTable, match="no table #99"):
        await core.snapshot(99)
    with pytest.raises(NoSuchTable):
        await core.snapshot(table_id, guild_id=11)
    with pytest.raises(NoSuchTable):
        await core.service(Play).act(99, ANN, "c2 c3")


async def test_tables_are_found_by_channel_person_and_stage(core: Core) -> None:
    first = (await started(core)).table.id
    second = (await core.service(Lobby).open(CLEO, replace(BOUNCERS, channel_id=21))).table.id
    assert {t.id for t in await core.tables(guild_id=10)} == {first, second}
    assert [t.id for t in await core.tables(guild_id=10, channel_id=21)] == [second]
    assert [t.id for t in await core.tables(guild_id=10, user_id=BEN.id)] == [first]
    assert [t.id for t in await core.tables(guild_id=10, statuses=(Status.OPEN,))] == [second]
    assert await core.tables(guild_id=11) == ()


@pytest.mark.parametrize("first", ["joins", "leaves"])
async def test_taking_the_last_seat_and_leaving_happen_one_after_the_other(core: Core, first: str) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(JUMPING, seats=3))).table.id
    await core.service(Lobby).join(table_id, BEN)
    both = [core.service(Lobby).join(table_id, CLEO), core.service(Lobby).leave(table_id, BEN)]
    done = await asyncio.gather(*(both if first == "joins" else reversed(both)), return_exceptions=True)
    after = await core.snapshot(table_id)
    refused = [answer for answer in done if isinstance(answer, BaseException)]
    if after.table.status is Status.PLAYING:
        assert after.names == ("Ann", "Ben", "Cleo")
        assert [type(error) for error in refused] == [WrongStage]
    else:
        assert (after.table.status, after.names, refused) == (Status.OPEN, ("Ann", "Cleo"), [])
    assert (await owed(core)).count((table_id, "board")) == (after.table.status is Status.PLAYING)


async def opened(
    core: Core, around: tuple[User | Computer | Level, ...], joined: tuple[int, ...], *, answered: bool | None = None
) -> Snapshot:
    async with core.store.write() as writer:
        table = replace(a_table(), created_at=core.now(), wanted=len(around))
        change = Change(core, writer, Snapshot(table, ()))
        await open_table(change, around, joined)
        await announce(change, answered=answered)
    return change.snapshot


async def test_everybody_sits_in_order_and_each_computer_is_a_different_one(core: Core) -> None:
    named = Computer(next(strangers(1, ())), Level.HARD)
    around = (BEN, ANN, named, Level.EASY, Level.MEDIUM)
    snapshot = await opened(core, around, (ANN.id,))
    statuses = [SeatStatus.INVITED, *[SeatStatus.JOINED] * 4]
    assert [(seat.place, seat.status, seat.table_id) for seat in snapshot.people] == [
        (place, status, snapshot.table.id) for place, status in enumerate(statuses)
    ]
    assert [seat.computer for seat in snapshot.people] == [None, None, Level.HARD, Level.EASY, Level.MEDIUM]
    assert all(is_computer(seat.user_id) for seat in snapshot.people[2:])
    assert len({seat.user_id for seat in snapshot.people}) == len(around)
    async with core.store.read() as reader:
        stored = await queries.tables.get_joined(reader, snapshot.table.id)
    assert stored is not None
    assert tuple(stored.seats) == snapshot.people


@pytest.mark.parametrize("answered", [None, False, True])
async def test_invited_people_are_asked_when_the_table_is_shown(core: Core, answered: bool | None) -> None:
    await opened(core, (ANN, BEN, CLEO), (ANN.id,), answered=answered)
    due = core.now() + (ANSWERED_WITHIN if answered else 0)
    payload = {} if answered is None else {"answered": answered}
    assert [(job.kind, job.payload, job.due) for job in sorted(await jobs(core), key=lambda job: job.id)] == [
        (JobKind.OPENING, payload, due),
        (JobKind.INVITATION, {}, due),
    ]


async def test_nobody_is_asked_where_all_have_joined(core: Core) -> None:
    await opened(core, (ANN, BEN), (ANN.id, BEN.id))
    assert [job.kind for job in await jobs(core)] == [JobKind.OPENING]
