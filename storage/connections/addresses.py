"""The addresses of databases: the path of a file, or what providers of PostgreSQL hand out, read as libpq reads it."""

import difflib
import importlib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from storage.connections.places import full_path
from storage.schema.errors import StorageError

SECRET: Final = frozenset({"password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret"})

_SCHEMES: Final = ("postgresql", "postgres")

_MODES: Final = frozenset({"disable", "allow", "prefer", "require", "verify-ca", "verify-full"})

_TRUST: Final = ("ssl", "gss", "krb", "channel", "require", "target", "scram")
"""The prefixes of parameters that say whom to trust. If one of these is unknown, it must not be dropped silently."""

_SIMILAR: Final = 0.8
"""The similarity, up to 1, from which one name is taken to be a misspelling of another."""

_BUNDLES: Final = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
"""The places where systems keep the certificates that they trust."""

_ENCODED: Final = "Characters such as / ? # @ and % in a user or a password are written percent-encoded: %2F %3F %23 %40 %25."

_UNREADABLE: Final = f"The address of the database is not a path and not a URL that can be read. {_ENCODED}"
"""The message about an address that cannot be read. It must not repeat the address, which may contain a password."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database.

    Attributes:
        path: the file of a SQLite database, or None for a server.
        parameters: the parameters of the connection to a server, under libpq's names.
        foreign: the names of parameters that are left out because libpq does not know them, such as those of other drivers.
    """

    path: Path | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    foreign: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.path) if self.path else _shown(self.parameters)


def names_server(text: str) -> bool:
    """Return whether an address, which may be invalid, seems to mean a server."""
    scheme, separator, _ = text.strip().partition("://")
    return _kind(scheme) in _SCHEMES if separator else _words(text) is not None


def secrets_in(text: str) -> tuple[str, ...]:
    """Return the secrets in an address, which may be invalid: all passwords and, if there are any, the address as a whole."""
    try:
        parameters = address_of(text).parameters
    except StorageError:
        return (text,) if "@" in text else ()
    found = [parameters[name] for name in sorted(SECRET & parameters.keys())]
    return (text, *(form for word in found for form in (quote(word, safe=""), word))) if found else ()


def address_of(url_or_path: str | Path) -> Address:
    """Parse a path, a sqlite:// or postgresql:// URL, or libpq's words: "host=… dbname=…". Raises StorageError."""
    text = str(url_or_path).strip()
    if isinstance(url_or_path, Path):
        return _file_address(text)
    scheme, separator, rest = text.partition("://")
    if not separator:
        words = _words(text)
        return _file_address(text) if words is None else Address(parameters=_checked(words))
    if _kind(scheme) in _SCHEMES:
        return _server_address(rest)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StorageError(_UNREADABLE) from None
    if url.get_backend_name() == "sqlite":
        return _file_address(url.database or "")
    raise StorageError(f"Springboard keeps its games in SQLite or PostgreSQL; it knows nothing of {url.get_backend_name()}.")


def _file_address(name: str) -> Address:
    if name in {"", ":memory:"}:
        raise StorageError("The database needs a file: in memory alone, games would be lost at the next restart.")
    # Different names of one file must lead to the same lock.
    return Address(full_path(name))


def driver() -> Any:
    """Return psycopg, which is loaded only if there is a server. Raises StorageError if it is not installed."""
    try:
        return importlib.import_module("psycopg")
    except ImportError as error:
        raise StorageError("The driver for PostgreSQL is not installed: pip install 'springboard[postgresql]'.") from error


def _kind(scheme: str) -> str:
    return scheme.strip().partition("+")[0].lower()


def _words(text: str) -> dict[str, Any] | None:
    """Return the parameters of an address written in libpq's words, or None if it is a path."""
    if not any(f"{word}=" in text for word in ("host", "hostaddr", "dbname", "service")):
        return None
    try:
        words: dict[str, Any] = driver().conninfo.conninfo_to_dict(text)
    except (driver().Error, UnicodeDecodeError):
        return None
    return words


def _server_address(rest: str) -> Address:
    # As libpq finds the user and the password, in which a question mark may stand.
    at = rest.find("@", 0, rest.find("/") if "/" in rest else None) + 1
    where, _, query = rest[at:].partition("?")
    given = [(unquote(name), value) for name, _, value in (part.partition("=") for part in query.split("&") if part)]
    known = {option.keyword.decode() for option in driver().pq.Conninfo.get_defaults()}
    parameters, foreign = [], []
    for name, value in map(_as_libpq_says, *zip(*given, strict=True)) if given else ():
        if name in known:
            parameters.append(f"{quote(name)}={value}")
        else:
            _refuse_slip(name, known)
            foreign.append(name)
    try:
        read = driver().conninfo.conninfo_to_dict(f"postgresql://{rest[:at]}{where}?{'&'.join(parameters)}")
    except driver().Error:
        raise StorageError(_UNREADABLE) from None
    return Address(parameters=_checked(read), foreign=tuple(foreign))


def _as_libpq_says(name: str, value: str) -> tuple[str, str]:
    if name == "ssl":
        value = value.lower()
        return "sslmode", value if value in _MODES else "require" if value in {"true", "1", "on", ""} else "disable"
    if name == "sslmode" and value == "no-verify":  # of node-postgres
        return name, "require"
    return name, value


def _refuse_slip(name: str, known: set[str]) -> None:
    """Raise StorageError for a parameter that libpq does not know, if leaving it out might do harm."""
    likely = difflib.get_close_matches(name.lower(), sorted(known), 1, _SIMILAR)
    if likely or name.lower().startswith(_TRUST):
        meant = f" Is {likely[0]} meant?" if likely else ""
        raise StorageError(f"The address of the database has the parameter {name}, which PostgreSQL does not know.{meant}")


def _checked(read: dict[str, Any]) -> dict[str, str]:
    parameters = {name: str(value) for name, value in read.items()}
    for port in parameters.get("port", "").split(","):
        # libpq would say what it is instead: the beginning of a password that has a slash in it, for example.
        if port and not (port.isdecimal() and 0 < int(port) < 1 << 16):
            raise StorageError(f"The port in the address of the database is no number from 1 to 65535. {_ENCODED}")
    return parameters


def trusting(parameters: dict[str, str]) -> dict[str, str]:
    """Replace `sslrootcert=system` with this machine's certificates, which libpq would look for where it was built."""
    if parameters.get("sslrootcert") != "system":
        return parameters
    found = next((path for path in (ssl.get_default_verify_paths().cafile, *_BUNDLES) if path and Path(path).is_file()), None)
    return parameters if found is None else {"sslmode": "verify-full", **parameters, "sslrootcert": found}


def _shown(parameters: dict[str, str]) -> str:
    user = quote(parameters["user"], safe="") + "@" if "user" in parameters else ""
    where = parameters.get("host") or parameters.get("hostaddr") or ""
    socket = where.startswith("/")
    hosts = "" if socket else ",".join(_with_ports(where.split(","), parameters.get("port", "").split(",")))
    query = "&".join(_queries(parameters, socket=socket))
    return f"postgresql://{user}{hosts}/{quote(parameters.get('dbname', ''), safe='')}" + (f"?{query}" if query else "")


def _with_ports(hosts: list[str], ports: list[str]) -> Iterator[str]:
    for number, host in enumerate(hosts):
        port = ports[number] if len(ports) > number else ports[-1] if len(ports) == 1 else ""
        yield (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")


def _queries(parameters: dict[str, str], *, socket: bool) -> Iterator[str]:
    """Yield the entries of a URL's query that decide which database is meant: a socket, its port, or the name of a service."""
    if socket:
        yield f"host={parameters['host']}"
        if "port" in parameters:
            yield f"port={parameters['port']}"
    if "service" in parameters:
        yield f"service={quote(parameters['service'])}"
