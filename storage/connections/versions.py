"""The version of a database's schema, and whether this program knows it. Nothing in this module loads Alembic."""

from importlib import resources
from typing import Final

import sqlalchemy as sa

from storage.schema.errors import StorageError

KNOWN: Final = frozenset(
    file.name[1:].partition("_")[0]
    for file in resources.files("storage.migrations.versions").iterdir()
    if file.name.startswith("r") and file.name.endswith(".py")
)
"""The revisions of the schema that this program knows, taken from the names of the migration files."""

NEWEST: Final = max(KNOWN)
"""The revision of the current schema."""

_VERSION: Final = sa.table("alembic_version", sa.column("version_num"))


def revisions(connection: sa.Connection) -> set[str]:
    """Return the revision of a database, or an empty set if the database is empty."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return set()
    return set(connection.execute(sa.select(_VERSION.c.version_num)).scalars())


def refuse_strange(connection: sa.Connection, present: set[str]) -> None:
    """Raise StorageError if a database belongs to a newer version, to a build between two releases, or to another program."""
    strange = present - KNOWN
    if strange and max(strange) < NEWEST:
        raise StorageError(
            f"The database was last used by a Springboard between two releases (its schema is {', '.join(sorted(strange))}, "
            "which only that build knows). It was left as it is. Restore a backup made by a release."
        )
    if strange:
        raise StorageError(
            f"The database was last used by a newer Springboard (its schema is {', '.join(sorted(strange))}, "
            "which this version does not know). It was left as it is. "
            "Install that version again, or restore a backup from before."
        )
    if not present and sa.inspect(connection).get_table_names():
        raise StorageError(
            "The database holds the tables of another program. Give Springboard a database of its own. It was left as it is."
        )


def require_newest(connection: sa.Connection) -> None:
    """Raise StorageError unless the database has the current schema."""
    present = revisions(connection)
    refuse_strange(connection, present)
    if present != {NEWEST}:
        raise StorageError(
            "The database is of an older Springboard. Start the bot of this version once to bring it up to date."
        )
