"""Filled databases of each release, kept as files that every later version must migrate and continue.

Before the first change of tables after a release, `.venv/bin/python -m tests.bot.filled` plays the games below and keeps the
database as compressed SQL in tests/storage/filled, named after its schema version. Existing files are never rewritten. That of
0.1.0 was made later, with its program: all games, running and over, with every setting of the time.
"""

import asyncio
import gzip
import random
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.core.core import Core
from bot.core.people import Users
from bot.core.play import Play
from bot.features.analysis.service import Analyses
from bot.features.ladders import sql as ladders_sql
from bot.features.matchmaking import sql as matchmaking_sql
from bot.features.posts import sql as posts_sql
from bot.features.privacy.service import Privacy
from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.daily import Dailies
from bot.features.puzzles.ratings import new_puzzle
from bot.features.puzzles.service import Puzzles
from bot.features.puzzles.wanted import Wanted
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import TournamentRequest, Tournaments
from bot.features.watching.service import Watching
from bot.parts import PARTS
from storage import queries
from storage.cluster.leases import Leases
from storage.connections.versions import NEWEST
from storage.schema.jobs import post_subject
from storage.schema.kinds import TournamentActor
from storage.schema.ladder_records import Ladder
from storage.schema.puzzle_records import VoidedDay
from storage.schema.records import Heartbeat, Job, JobKind, Outage, Status, WatchFor
from storage.store import Store
from tests.bot.admin.every_state import BOUNCERS, DICE, PUCKS, STATES, Club, bring_to_every_state
from tests.bot.puzzles import LONG, MONDAY, puzzles, with_days
from tests.bot.service import ANN, BEN, CLEO, DEV, HOUR, PEOPLE, Time, seeds
from tests.engines.contract_games import random_action
from tests.storage.samples import a_ladder_badge, a_ladder_place, a_post, a_seek

FOLDER: Final = Path(__file__).parents[1] / "storage" / "filled"
FIRST: Final = "0021"
"""The schema of 1.0.0, the first release whose database has something in every table."""
BUNNY: Final = replace(BOUNCERS, game="bunny", seats=2, clock=None)
FAR: Final = replace(BOUNCERS, guild_id=11, channel_id=21)
"""A table on another server."""


async def fill(path: Path) -> None:
    """Tables in every state, of all games, on two servers, one with somebody who was forgotten and came back."""
    store, clock, known = await Store.open(path), Time(), seeds()
    with puzzles(with_days(MONDAY)):
        club = Club(Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known)), clock)
    await bring_to_every_state(club)
    for request, others in ((BUNNY, (BEN,)), (DICE, (BEN, CLEO)), (PUCKS, (BEN, CLEO, DEV)), (FAR, (DEV,))):
        await club.played(await club.opened(request, *(user.id for user in others)))
        await to_the_end(club, await club.opened(request, *(user.id for user in others)))
    await club.core.service(Users).change_server(10, clock=3600, channels=(20,), language="de")
    await club.core.service(Privacy).forget(DEV)
    for bring in STATES:
        if bring.__name__ in {"_planned", "_seat_on_offer", "_orders"}:
            await bring(club)
    await club.core.service(Play).nudge(await late(club), ANN)
    beginning = club.core.service(Analyses).beginning(ANN.id, 10)
    await club.core.service(Analyses).open(lambda: beginning.of_start("trampoline", club.core.service(Analyses).chance()))
    await club.core.service(Dailies).begin(BEN, 10)
    for wanted in (Wanted("bouncers"), Wanted("bunny")):
        begun = await club.core.service(Puzzles).begin(ANN, 10, wanted)
        await club.core.service(Puzzles).play(ANN.id, begun.puzzle.name, 0, begun.puzzle.own[0])
    await club.core.service(Watching).watch(await club.opened(FAR, CLEO.id), DEV, WatchFor.TURN)
    await hold_tournament(club)
    async with store.write() as writer:
        await puzzles_sql.put_puzzle_rating(writer, new_puzzle(LONG, clock()))
        await puzzles_sql.void(writer, VoidedDay(day=99, at=clock()))
        for seek in (
            a_seek(ANN.id, since=clock(), until=clock() + 90 * HOUR),
            a_seek(BEN.id, since=None, until=None, remaining=0),
        ):
            await matchmaking_sql.put(writer, replace(seek, guild_id=10))
        await matchmaking_sql.avoid(writer, ANN.id, (BEN.id,), clock())
        await ladders_sql.put(writer, Ladder(guild_id=10, game="bouncers", season=8104, looked_at=clock()))
        for place, user in enumerate((BEN, ANN), 1):
            await ladders_sql.put_place(writer, a_ladder_place(user.id, guild_id=10, place=place, played_at=clock()))
        await ladders_sql.put_badge(writer, a_ladder_badge(ANN.id, guild_id=10, season=8103))
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=clock()))
        await queries.heartbeats.add_outage(writer, Outage(name="main", since=clock() - HOUR, until=clock()))
        for post in (a_post(10, role_id=30), a_post(11, channel_id=21, due=None, refused=50013, edited_at=clock(), shown=7)):
            await posts_sql.put(writer, post)
            edit = Job(
                kind=JobKind.POST_EDIT, subject=post_subject(post.kind), guild_id=post.guild_id, place="channel 20", key="4",
                payload={"channel": 20, "message": 4, "day": 3}, due=clock() + HOUR, created_at=clock(),
            )  # fmt: skip
            await queries.jobs.enqueue(writer, edit)
    await Leases(store).add("shard 0 of 1")
    await store.close()


async def hold_tournament(club: Club) -> None:
    """Begin a tournament of three with one finished game, and announce another that somebody has entered."""
    events = club.core.service(Tournaments)
    wanted = TournamentRequest(guild_id=10, channel_id=20, name="Cup", game="bouncers", format="round_robin")
    event_id = (await events.open(ANN, wanted)).row.id
    for _ in range(2):
        for user in (ANN, BEN, CLEO):
            await events.enter(event_id, 10, user, 8000 + user.id)
        await events.hurry(event_id, 10, TournamentActor.ORGANISER)
        await club.core.service(TournamentRounds).sweep()
    first = (await events.get(event_id)).row.rounds[0].games[0]
    assert first.table_id is not None
    await club.core.service(Play).resign(first.table_id, PEOPLE[first.seats[0]])
    announced = await events.open(BEN, replace(wanted, name="Pods", game="pucks", format="pods"))
    await events.enter(announced.row.id, 10, ANN, 9000)


async def to_the_end(club: Club, table_id: int) -> None:
    """Play a game at random to its end, or for a long time."""
    dice = random.Random(table_id)
    for _ in range(400):
        snapshot = await club.core.snapshot(table_id)
        if snapshot.table.status is not Status.PLAYING:
            return
        club.clock.pass_(1.0)
        seat = snapshot.playing.to_act[0]
        action = random_action(snapshot.playing.game, snapshot.playing.state, seat, dice)
        await club.core.service(Play).act(table_id, PEOPLE[snapshot.players[seat].user_id], action)


async def late(club: Club) -> int:
    """A table that has waited long for Ben."""
    table_id = await club.opened(BOUNCERS, BEN.id)
    await club.awaits(table_id, BEN.id)
    club.clock.pass_(13 * HOUR)
    return table_id


def filled_files() -> dict[str, Path]:
    """The kept databases by schema version."""
    return {path.name[1:5]: path for path in sorted(FOLDER.glob("r*.sql.gz"))}


def unpack(file: Path, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(gzip.decompress(file.read_bytes()).decode())


def keep() -> Path:
    """Keep a filled database of the current version. Raises FileExistsError if there is one."""
    file = FOLDER / f"r{NEWEST}.sql.gz"
    if file.exists():
        raise FileExistsError(f"{file} is kept already, by the program as it was then")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "filled.sqlite3"
        asyncio.run(fill(path))
        with closing(sqlite3.connect(path)) as connection:
            statements = "\n".join(connection.iterdump())
    FOLDER.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(statements.encode(), mtime=0))
    return file


if __name__ == "__main__":
    sys.stdout.write(f"{keep()}\n")
