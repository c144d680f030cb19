"""`springboard doctor`: whether the bot could start here, and what it would need. It changes nothing."""

import importlib.util
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import sqlalchemy as sa
from PIL import ImageFont
from sqlalchemy.exc import DBAPIError

from bot.admin.clocks import stopped
from bot.config import DATABASE, LOG, LOG_FORMAT, SANDBOX_PORT, TOKEN, TOKEN_FILE, Settings
from bot.invitation import PERMISSIONS, RIGHTS, application_id, invitation
from renderers.theme import Face
from storage import maintenance
from storage.connect import Address, address_of
from storage.errors import StorageError
from storage.server import server_engine


class Mark(StrEnum):
    """How serious a finding is."""

    GOOD = "ok"
    NOTE = "--"
    """Worth knowing; nothing is wrong."""
    BAD = "!!"
    """The bot would not start."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the doctor's report."""

    mark: Mark
    text: str


async def examine(settings: Settings) -> list[Finding]:
    """All findings, in the order in which things are needed."""
    database = [await _database(settings), *await _clocks(settings)]
    return [*_token(settings), *database, _fonts(), _logging(settings), *_invitation(settings)]


def _token(settings: Settings) -> Iterator[Finding]:
    if settings.token is not None:
        source = f"from the file {settings.token_file}" if settings.token_file else f"from {TOKEN}"
        application = application_id(settings.token.get_secret_value())
        yield Finding(Mark.GOOD, f"Token: set ({source}), of application {application}.")
    elif importlib.util.find_spec("simcord") is not None:
        yield Finding(
            Mark.NOTE, f"Token: none. Set {TOKEN} or {TOKEN_FILE} to connect to Discord; until then, run is the sandbox."
        )
        yield Finding(
            Mark.NOTE, f"Sandbox: its page would be on port {settings.sandbox_port} of this machine ({SANDBOX_PORT})."
        )
    else:
        yield Finding(Mark.BAD, f"Token: none, and the sandbox is not installed. Set {TOKEN} or {TOKEN_FILE}.")


async def _database(settings: Settings) -> Finding:
    try:
        address = address_of(settings.database.get_secret_value())
        said = await _server(address) if address.path is None else _file(address.path)
    except StorageError as error:
        return Finding(Mark.BAD, f"Database ({DATABASE}): {error}")
    return Finding(Mark.GOOD, f"Database ({DATABASE}): {said}")


async def _clocks(settings: Settings) -> list[Finding]:
    """Whether time-outs are stopped. What is wrong with the database itself is said elsewhere."""
    try:
        return [Finding(Mark.NOTE, f"Clocks: {said}") for said in await stopped(settings.database.get_secret_value())]
    except StorageError:
        return []


async def _server(address: Address) -> str:
    engine = server_engine(address.url, 1, reading=True)
    try:
        async with engine.connect() as connection:
            await connection.execute(sa.text("SELECT 1"))
    except (DBAPIError, OSError, TimeoutError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise StorageError(f"{address} cannot be reached: {reason}.") from error
    finally:
        await engine.dispose()
    return f"{address} answers."


def _file(path: Path) -> str:
    if path.exists():
        problems = list(maintenance.check(path))
        if problems:
            raise StorageError(" ".join(problems))
        return f"{path} is sound."
    folder = next(parent for parent in path.parents if parent.exists())
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise StorageError(f"{path} is not there and cannot be made: {folder} cannot be written to.")
    return f"{path} will be made at the first start."


def _fonts() -> Finding:
    for face in Face:
        try:
            ImageFont.truetype(face.value, 12)
        except OSError as error:
            return Finding(Mark.BAD, f"Typefaces: {face.value} cannot be read ({error}). Install the dependencies again.")
    return Finding(Mark.GOOD, "Typefaces: all there.")


def _logging(settings: Settings) -> Finding:
    form = settings.log_format or "console on a terminal, json elsewhere"
    return Finding(Mark.GOOD, f"Log: {settings.log} ({LOG}), as {form} ({LOG_FORMAT}).")


def _invitation(settings: Settings) -> Iterator[Finding]:
    rights = ", ".join(name.replace("_", " ") for name in RIGHTS)
    yield Finding(Mark.NOTE, f"Permissions: {PERMISSIONS.value} ({rights}). No privileged gateway intent.")
    application = application_id(settings.token.get_secret_value()) if settings.token is not None else None
    if application is not None:
        yield Finding(Mark.NOTE, f"Invitation: {invitation(application)}")
    else:
        link = invitation(0).replace("client_id=0", "client_id=APPLICATION_ID")
        yield Finding(
            Mark.NOTE, f"Invitation: {link}, with the application id from Discord's developer portal, or set a token."
        )


def would_start(findings: list[Finding]) -> bool:
    """Whether no finding keeps the bot from starting."""
    return all(finding.mark is not Mark.BAD for finding in findings)
