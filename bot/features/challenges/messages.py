"""The private panel in which a person is challenged: which game?"""

import discord

from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, button, escape_name
from bot.messages.click import Click
from engines import GAMES
from engines.text import plain, say


def challenge_message(opponent_id: int, name: str, language: Language) -> MessageBuilder:
    """Ask which game to play with a person, with a button for each game for two."""
    builder = MessageBuilder()
    who = plain(escape_name(name))
    builder.text(language(say("### Challenge {who}\nWhich game? It opens here, with the usual rules and clock.", who=who)))
    games = [game for game in GAMES.values() if 2 in game.seats]
    builder.text("\n".join(f"- **{language(game.title)}**: {language(game.summary)}" for game in games))
    builder.buttons(
        [
            button(
                language(game.title), Click("challenge", tokens=(str(opponent_id), game.id)).custom_id,
                discord.ButtonStyle.primary,
            )
            for game in games
        ]
    )  # fmt: skip
    return builder.text(language(say("-# `/play` has variants, clocks, house rules and private games, too.")))
