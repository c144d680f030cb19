"""The machine: the space on its disks, a port, time zones, and typefaces."""

import asyncio
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import aiohttp
from PIL import ImageFont, features

from bot.admin.doctor.finding import Finding, bad, good, note, poor
from bot.config import BACKUPS, DATABASE, HTTP, Settings
from renderers.fonts import FILES
from storage.connections.addresses import address_of
from storage.connections.places import warning_of
from storage.schema.errors import StorageError
from storage.upkeep.backups import BackupFolder

FREE: Final = 100_000_000
"""Bytes that should be free on the database's disk, for the database's log and for months of games."""

COPIES: Final = 2
"""How many additional copies of the database exist while a backup is being made."""

TIMEOUT: Final = 2.0
"""Seconds that a program on this machine may take to answer."""


def nearest(path: Path) -> Path:
    """Return the nearest folder above a path that exists, or the path itself if it exists."""
    return next(folder for folder in (path, *path.parents) if folder.exists())


def disk(settings: Settings) -> Iterator[Finding]:
    """Examine whether there is space for the database, and for backups of it."""
    try:
        path = address_of(settings.database.get_secret_value()).path
        folder = None if settings.backups is None else BackupFolder(settings.backups).path
    except StorageError:
        return  # said elsewhere
    if path is None:
        return
    if (warning := warning_of(path)) is not None:
        yield poor(f"Disk: {warning}")
    size = sum(part.stat().st_size for part in (path, path.with_name(path.name + "-wal")) if part.is_file())
    places = {f"the database ({DATABASE})": (path, FREE)}
    if folder is not None:
        places[f"backups ({BACKUPS})"] = (folder, COPIES * size + FREE)
    for what, (place, needed) in places.items():
        above = nearest(place if place.is_dir() else place.parent)
        free = shutil.disk_usage(above).free
        if free < needed:
            yield poor(
                f"Disk: {free / 1e6:,.0f} MB are free in {above}, for {what}; there should be {needed / 1e6:,.0f} MB. When it "
                "is full, nothing can be played any more. Delete what is not needed, or move it to a larger disk."
            )
        else:
            yield good(f"Disk: {free / 1e6:,.0f} MB free for {what}.")


async def http(address: tuple[str, int] | None) -> list[Finding]:
    """Examine whether health and metrics can be served at the configured address."""
    if address is None:
        return []
    host, port = address
    where = f"{host}:{port} ({HTTP})"
    if await _complaints(host, port, "/health/live") is not None:
        complaints = await _complaints(host, port, "/health/ready") or []
        answers = good(f"Health and metrics: a bot answers on {where}.")
        return [answers, *(poor(f"Health and metrics: that bot complains of its {line}") for line in complaints)]
    try:
        family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind, number) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        return [bad(f"Health and metrics: {where} cannot be used: {error.strerror or error}. Choose another host or port.")]
    said = [good(f"Health and metrics: {where} is free for them.")]
    if host in {"0.0.0.0", "::", "*"}:  # noqa: S104 – it is what the operator has set
        said.append(note(f"Health and metrics: {where} can be read from outside; let a firewall keep others away from it."))
    return said


async def _complaints(host: str, port: int, path: str) -> list[str] | None:
    """Return the complaints of a bot that already answers monitors here, one a line, or None if there is no such bot."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    try:
        async with (
            asyncio.timeout(TIMEOUT),
            aiohttp.ClientSession() as session,
            session.get(f"http://{name}:{port}{path}") as answer,
        ):
            said = (await answer.text()).splitlines()
            return {200: [], 503: said}.get(answer.status)
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError):
        return None


def zones() -> Finding:
    """Examine whether the time zones' rules are installed, which quiet hours need."""
    try:
        ZoneInfo("Europe/Berlin")
    except ZoneInfoNotFoundError:
        return poor("Time zones: their rules are missing, so nobody can choose quiet hours. Install the package tzdata.")
    return good(f"Time zones: {len(available_timezones())} are known.")


def fonts() -> Iterator[Finding]:
    """Examine whether pictures can show text in every script."""
    for file in FILES:
        try:
            ImageFont.truetype(file, 12)
        except OSError as error:
            yield bad(f"Typefaces: {file} cannot be read ({error}). Install the dependencies again.")
            return
    yield good("Typefaces: all there.")
    if not features.check("raqm"):
        yield note(
            "Typefaces: without FriBiDi, names in Arabic and Indic scripts are written letter by letter in pictures. Install "
            "libfribidi0 (Debian, Ubuntu) or fribidi (elsewhere)."
        )
