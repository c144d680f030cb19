"""Checks, made once before the bot starts, that a server and the way to it are suitable."""

from contextlib import ExitStack
from typing import Any, Final

from storage.connections.addresses import Address, driver
from storage.connections.server import CONNECTING, connection_parameters
from storage.schema.errors import StorageError

ENCODING: Final = "UTF8"

_TRIES: Final = 4
"""How many times to check whether a pooler takes a server connection away. Others may be using the pooler at the same time."""


def require_suitable(address: Address, *, writing: bool = True) -> None:
    """Raise StorageError if a server cannot store every text, or if a pooler does not keep a client's session.

    If `writing`, the server must also accept writes. The driver's errors are raised if the server cannot be reached.
    """
    with ExitStack() as open_until:

        def connect() -> Any:
            parameters = connection_parameters(address, CONNECTING)
            return open_until.enter_context(driver().connect(**parameters, autocommit=True))

        connection = connect()
        encoding, backend, read_only = connection.execute(
            "SELECT current_setting('server_encoding'), pg_backend_pid(), current_setting('transaction_read_only') = 'on'"
        ).fetchone()
        if encoding != ENCODING:
            raise StorageError(
                f"The database {address} is encoded in {encoding}, which lacks most letters. Create it anew: "
                f"CREATE DATABASE … ENCODING '{ENCODING}' TEMPLATE template0;"
            )
        if connection.info.backend_pid != backend and _takes_away(connection, backend, connect()):
            raise StorageError(
                f"The address {address} leads to a pooler that lends connections for one transaction (transaction pooling, as "
                "by pool_mode = transaction of PgBouncer). Springboard needs session pooling (pool_mode = session), or the "
                "address of the server itself; providers often have that at another port or host."
            )
        if read_only and writing:
            raise StorageError(
                f"The database {address} can only be read just now: the server is a standby, or set to that. Name the "
                "primary, or all servers and target_session_attrs=read-write."
            )


def _takes_away(connection: Any, backend: int, other: Any) -> bool:
    """Return whether a pooler lends the server connection of one client to another client between transactions.

    `backend` is the number of the server process that served `connection` before. A pooler tells its clients another number.
    """
    for tried in range(_TRIES):
        try:
            other.execute("BEGIN")
        except driver().Error as error:
            if "statement pooling" in str(error):
                return True
            raise
        # Either the other client has it now, or it got a free one, and this client may be lent another.
        taken = _serving(other) == backend or _serving(connection) != backend
        other.execute("ROLLBACK")
        # A pooler that lends connections in turn could give each client the same one every time: get out of step with it.
        if taken or any(_serving(connection) != backend for _ in range(tried)):
            return True
    return False


def _serving(connection: Any) -> int:
    (process,) = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return int(process)
