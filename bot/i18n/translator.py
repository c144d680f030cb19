"""What Discord shows of the slash commands before they run, in every language there is."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Where

from bot.i18n.language import ENGLISH, language

NAMES: Final = frozenset({Where.command_name, Where.group_name, Where.parameter_name})
"""These stay the same in every language: they are what people type, and tell one another to type."""


class CatalogueTranslator(app_commands.Translator):
    """Puts descriptions and the names of choices into the languages of `bot.i18n.language`, when commands are registered."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContext[Any, Any]
    ) -> str | None:
        """The words in a language that Discord has; None where they stay as they are."""
        wanted = language(locale.value)
        if wanted is ENGLISH or context.location in NAMES:
            return None
        words = wanted.template(string.message)
        return None if words == string.message else words
