"""Logging: structlog for our own lines and for those of discord.py and the other libraries, and no secret in any of them."""

import logging
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO

import discord
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.config import Format, Level

BLOT: Final = "[secret]"
_CHATTY: Final = ("aiosqlite", "alembic", "asyncio", "PIL", "sqlalchemy.engine", "sqlalchemy.pool")
"""Libraries whose talk is of no use here, below warnings."""


class Blot:
    """The last step of every line: secrets are replaced, wherever in it they came from, tracebacks included."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secret for secret in secrets if secret)

    def __call__(self, _logger: WrappedLogger, _method: str, line: str | bytes | EventDict) -> str:
        """Structlog's form of a processor; `line` is what the renderer before it made."""
        text = str(line)
        for secret in self._secrets:
            text = text.replace(secret, BLOT)
        return text


def configure(level: Level, form: Format | None = None, *, secrets: Iterable[str] = (), to: TextIO | None = None) -> None:
    """Set logging up for this process.

    Args:
        level: what is less urgent is dropped.
        form: how lines look; None: for people if `to` is a terminal, for programs otherwise.
        secrets: what must not be seen.
        to: where lines go; without it, the standard error stream.
    """
    stream = to or sys.stderr
    form = form or (Format.CONSOLE if stream.isatty() else Format.JSON)
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_renderers(form, stream), Blot(secrets)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.captureWarnings(capture=True)
    # This bot never speaks, so that voice is not installed is no news.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    sys.excepthook = _log_and_end


def _renderers(form: Format, stream: TextIO) -> list[Processor]:
    if form is Format.JSON:
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    # Plain tracebacks: the decorated ones break lines, and a secret in two halves would not be recognised.
    return [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback)]


def _log_and_end(kind: type[BaseException], error: BaseException, traceback: Any) -> None:
    """What ends the process is logged like everything else, so that no secret is in its traceback either."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
        return
    structlog.get_logger(__name__).critical("ended by an error", exc_info=(kind, error, traceback))
