"""`springboard move-database`: copies everything from one database to another."""

import asyncio
import sys
from collections.abc import Iterator

import click

from storage.connections.addresses import address_of
from storage.upkeep.moving import Moved, move


def move_database(source: str, target: str) -> Iterator[str]:
    """Copy a database, showing the progress, and yield the report. If this raises StorageError, the target stays as it was."""
    yield from _report(source, target, asyncio.run(_move_with_progress(source, target)))


async def _move_with_progress(source: str, target: str) -> Moved:
    with click.progressbar(length=1, label="Copying and comparing", file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        return await move(source, target, progress)


def _report(source: str, target: str, result: Moved) -> Iterator[str]:
    widest = max(map(len, result.rows))
    digits = max(len(f"{rows:,}") for rows in result.rows.values())
    for table, rows in result.rows.items():
        yield f"{table:<{widest}}  {rows:>{digits}}"
    yield f"{'together':<{widest}}  {sum(result.rows.values()):>{digits}}"
    if result.findings:
        yield "Not in order, there as here (`springboard check` says more):"
        yield from result.findings
    here, there = address_of(source), address_of(target)
    yield f"Every row of {here} is in {there}, and the same there."
    named = there if there.path is not None else "the address that you have given"
    yield f"Now set SPRINGBOARD_DATABASE to {named}, and start the bot. {here} is as it was: run no bot on it any more."
