"""The torture: the bot is killed again and again while people play, and in the end everything must be there once.

What people were told must be in the database, and what is there must be shown in Discord, once, with nothing left to do.
"""

import asyncio
import contextlib
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.admin import check
from loopback.server import Loopback
from storage.upkeep import maintenance
from tests.loopback.natures import Nature, announces
from tests.loopback.owed import pinged_twice, unmet
from tests.loopback.people import People
from tests.loopback.players import Players, Told
from tests.loopback.reading import Database, rows
from tests.loopback.successive_bots import SuccessiveBots

CALLS_AT_MOST: Final = 40
"""A bot is killed within so many calls after its start, which takes four."""
ANNOUNCED_AT_MOST: Final = 4
"""The same for a bot that is killed at one of the two calls of a message that pings."""
NAMES: Final = [first + last for first in ("An", "Be", "Cle", "Da", "Ev", "Fi") for last in ("na", "ro", "mi", "lu", "se")]
BEATS: Final = 41_250
AT_ONCE: Final = 3
OVERDUE_EVERY, RESTORED_EVERY = 3, 10
"""After how many kills somebody's turn has run out, and the database is replaced by a backup."""
IN_ORDER_WITHIN: Final = 1200.0
"""Seconds for the last bot to bring everything in order. Retries that nobody waits for come after two minutes; ten times that
is too long even on a busy machine."""


@dataclass
class Figures:
    """The results. `problems` has a sentence for everything that is wrong."""

    kills: int = 0
    seconds: float = 0.0
    restored: int = 0
    overdue: int = 0
    interactions: int = 0
    calls: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        known = {"SIGKILLs": self.kills, "seconds": round(self.seconds), "backups restored": self.restored,
                 "turns run out": self.overdue, "clicks and commands": self.interactions, "calls to Discord": self.calls,
                 **self.counts, "problems": len(self.problems)}  # fmt: skip
        for what, count in known.items():
            yield f"{what:<42}{count:>10,}"


async def torment(
    folder: Path, kills: int, *, seed: int = 1, progress: Callable[[Figures], None] = lambda _: None, announcing: bool = False
) -> Figures:
    """Kill a bot so often while people play, at least until somebody opened a table. Check everything in the end.

    If `announcing`, it is killed at calls for messages that ping: their creation, and their change to layouts.
    """
    dice = random.Random(seed)
    figures = Figures()
    began = time.perf_counter()
    database = folder / "springboard.sqlite3"
    async with Loopback(time.time, beats=BEATS) as loopback:
        discord = loopback.discord
        where = discord.channel(discord.guild("Bounce Club"), "games")
        crowd = [discord.person(name) for name in NAMES]
        players = Players(People(loopback), where, crowd, dice)
        bots = SuccessiveBots(loopback, database, dice)
        async with bots.ready():
            while bots.kills < kills or not players.told.tables:
                await _one_bot(bots, players, announcing=announcing)
                figures.kills = bots.kills
                if bots.kills % OVERDUE_EVERY == 0:
                    figures.overdue += _run_out(database)
                if bots.kills % RESTORED_EVERY == 0:
                    _restored(database)
                    figures.restored += 1
                figures.interactions, figures.calls = players.told.asked, len(loopback.calls)
                figures.seconds = time.perf_counter() - began
                progress(figures)
            await _come_to_rest(bots, players, figures)
        figures.problems += loopback.breaches + loopback.strange
    figures.seconds = time.perf_counter() - began
    return figures


async def _one_bot(bots: SuccessiveBots, players: Players, *, announcing: bool) -> None:
    """A bot starts, people play, and it is killed."""
    pid = await bots.begin()
    if announcing:
        bots.doomed(bots.dice.randint(1, ANNOUNCED_AT_MOST), announces)
    else:
        bots.doomed(bots.dice.randint(1, CALLS_AT_MOST))
    gateway = bots.loopback.gateway
    ending = asyncio.create_task(bots.end(pid))
    ready = asyncio.create_task(gateway.ready.wait())
    await asyncio.wait({ending, ready}, return_when=asyncio.FIRST_COMPLETED)
    playing = [asyncio.create_task(players.play()) for _ in range(AT_ONCE if ready.done() else 0)]
    ready.cancel()
    await asyncio.wait({ending})
    while gateway.ready.is_set():  # the end of the connection is still to be heard
        await asyncio.sleep(0.001)
    results = await asyncio.gather(*playing, return_exceptions=True)
    ending.result()
    for result in results:
        if isinstance(result, BaseException):
            raise result


def _run_out(database: Path) -> int:
    """Let a turn's time run out as if it had passed while the bot was there."""
    if not database.exists():
        return 0
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        if not connection.execute("select name from sqlite_master where name = 'tables'").fetchall():
            return 0
        done = connection.execute(
            "update tables set deadline = ? where id = "
            "(select id from tables where status = 'playing' and clock is not null order by random() limit 1)",
            (time.time() - 1,),
        )
        return done.rowcount


def _restored(database: Path) -> None:
    """Back the database up, replace it by the backup, and discard it."""
    if not database.exists():
        return
    copy = database.with_name("backup.sqlite3")
    maintenance.backup(database, copy, overwrite=True)
    before = maintenance.restore(copy, database, force=True)
    if before is not None:
        before.unlink()


async def _come_to_rest(bots: SuccessiveBots, players: Players, figures: Figures) -> None:
    """An undisturbed bot does what is left to do. Then everything is checked."""
    pid = await bots.begin()
    await bots.loopback.gateway.ready.wait()
    over = time.monotonic() + IN_ORDER_WITHIN
    wrong = ["nothing has been looked at"]
    while wrong and time.monotonic() < over:
        await asyncio.sleep(0.5)
        wrong = list(unmet(players.people, bots.database))
    status = await bots.stop(pid)
    if status != 0:
        wrong.append(f"The last bot ended with status {status}.")
    figures.problems += wrong
    figures.problems += await asyncio.to_thread(lambda: [f"check: {one}" for one in check.problems(bots.database)])
    figures.problems += untrue(players.told, bots.database)
    figures.problems += pinged_twice(players.people, players.told.handed)
    figures.problems += [f"log: {line}" for line in complaints(bots.log)]
    figures.counts = counted(players.people, players.told, bots.database)


def untrue(told: Told, database: Database) -> Iterator[str]:
    """What people were told, but is missing from the database or there twice."""
    played = Counter(
        row["interaction_id"] for row in rows(database, "select interaction_id from actions") if row["interaction_id"]
    )
    yield from (f"The move of interaction {one} is lost." for one in told.moves - set(played))
    yield from (f"The move of interaction {one} was made {n} times." for one, n in played.items() if n > 1)
    torn = rows(
        database,
        "select fired.table_id, fired.number from actions fired left join actions before "
        "on before.table_id = fired.table_id and before.number = fired.number - 1 and before.at = fired.at "
        "where fired.fired and before.number is null",
    )
    yield from (f"Entry {row['number']} of table {row['table_id']} was planned, and answers nothing." for row in torn)
    opened = {row["id"]: row["opened_by"] for row in rows(database, "select id, opened_by from tables")}
    yield from (f"Table {number} is lost." for number, who in told.tables.items() if opened.get(number) != who)
    seated = {(row["table_id"], row["user_id"]) for row in rows(database, "select table_id, user_id from seats")}
    kept = {seat for seat in told.seats if seat[0] not in told.handed}
    yield from (f"The seat of {who} at table {number} is lost." for number, who in kept - seated)


def complaints(log: Path, but: str | None = None) -> list[str]:
    """Logged errors, except those that mention `but`."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    wrong = [line for line in lines if '"level": "error"' in line or '"level": "critical"' in line or "Traceback" in line]
    return [line[:600] for line in wrong if but is None or f'"event": "{but}"' not in line]


def counted(people: People, told: Told, database: Database) -> dict[str, int]:
    (planned,) = rows(database, "select count(*) as moves from actions where fired")
    (thought,) = rows(
        database, "select count(*) as moves from actions join seats using (table_id, user_id) where computer is not null"
    )
    return {
        "tables opened, and acknowledged": len(told.tables), "seats taken, and acknowledged": len(told.seats),
        "moves made, and acknowledged": len(told.moves), "first messages": len(people.everywhere(Nature.LOBBY)),
        "moves planned ahead, and played": planned["moves"], "moves of computers": thought["moves"],
        "boards": len(people.everywhere(Nature.BOARD)), "notices": len(people.everywhere(Nature.NOTICE)),
        "threads": sum(1 for one in people.discord.channels.values() if one.is_thread),
    }  # fmt: skip
