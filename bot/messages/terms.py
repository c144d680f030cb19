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
"""Characters of house rules at the head of a board; longer ones are not listed there."""

_RATED: Final = "rated"
"""The option that other words on a table say already."""


def has_house_rules(game: Game[Any, Any]) -> bool:
    """Whether a game has options that are house rules."""
    return bool(part_of(game, Options).house_rules(dict.fromkeys(game.options, "")))


def own_options(table: Table) -> dict[str, str]:
    """The options of a table that are options of its game."""
    return {name: value for name, value in table.options.items() if name in GAMES[table.game].options}


def chosen_terms(game_id: str, options: Mapping[str, str]) -> list[Text]:
    """The options of tables of a game that differ from the defaults, each in a few words."""
    offered: Mapping[str, Option] = {**TABLE_OPTIONS, **GAMES[game_id].options}
    return [
        offered[name].words(value, options) if name in offered else plain(f"{name}:{value}")
        for name, value in options.items()
        if name != _RATED
    ]


def house_terms(table: Table) -> list[Text]:
    """The house rules of a table, each in a few words."""
    return terms_of(GAMES[table.game], own_options(table))


def terms_of(game: Game[Any, Any], options: Mapping[str, str]) -> list[Text]:
    """The house rules among the options of a game, each in a few words."""
    return [game.options[name].words(options[name], options) for name in part_of(game, Options).house_rules(options)]


def rules_words(game: Game[Any, Any], options: Mapping[str, str]) -> Text:
    """The line about house rules in a panel in which they are chosen: those that are, or that a game has none."""
    if not has_house_rules(game):
        return say("-# {game} has no house rules.", game=game.title)
    terms = terms_of(game, options)
    return say("House rules: {terms}", terms=join(terms, " · ")) if terms else say("House rules: none")


def strict_term(table: Table) -> Text | None:
    """The term that a table has no overtime; None if it has one, or no clock."""
    if table.grace is not Grace.STRICT or table.clock is None:
        return None
    return say("strict: no overtime")


def short_terms(table: Table, language: Language) -> str:
    """The house rules of a table for the first line of a message; empty if it has none."""
    told = " · ".join(language(term) for term in house_terms(table))
    return told if len(told) <= HEADING_LIMIT else language(say("with house rules"))
