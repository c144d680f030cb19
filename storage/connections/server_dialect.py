"""SQLAlchemy's dialect for psycopg, changed to begin transactions itself. It is large, so bots with a file don't load it."""

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.pool import PoolProxiedConnection
from typing_extensions import override

from storage.schema.errors import Unreachable

if TYPE_CHECKING:
    from psycopg.errors import Diagnostic

_WARNING: Final = "01000"
"""The code of the warning that a server has committed without its synchronous standby, because the wait was cancelled."""


class ServerDialect(PGDialect_psycopg):
    """Begins each transaction at once, with `begin_with`, so that a dropped connection is noticed before anything is asked."""

    supports_statement_cache = True

    def __init__(self, begin_with: str, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]  # SQLAlchemy has no types for it
        self._begin_with = begin_with

    @override
    def do_begin(self, dbapi_connection: PoolProxiedConnection) -> None:
        connection: Any = dbapi_connection
        connection.execute(self._begin_with)

    @override
    def do_commit(self, dbapi_connection: PoolProxiedConnection) -> None:
        connection: Any = dbapi_connection
        warned: list[str | None] = []

        def note(notice: "Diagnostic") -> None:
            warned.append(notice.sqlstate)

        connection.add_notice_handler(note)
        try:
            connection.commit()
        finally:
            connection.remove_notice_handler(note)
        if _WARNING in warned:
            raise Unreachable("No standby server has confirmed the transaction: a failover may lose it.")
