"""Short forms for writing in tests of the store, and for reading back."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from storage import queries
from storage.schema.records import Table
from storage.store import Reader, Store, Writer
from tests.storage.samples import a_job, a_table, an_entry

Found = TypeVar("Found")
Transaction = TypeVar("Transaction", bound=Reader)


@asynccontextmanager
async def opened(address: str | Path, **options: Any) -> AsyncIterator[Store]:
    """A store, closed when the block ends."""
    store = await Store.open(address, **options)
    try:
        yield store
    finally:
        await store.close()


async def once(
    transaction: AbstractAsyncContextManager[Transaction], query: Callable[..., Awaitable[Found]], *asked: Any, **named: Any
) -> Found:
    """Return what a transaction's only query returns."""
    async with transaction as begun:
        return await query(begun, *asked, **named)


async def stored_table(reader: Reader, table_id: int) -> Table:
    """Return the table of that number, which must exist."""
    table = await queries.tables.get(reader, table_id)
    assert table is not None, f"there is no table {table_id}"
    return table


async def new_table(store: Store) -> int:
    async with store.write() as writer:
        return (await queries.tables.add(writer, a_table(seed=bytes(32)))).id


async def log_of(store: Store, table_id: int) -> list[int]:
    async with store.read() as reader:
        return [entry.number for entry in await queries.entries.of_table(reader, table_id)]


async def play(writer: Writer, table_id: int, number: int, **fields: Any) -> None:
    """One action in all its parts, which belong together."""
    await queries.entries.append(writer, an_entry(table_id, number, **fields))
    await queries.tables.change(writer, table_id, version=number)
    await queries.jobs.enqueue(writer, a_job(table_id, payload={"version": number}))
