"""Suggestions that Discord did not take: whoever was typing has typed on, and needs no others."""

import logging
from typing import Final

import aiohttp
import discord
import structlog

log = structlog.get_logger(__name__)

_LOST: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, ConnectionError)


class _Lost(logging.Filter):
    """Makes one calm line of what discord.py logs as an error with a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged as it is."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, _LOST):
            return True
        log.info("suggestions not delivered", error=repr(error))
        return False


_FILTER: Final = _Lost()


def expect_losses() -> None:
    """Have discord.py log no error when suggestions come too late, are refused, or the connection is lost."""
    logging.getLogger("discord.app_commands.tree").addFilter(_FILTER)
