"""The games to choose from, in the options of commands."""

from collections.abc import Iterable

from discord import app_commands

from bot.interactions.context import responder_of
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.builder import clip
from engines import GAMES
from engines.text import plain, say


def game_choices(games: Iterable[str] = GAMES) -> list[app_commands.Choice[str]]:
    """Return the games as choices: the name of each with its sentence, so that similar names can be told apart."""
    words = {game: say("{game}: {summary}", game=plain(GAMES[game].title), summary=GAMES[game].summary) for game in games}
    return [app_commands.Choice(name=app_commands.locale_str(str(text), text=text), value=game) for game, text in words.items()]


@suggestions
async def suggest_variants(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the variants of the chosen game."""
    game = GAMES.get(str(getattr(interaction.namespace, "game", "") or ""))
    lang = await responder_of(interaction).private_language(interaction)
    found = [(lang(g.variant_titles[v]), v) for g in ([game] if game else GAMES.values()) for v in g.variants]
    return [
        app_commands.Choice(name=clip(title, 100), value=variant)
        for title, variant in found
        if current.lower() in title.lower() or current.lower() in variant
    ][:25]
