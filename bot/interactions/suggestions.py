"""Choices and suggestions for the options of commands. Discord always gets a list that it accepts, and never an error."""

import functools
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.core.table.errors import SessionError
from bot.interactions.context import responder_of
from bot.interactions.reply import Interaction
from bot.messages.builder import clip
from bot.runtime.outage import outages
from engines import GAMES
from engines.text import plain, say
from storage.schema.errors import Unreachable

log = structlog.get_logger(__name__)

_LOST: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, ConnectionError)

CHOICES_AT_MOST: Final = 25
CHOICE_LIMIT: Final = 100
"""Discord's limits: the number of choices, and the length in characters of each choice's name and value."""

Choices = list[app_commands.Choice[str]]
Suggest = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]


def suggestions(suggest: Suggest) -> Suggest:
    """Make a function an autocomplete callback that keeps to Discord's limits, and returns nothing after an error."""

    @functools.wraps(suggest)
    async def suggest_safely(interaction: Interaction, current: str) -> Choices:
        try:
            with responder_of(interaction).core.shares.of(interaction.user.id):
                found = await suggest(interaction, current)
        except SessionError:
            return []
        except Unreachable as error:
            outages.note(error)
            return []
        except Exception:
            log.exception("unexpected error", interaction=interaction.id)
            return []
        fitting = [choice for choice in found if 0 < len(choice.value) <= CHOICE_LIMIT]
        return [app_commands.Choice(name=clip(c.name, CHOICE_LIMIT), value=c.value) for c in fitting[:CHOICES_AT_MOST]]

    return suggest_safely


async def suggest_nothing(interaction: Interaction) -> None:
    """Answer that there are no suggestions. Without an answer, people would read that loading them failed."""
    try:
        await interaction.response.autocomplete([])
    except (*_LOST, discord.InteractionResponded) as error:
        log.info("suggestions not delivered", error=repr(error))


class _Lost(logging.Filter):
    """When suggestions could not be delivered, replaces the traceback that discord.py logs with a single line."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, _LOST):
            return True
        log.info("suggestions not delivered", error=repr(error))
        return False


_FILTER: Final = _Lost()


def expect_losses() -> None:
    """Have discord.py log no error if suggestions come too late or are refused, or if the connection is lost."""
    logging.getLogger("discord.app_commands.tree").addFilter(_FILTER)


def game_choices(games: Iterable[str] = GAMES) -> list[app_commands.Choice[str]]:
    """Return the games as choices. Each name has a sentence with it, so that similar names can be told apart."""
    words = {game: say("{game}: {summary}", game=plain(GAMES[game].title), summary=GAMES[game].summary) for game in games}
    return [app_commands.Choice(name=app_commands.locale_str(str(text), text=text), value=game) for game, text in words.items()]
