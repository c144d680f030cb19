"""*Export my data* in `/settings`, which gives a person a file of their data that nobody else sees."""

import io
from asyncio import to_thread
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from pydantic_core import to_json

from bot.core.core import Core
from storage.store import Reader
from storage.upkeep.exporting import Unread, at_tables, numbers_of, personal

FORMAT: Final = "springboard export 1"
MOST_BYTES: Final = 8_000_000
"""The size limit of the file. Discord takes 10 MiB with a message."""
AT_ONCE: Final = 25
"""How many tables are read at a time, so that neither the event loop nor the database is held up."""

NAME: Final = "springboard-export"
_PACKED: Final = f"{NAME}.json"


@dataclass(frozen=True, slots=True)
class Export:
    """A person's data as a file. The file lacks the `left_out` oldest of their `tables`, and a number of `unreadable` rows."""

    name: str
    content: bytes
    tables: int
    left_out: int
    unreadable: int


class _File:
    """A JSON file written piece by piece. It is compressed from the start, because its final length is not known."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._zip = ZipFile(self._buffer, "w", ZIP_DEFLATED)
        self._entry = self._zip.open(_PACKED, "w")
        self._length = 0

    @property
    def full(self) -> bool:
        return self._buffer.tell() >= MOST_BYTES

    def add(self, piece: bytes) -> None:
        self._entry.write(piece)
        self._length += len(piece)

    def finish(self) -> tuple[str, bytes]:
        """Finish the file, and return its name and content. It is plain JSON, or a ZIP file if the JSON would be too large."""
        self._entry.close()
        self._zip.close()
        if self._length > MOST_BYTES:
            return f"{NAME}.zip", self._buffer.getvalue()
        with ZipFile(self._buffer) as packed:
            return _PACKED, packed.read(_PACKED)


async def export(core: Core, user_id: int) -> Export | None:
    """Return everything stored about a person on all servers, as one snapshot, or None if nothing is stored."""
    unread, file = Unread(), _File()
    async with core.store.read() as reader:
        own = await reader.run(lambda connection: personal(connection, user_id, unread))
        numbers = await reader.run(lambda connection: numbers_of(connection, user_id))
        about = {
            "format": FORMAT,
            "times": "seconds since 1970-01-01 00:00 UTC",
            "made_at": core.now(),
            "user_id": str(user_id),
        }
        await to_thread(file.add, _json(about | own).removesuffix(b"}") + b',\n"tables": [')
        written, rest = 0, deque(numbers)
        while rest and not file.full:
            batch = [rest.popleft() for _ in range(min(AT_ONCE, len(rest)))]
            found = await _read_tables(reader, user_id, batch, unread)
            await to_thread(file.add, b"".join(b",\n"[written + place == 0 :] + one for place, one in enumerate(found)))
            written += len(found)
    if not (written or rest or unread.rows or any(own.values())):
        return None
    left_out = {"older_tables_left_out": len(rest), "unreadable_rows_left_out": unread.rows}
    await to_thread(file.add, b"],\n" + _json(left_out).removeprefix(b"{"))
    name, content = await to_thread(file.finish)
    return Export(name, content, written + len(rest), len(rest), unread.rows)


async def _read_tables(reader: Reader, user_id: int, numbers: Collection[int], unread: Unread) -> list[bytes]:
    """Return what these tables store about a person, as one piece of JSON for each table."""
    return await reader.run(lambda connection: [_json(one) for one in at_tables(connection, user_id, numbers, unread)])


def _json(value: object) -> bytes:
    # Damaged rows may contain numbers that JSON lacks.
    return to_json(value, inf_nan_mode="null")
