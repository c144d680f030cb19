"""What becomes of people to whom a private table is not open any more: they are told nothing about it from then on."""

from collections.abc import Iterable

from bot.sessions.computer_players import is_computer
from bot.sessions.errors import NoSuchTable
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from engines.text import say
from storage.records import JobKind
from storage.store import Writer


def no_such_table(table_id: int) -> NoSuchTable:
    """The error for a table that is not there, or that this person may not know of. Both have the same words."""
    return NoSuchTable(say("There’s no table #{n} here.", n=table_id))


async def shut_out(repository: Repository, writer: Writer, after: Snapshot, *user_ids: int) -> None:
    """Shut people out of a private table: they no longer watch it, and are taken out of its thread.

    Args:
        repository: the repository.
        writer: the transaction of the change.
        after: the table after the change.
        user_ids: those who may have had to do with the table before. Nothing happens to those to whom it is still open.
    """
    for user_id in closed_to(after, user_ids):
        await writer.remove_watch(after.table.id, user_id)
        await repository.enqueue(writer, after.table.id, JobKind.DISMISSAL, str(user_id), user=user_id)


def closed_to(snapshot: Snapshot, user_ids: Iterable[int]) -> tuple[int, ...]:
    """Those of the people to whom the table is not open. Placeholders of forgotten people, and computers, are left out."""
    people = (user_id for user_id in user_ids if user_id > 0 and not is_computer(user_id))
    return tuple(user_id for user_id in people if not snapshot.open_to(user_id))
