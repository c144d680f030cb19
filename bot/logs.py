"""Logging with structlog, for the bot's lines and those of discord.py and other libraries, with secrets redacted."""

import logging
import re
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO

import discord
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.config import Format, LogLevel

BLOT: Final = "[secret]"
_NOISY: Final = ("alembic", "asyncio", "PIL", "sqlalchemy.engine", "sqlalchemy.pool")
"""Libraries that are logged only from the level WARNING on."""


TOKENS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # The addresses of answers to interactions and of webhooks, which discord.py names when it is held up or fails.
        r"(/(?:webhooks|interactions)/\d+/)(?!\d+\b)[\w.%=~-]+",
        # discord.py's key for a rate limit: the ids that the address contains, and at its end the token.
        r"(\b\d{15,}\+)(?!\d+\b)[\w.=-]+",
        # `token` as a key with its value, in Python, in JSON, and in JSON within JSON.
        r"""(?i)(token\\*["']?\s*[:=]\s*(?:b?\\*["'])?)[\w.%=+/~-]{6,}""",
        # A token of an interaction, wherever it stands: "interaction:" in Base64, and what follows.
        r"()aW50ZXJhY3Rpb246[\w+/=-]*",
        # A token of a bot, of this one or of another.
        r"()\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}",
    )
)
"""Patterns that find tokens, even those that are in no setting. The first group is kept, and the rest is redacted."""


class Blot:
    """The last processor of every line. It redacts the given secrets and whatever looks like a token, even in tracebacks."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secret for secret in secrets if secret)

    def __call__(self, _logger: WrappedLogger, _method: str, line: str | bytes | EventDict) -> str:
        """Redact a line, as a processor of structlog. `line` is what the renderer before it has returned."""
        text = str(line)
        for secret in self._secrets:
            text = text.replace(secret, BLOT)
        for token in TOKENS:
            text = token.sub(rf"\g<1>{BLOT}", text)
        return text


def configure(level: LogLevel, form: Format | None = None, *, secrets: Iterable[str] = (), to: TextIO | None = None) -> None:
    """Configure logging for this process.

    Args:
        level: the level below which messages are dropped.
        form: the form of lines. By default, it suits people if `to` is a terminal, and programs otherwise.
        secrets: the strings that must not be seen.
        to: the stream to which lines are written, by default standard error.
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
    for name in _NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.captureWarnings(capture=True)
    # The bot uses no voice, so nobody needs a warning that its libraries are not installed.
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
    sys.excepthook = _log_uncaught


def _renderers(form: Format, stream: TextIO) -> list[Processor]:
    if form is Format.JSON:
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    # Plain tracebacks: decorated ones break lines, and a secret in two halves would not be recognised.
    return [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback)]


def _log_uncaught(kind: type[BaseException], error: BaseException, traceback: Any) -> None:
    """Log the error that ends the process like any other error, so that secrets in its traceback are redacted, too."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
        return
    structlog.get_logger(__name__).critical("ended by an error", exc_info=(kind, error, traceback))
