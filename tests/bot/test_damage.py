"""A damaged row harms only its own table or person: every column of every table is damaged in turn.

While the bot is away, rows of Cleo's and Dev's tables are damaged, but not Ann's and Ben's. When it is back and time passes,
all that Ann and Ben wait for must happen as if nothing were wrong.
"""

import contextlib
import itertools
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.features.analysis.service import Analyses
from bot.features.ladders import sql as ladders_sql
from bot.features.matchmaking import sql as matchmaking_sql
from bot.features.offers.service import Consent
from bot.features.posts import sql as posts_sql
from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.daily import Dailies
from bot.features.puzzles.ratings import new_puzzle
from bot.features.puzzles.service import Puzzles
from bot.features.puzzles.wanted import Wanted
from bot.features.reviews.service import Reviews
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import TournamentRequest, Tournaments
from bot.features.watching.service import Watching
from bot.monitoring.monitor import Monitor
from opponents.puzzles.puzzle import Theme
from storage import queries
from storage.schema import tables as schema
from storage.schema.column_types import Structure, Word
from storage.schema.kinds import TournamentActor, TournamentStatus
from storage.schema.ladder_records import Ladder
from storage.schema.puzzle_records import VoidedDay
from storage.schema.records import Heartbeat, Level, OfferKind, Outage, Post, PostKind, Status, WatchFor
from storage.store import Store
from tests.bot.daily_posts import posts_in
from tests.bot.damage import damage
from tests.bot.kit import World, a_guild, a_world
from tests.bot.puzzles import SHORT, puzzles, with_days
from tests.bot.seated import core_of, seeded, user_of
from tests.bot.service import DAY, HOUR, first_action, press
from tests.bot.ways import by_way
from tests.storage.samples import a_ladder_badge, a_ladder_place, a_seek

BEFORE = 0.6 * DAY
AWAY = 6 * HOUR
AFTER = 2.5 * DAY
"""Seconds for which people play before the outage, the outage lasts, and time passes after it."""
DEV = 4
AT_MOST = 12
"""How often a world is damaged: two and a half days pass each time, and an analysis is kept for thirty."""
PARTS, SLOW = 21, 3
"""How many worlds try everything, and how many of them the slow tests run. There each column has its first values."""
OPTIONS: dict[str, dict[str, Any]] = {"leaderboard": {"game": "bouncers"}}

FAULTS = frozenset(
    {"a loop failed", "a queue failed", "delivery failed", "the tables were not looked through", "not looked at"}
)
"""What the bot logs when more than a table has gone wrong."""
Cell = tuple[str, str, str, str]
"""At which of their tables, in which database table and column, what is written, in SQL."""

SLOTS = {
    "tables": ("running", "waiting", "against", "over", "resting"),
    "seats": ("running", "waiting", "against", "over", "resting"), "actions": ("running", "against", "over"),
    "contributions": ("waiting", "over"), "departures": ("resting",), "outbox": ("running",), "plans": ("resting",),
    "thinking": ("against",), "reviews": ("over",), "watches": ("waiting",),
}  # fmt: skip
"""Which of their tables have rows of what belongs to a table."""

OTHERS = {
    "people": "user_id IN ({cleo}, {dev})", "ratings": "user_id IN ({cleo}, {dev})", "pings": "by_user IN ({cleo}, {dev})",
    "analyses": "user_id IN ({cleo}, {dev})", "puzzle_attempts": "user_id IN ({cleo}, {dev})",
    "solver_ratings": "user_id IN ({cleo}, {dev})", "puzzle_ratings": "puzzle = 'bouncers-10'", "voided_days": "day = 99",
    "servers": "guild_id = 99", "posts": "guild_id <> {guild}",
    "ladders": "guild_id <> {guild}", "ladder_places": "user_id IN ({cleo}, {dev})",
    "ladder_badges": "user_id IN ({cleo}, {dev})",
    "events": "organiser_id = {dev}", "event_entries": "user_id IN ({cleo}, {dev})",
    "seeks": "user_id IN ({cleo}, {dev})", "avoidances": "user_id IN ({cleo}, {dev})", "heartbeats": "name = 'shard 0 of 2'",
    "outages": "name = 'shard 0 of 2'",
}  # fmt: skip
TEXTS = ("NULL", "''", "x'00ff'", "CAST(x'ff41' AS TEXT)", "printf('%05000d', 7)")
WHOLE = ("NULL", "'x'", "2.5", "-1", "-9223372036854775808", "9223372036854775807")
MOMENTS = ("NULL", "'x'", "-1.0", "-1e300", "1e300", "9e999", "-9e999", "2e12")
JSON = (
    "{", "null", "5", "[]", "{}", '"x"', "[[]]", "[-1]", '["x"]', '{"x": 1}', '{"2026": 1e999, "draw": NaN}', "[" * 500,
    '{"user": "x", "to": "x", "turn": "x"}', '{"user": 123456789012345678901234567890, "turn": 1, "which": "half"}',
)  # fmt: skip


def values_for(column: sa.Column[Any]) -> Sequence[str]:
    """What a column is damaged with: NULL, another type, and values beyond all limits."""
    if isinstance(column.type, Structure):
        return ("NULL", "x'00ff'", *(f"'{json_}'" for json_ in JSON))
    if isinstance(column.type, Word | sa.Boolean):
        return ("NULL", "'x'", "x'00ff'", "7")
    if isinstance(column.type, sa.LargeBinary):
        return ("NULL", "'x'", "x'00ff'", "5")
    if isinstance(column.type, sa.Double):
        return MOMENTS
    # From the largest number of a row, SQLite itself could not count on.
    return TEXTS if isinstance(column.type, sa.String) else WHOLE[:-1] if (column.name == "id") else WHOLE


def rounds() -> list[list[Cell]]:
    """Every possible fault once, with as many at a time as concern different tables and people.

    The order does not matter, except that the first rounds have a value for every column.
    """
    left, dice = list[tuple[str, str, str]](), random.Random(25)
    columns = [(name, column) for name in (*SLOTS, *OTHERS) for column in schema.metadata.tables[name].c]
    values = [dice.sample(wrong, len(wrong)) for wrong in (values_for(column) for _, column in columns)]
    for nth in itertools.zip_longest(*values):
        cells = [(name, column.name, value) for (name, column), value in zip(columns, nth, strict=True) if value is not None]
        left += dice.sample(cells, len(cells))
    found = []
    while left:
        free, together, later = {*SLOTS["tables"], *OTHERS}, list[Cell](), list[tuple[str, str, str]]()
        for cell in left:
            slot = next((one for one in SLOTS.get(cell[0], (cell[0],)) if one in free), None)
            if slot is None:
                later.append(cell)
            else:
                free.discard(slot)
                together.append((slot, *cell))
        found.append(together)
        left = later
    return found


@dataclass
class Tables:
    running: int
    waiting: int
    against: int
    over: int
    resting: int

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.running, self.waiting, self.against, self.over, self.resting)


async def opened(world: World, opener: User, *others: User, **request: Any) -> int:
    """A table of these people, whose game begins once all are seated."""
    asked: dict[str, Any] = {"guild_id": world.guild.id, "channel_id": world.channel.id, "game": "bouncers"}
    lobby = core_of(world).service(Lobby)
    snapshot = await lobby.open(opener, TableRequest(**(asked | request)))
    for user in others:
        snapshot = await lobby.join(snapshot.table.id, user, press(snapshot, user), "luck")
    return snapshot.table.id


async def acted(world: World, table_id: int, times: int = 1) -> None:
    core = core_of(world)
    for _ in range(times):
        snapshot = await core.snapshot(table_id)
        player = snapshot.awaited[0]
        await core.service(Play).act(table_id, User(player.user_id, player.name), first_action(snapshot))


async def tables_of(world: World, first: User, second: User, watcher: User) -> Tables:
    """Two people's tables at every stage, one of whom has quiet hours.

    A game with a clock, a waiting table, a game against a computer, a finished and reviewed one, and one with a clock that
    waits for somebody on vacation.
    """
    core = core_of(world)
    await core.service(Users).change(first.id, notify="direct", quiet_from=0, quiet_until=1439, high_contrast=True)
    running = await opened(world, first, second, clock=int(DAY))
    await acted(world, running, 2)
    await core.service(Watching).watch(running, watcher, WatchFor.TURN)
    waiting = await opened(world, first, game="trampoline", seats=3)
    await core.service(Lobby).join(waiting, watcher, 7000 + waiting, "luck")
    against = await opened(world, first, computers=(Level.EASY,))
    over = await opened(world, first, second)
    await acted(world, over, 2)
    await core.service(Play).resign(over, second)
    await core.service(Reviews).ask(await core.snapshot(over))
    resting = await opened(world, second, first, clock=int(DAY))
    return Tables(running, waiting, against, over, resting)


async def begin_analysis(core: Core, user: User, guild_id: int) -> None:
    beginning = core.service(Analyses).beginning(user.id, guild_id)
    await core.service(Analyses).open(lambda: beginning.of_start("bouncers", core.service(Analyses).chance()))


async def begin_puzzles(core: Core, user: User, guild_id: int) -> None:
    """Somebody gives one puzzle up, solves the daily one, and begins another."""
    today = await core.service(Dailies).begin(user, guild_id)
    for version, action in enumerate(today.puzzle.own):
        await core.service(Puzzles).play(user.id, today.puzzle.name, version, action)
    begun = await core.service(Puzzles).begin(user, guild_id, Wanted("pucks"))
    await core.service(Puzzles).give_up(user.id, begun.puzzle.name, 0)
    begun = await core.service(Puzzles).begin(user, guild_id, Wanted(theme=Theme.RACE))
    await core.service(Puzzles).play(user.id, begun.puzzle.name, 0, begun.puzzle.own[0])


@dataclass
class Damaged:
    """A world whose database is damaged again and again.

    Attributes:
        theirs, ours: the tables whose rows are damaged, and the others.
        event: a tournament of people whose rows are not damaged.
        template: the database as it was when the bot went away.
    """

    world: World
    theirs: Tables
    ours: Tables
    event: int
    template: Path
    messages: frozenset[int]

    @property
    def database(self) -> Path:
        return self.world.folder / "springboard.sqlite3"

    async def come_back(self, cells: Sequence[Cell]) -> None:
        world = self.world
        with world.env._bot_scope():
            await world.client.close()
        await world._open.aclose()
        for message in (*world.messages(), *world.ann.user.dm_channel.history(), *world.cleo.user.dm_channel.history()):
            if message.id not in self.messages:
                world.env.backend.delete_message(message.channel.id, message.id)
        for end in ("", "-wal", "-shm"):
            self.database.with_name(self.database.name + end).unlink(missing_ok=True)
        shutil.copy(self.template, self.database)
        awake = """UPDATE people SET settings = '{"notify": "direct"}' WHERE user_id = """
        damage(self.database, awake + str(world.ann.id))  # so that the reminder which waits is due as soon as the bot is back
        self.damage(cells)
        world.client = await world._open.enter_async_context(world._factory(world.folder, world.now))
        await world.env.restart_bot(world.client)
        await world.settle()

    def damage(self, cells: Sequence[Cell]) -> None:
        """Damage rows of one table or person each, so that as much as possible comes together."""
        connection = sqlite3.connect(self.database)
        for slot, table, column, value in cells:
            where = OTHERS.get(table) or f"{'id' if table == 'tables' else 'table_id'} = {getattr(self.theirs, slot)}"
            where = where.format(cleo=self.world.cleo.id, dev=DEV, guild=self.world.guild.id)
            with contextlib.suppress(sqlite3.IntegrityError):  # what even SQLite does not take
                connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {value} WHERE {where}")
        connection.commit()
        connection.close()


@contextlib.asynccontextmanager
async def a_world_to_damage(folder: Path) -> AsyncIterator[Damaged]:
    with puzzles(with_days()):
        async with damaged_world(folder) as damaged:
            yield damaged


async def sought(store: Store, user: User, guild_id: int, now: float) -> None:
    """What a person seeks, who is waiting for it, and whom they avoid."""
    async with store.write() as writer:
        await matchmaking_sql.put(writer, a_seek(user.id, guild_id=guild_id, since=now, until=now + 3600.0))
        await matchmaking_sql.avoid(writer, user.id, (99,), now)
        await ladders_sql.put(writer, Ladder(guild_id=guild_id, game="bouncers", season=8104, looked_at=now))
        await ladders_sql.put_place(writer, a_ladder_place(user.id, guild_id=guild_id, place=user.id % 1000, played_at=now))
        await ladders_sql.put_badge(writer, a_ladder_badge(user.id, guild_id=guild_id, season=user.id % 1000))


async def held(world: World, organiser: User, *others: User) -> int:
    """A tournament of these people, whose only round has begun and lasts a day."""
    core, guild_id = core_of(world), world.guild.id
    wanted = TournamentRequest(
        guild_id=guild_id, channel_id=world.channel.id, name="Cup", game="bouncers", format="round_robin",
        round_seconds=int(DAY),
    )  # fmt: skip
    event_id = (await core.service(Tournaments).open(organiser, wanted)).row.id
    for _ in range(2):
        for user in (organiser, *others):
            await core.service(Tournaments).enter(event_id, guild_id, user, 9000 + user.id)
        await core.service(Tournaments).hurry(event_id, guild_id, TournamentActor.ORGANISER)
        await core.service(TournamentRounds).sweep()
    return event_id


@contextlib.asynccontextmanager
async def damaged_world(folder: Path) -> AsyncIterator[Damaged]:
    async with a_world(folder, seeded(1)) as world:
        ann, ben, cleo = (user_of(member) for member in (world.ann, world.ben, world.cleo))
        dev, other = User(DEV, "Dev"), a_guild(world.env, "Another Club")
        places = {world.guild.id: world.channel.id, other.id: other.create_text_channel("daily").id}
        with world.env._bot_scope():
            theirs, ours = await tables_of(world, cleo, dev, dev), await tables_of(world, ann, ben, ann)
            core, store = core_of(world), core_of(world).store
            await held(world, dev, cleo, User(5, "Eve"))
            event = await held(world, ann, ben, User(6, "Fay"))
            async with store.write() as writer:
                await queries.heartbeats.put(writer, Heartbeat(name="shard 0 of 2", at=world.now()))
                outage = Outage(name="shard 0 of 2", since=world.now() - HOUR, until=world.now())
                await queries.heartbeats.add_outage(writer, outage)
                await queries.servers.put_left(writer, 99, world.now())
                await queries.people.add_pings(writer, cleo.id, [DEV], world.now())
            for user in (ann, cleo, dev):
                await begin_analysis(core, user, world.guild.id)
                await begin_puzzles(core, user, world.guild.id)
                await sought(store, user, world.guild.id, world.now())
            async with store.write() as writer:
                await puzzles_sql.put_puzzle_rating(writer, new_puzzle(SHORT, world.now()))
                await puzzles_sql.void(writer, VoidedDay(day=99, at=world.now()))
                for guild_id, channel_id in places.items():
                    due = Post(
                        guild_id=guild_id, kind=PostKind.DAILY, channel_id=channel_id, hour=9, zone="UTC", due=world.now()
                    )
                    await posts_sql.put(writer, due)
        await world.settle()
        await world.pass_time(BEFORE)
        with world.env._bot_scope():
            for user in (ben, dev):
                await core.service(Users).begin_vacation(user.id, 1)
            for them in (theirs, ours):
                await core.service(Consent).propose(
                    them.running, User(*((cleo if them is theirs else ann).id, "x")), OfferKind.DRAW
                )
            world.client.heartbeat.disconnected()
        await world.settle()
        await world.pass_time(AWAY)
        with world.env._bot_scope():
            await world.client.lobbies.close()
            await world.client.computers.close()
            for them in (theirs, ours):
                await acted(world, them.against)
        await world.settle()
        template = folder / "template.sqlite3"
        source, copy = sqlite3.connect(folder / "springboard.sqlite3"), sqlite3.connect(template)
        source.backup(copy)
        source.close()
        copy.close()
        lobby = await lobby_of(world, ours.waiting)
        assert lobby is not None
        world.env.backend.delete_message(world.channel.id, lobby)
        yield Damaged(world, theirs, ours, event, template, frozenset(message.id for message in world.messages()))


async def all_goes_on(damaged: Damaged) -> list[str]:
    """What of Ann's and Ben's did not happen after the bot came back."""
    world, ours = damaged.world, damaged.ours
    monitor = Monitor(core_of(world).store, world.now)
    missing = []

    def expect(what: str, *conditions: object) -> None:
        if not all(conditions):
            missing.append(what)

    core = core_of(world)
    expect("the lobby message is there", await lobby_of(world, ours.waiting) in {message.id for message in world.messages()})
    for command, words in (
        ("games", f"#{ours.running}"), ("leaderboard", "Bouncers"), ("stats", "Bouncers"), ("settings", "vacation"),
        ("puzzle", "2 more moves"), ("daily", "Daily bounce #"),
    ):  # fmt: skip
        options: dict[str, Any] = OPTIONS.get(command, {})
        shown = world.text(await by_way(world.ann, world.channel, command, **options))
        expect(f"/{command} answers, and not {shown!r}", words in shown)
    await world.pass_time(60)
    with world.env._bot_scope():
        await monitor.look()
        reviewed = await core.service(Reviews).finished_review(await core.snapshot(ours.over))
        analyses = await core.service(Analyses).of_person(world.ann.id, world.guild.id)
    against = (await core.snapshot(ours.against)).table
    expect("the computer plays", against.version == 2, against.board_version == 2)
    expect("the review is made", reviewed)
    expect("the analysis goes on", analyses)
    await world.pass_time(AFTER)
    for table_id in (ours.running, ours.resting):
        table = (await core.snapshot(table_id)).table
        expect(f"table {table_id} ends by time", table.status is Status.FINISHED, table.board_version == table.version)
    expect("the event ends", (await core.service(Tournaments).get(damaged.event)).row.status is TournamentStatus.FINISHED)
    expect("the daily post comes", any(message.id not in damaged.messages for message in posts_in(world)))
    told = "\n".join(world.direct_messages(world.ann))
    expect("the reminder comes, and is over with the time", f"Bouncers #{ours.running} · ann’s time ran out" in told)
    missing += list(
        dict.fromkeys(f"{entry['event']}: {entry.get('exception', entry)}" for entry in world.logs if entry["event"] in FAULTS)
    )
    world.logs.clear()
    return missing


async def lobby_of(world: World, table_id: int) -> int | None:
    return (await core_of(world).snapshot(table_id)).table.lobby_message_id


async def harmed(folder: Path, together: Sequence[Sequence[Cell]]) -> dict[str, list[str]]:
    """What went wrong for Ann and Ben, by what was damaged."""
    found = {}
    async with a_world_to_damage(folder) as damaged:
        damaged.world.watch.excused.add("")  # what is damaged may be asked of Discord in vain
        for cells in together:
            await damaged.come_back(cells)
            if missing := await all_goes_on(damaged):
                found[str(cells)] = missing
    return found


def of_part(part: int) -> list[list[Cell]]:
    found = rounds()
    return found[len(found) * part // PARTS : len(found) * (part + 1) // PARTS]


def test_in_the_slow_tests_every_column_is_damaged() -> None:
    tried = {(table, column) for part in range(SLOW) for together in of_part(part) for _, table, column, _ in together}
    tables = {
        name: table for name, table in schema.metadata.tables.items() if name != "leases"
    }  # which one process does without
    assert tried == {(name, column.name) for name, table in tables.items() for column in table.c}


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.slow if part < SLOW else pytest.mark.proof) for part in range(PARTS)]
)
async def test_no_damaged_row_harms_anything_but_its_own_table(tmp_path: Path, part: int) -> None:
    together = of_part(part)
    assert len(together) <= AT_MOST
    assert await harmed(tmp_path, together) == {}
