"""What is kept and must be there: a test that asks for it fails if it is not."""

from storage.reading import Reader
from storage.records import Table


async def kept_table(reader: Reader, table_id: int) -> Table:
    """The table of that number."""
    table = await reader.table(table_id)
    assert table is not None, f"there is no table {table_id}"
    return table
