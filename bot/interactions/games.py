"""The games to choose from, in the options of commands."""

from collections.abc import Iterable

from discord import app_commands

from engines import GAMES
from engines.text import plain, say


def game_choices(games: Iterable[str] = GAMES) -> list[app_commands.Choice[str]]:
    """Return the games as choices: each name with its sentence, so that similar names can be told apart."""
    words = {game: say("{game}: {summary}", game=plain(GAMES[game].title), summary=GAMES[game].summary) for game in games}
    return [app_commands.Choice(name=app_commands.locale_str(str(text), text=text), value=game) for game, text in words.items()]
