"""Translates slash commands for Discord's own menus."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Where

from bot.i18n.language import ENGLISH, language

NAMES: Final = frozenset({Where.command_name, Where.group_name, Where.parameter_name})
"""The kinds of names that people type, which are the same in every language. Nobody types the names of context menus."""


class CatalogueTranslator(app_commands.Translator):
    """Translates descriptions, and the names of choices and context menus, when commands are registered."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContext[Any, Any]
    ) -> str | None:
        """Return the translation for one of Discord's locales, or None if the string stays as it is."""
        wanted = language(locale.value)
        typed = context.location in NAMES and not isinstance(context.data, app_commands.ContextMenu)
        if wanted is ENGLISH or typed:
            return None
        text = string.extras.get("text")  # the string is its English text
        words = wanted.template(string.message) if text is None else wanted(text)
        return None if words == string.message else words
