"""The terms of a table: its options in words."""

from collections.abc import Mapping
from typing import Any, Final

from bot.core.table.options import TABLE_OPTIONS
from bot.i18n.language import Language
from engines import GAMES
from engines.game import Game, Option, Options, part_of
from engines.text import Text, join, plain, say
from storage.schema.records import Grace, Table

HOUSE_RULES: Final = say("House rules")

HEADING_LIMIT: Final = 120
"""The most characters of house rules at the head of a board. Longer house rules are not listed there."""

_RATED: Final = "rated"
"""The name of an option that is left out, since other words about a table already tell it."""


def has_house_rules(game: Game[Any, Any]) -> bool:
    """Whether any of a game's options is a house rule."""
    return bool(part_of(game, Options).house_rules(dict.fromkeys(game.options, "")))


def own_options(table: Table) -> dict[str, str]:
    """Return those options of a table that belong to its game."""
    return {name: value for name, value in table.options.items() if name in GAMES[table.game].options}


def chosen_terms(game_id: str, options: Mapping[str, str]) -> list[Text]:
    """Return a table's options that differ from the defaults, each in a few words."""
    offered: Mapping[str, Option] = {**TABLE_OPTIONS, **GAMES[game_id].options}
    return [
        offered[name].words(value, options) if name in offered else plain(f"{name}:{value}")
        for name, value in options.items()
        if name != _RATED
    ]


def house_terms(table: Table) -> list[Text]:
    """Return a table's house rules, each in a few words."""
    return terms_of(GAMES[table.game], own_options(table))


def terms_of(game: Game[Any, Any], options: Mapping[str, str]) -> list[Text]:
    """Return the house rules among a game's options, each in a few words."""
    return [game.options[name].words(options[name], options) for name in part_of(game, Options).house_rules(options)]


def rules_words(game: Game[Any, Any], options: Mapping[str, str]) -> Text:
    """Return the line about house rules in a panel where they are chosen: the house rules so far, or that the game has none."""
    if not has_house_rules(game):
        return say("-# {game} has no house rules.", game=game.title)
    terms = terms_of(game, options)
    return say("House rules: {terms}", terms=join(terms, " · ")) if terms else say("House rules: none")


def strict_term(table: Table) -> Text | None:
    """Return the term that a table has no overtime, or None if it has overtime or no clock."""
    if table.grace is not Grace.STRICT or table.clock is None:
        return None
    return say("strict: no overtime")


def short_terms(table: Table, language: Language) -> str:
    """Return a table's house rules for the first line of a message, or nothing if there are none."""
    told = " · ".join(language(term) for term in house_terms(table))
    return told if len(told) <= HEADING_LIMIT else language(say("with house rules"))
