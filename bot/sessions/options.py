"""The rules and the options of a table, and whether its settings are those of its game."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from engines import EARLIER, GAMES, results, rules_of
from engines.game import Game, Option
from engines.text import Text, say
from storage.records import Table


def _order_told(value: str, _options: Mapping[str, str]) -> Text:
    return say("seats drawn by lot") if value == "shuffled" else say("seats in the order of joining")


def _rated_told(value: str, _options: Mapping[str, str]) -> Text:
    return say("not rated") if value == "no" else say("rated")


TABLE_OPTIONS: Final[Mapping[str, Option]] = {
    "order": Option(say("Seats"), ("joined", "shuffled"), told=_order_told),
    "rated": Option(say("Rated"), ("yes", "no"), told=_rated_told),
}
"""The options that every table has, in addition to those of its game."""


def rules_for(
    table: Table, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: Collection[Game[Any, Any]] = EARLIER
) -> Game[Any, Any]:
    """The rules that a table is played by: those that its game began under; until it begins, the present ones.

    Raises UnknownRules if the program does not have them.
    """
    present = games.get(table.game)
    return present if present is not None and not table.begun else rules_of(table.game, table.rules, games, earlier)


def settled(game: Game[Any, Any], variant: str, seats: int, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a table and of its game in normal form, without those that have their default value.

    Raises ValueError as `Game.settle` does.
    """
    every = results.settled({**TABLE_OPTIONS, **game.options}, given)
    own = game.settle(variant, seats, {name: value for name, value in every.items() if name in game.options})
    return {name: value for name, value in every.items() if name in TABLE_OPTIONS} | own


def tidied(option: Option, typed: str) -> str:
    """What somebody has typed as the free text of an option, without what only keeps words or rows apart."""
    if option.parts:
        return "+".join(filter(None, re.split(r"[\s,+]+", typed.casefold())))
    return re.sub(r"[\s,]+", "", re.sub(r"\s*[/\n]\s*", "/", typed.strip()))


def counts_for_ratings(game: Game[Any, Any], options: Mapping[str, str], seats: int, *, computers: bool = False) -> bool:
    """Whether a table with these options, in normal form, is rated: none for a single player, with house rules or computers."""
    return not computers and options.get("rated", "yes") == "yes" and seats > 1 and not game.house_rules(options)


def most_seats(game: Game[Any, Any], variant: str, options: Mapping[str, str]) -> int:
    """The most players that a game with these options is possible for; if it is for none, as many as the game is for at all."""
    for seats in reversed(game.seats):
        with suppress(ValueError):
            settled(game, variant, seats, options)
            return seats
    return game.seats[-1]


def misfits(game: Game[Any, Any], table: Table) -> Iterator[Text]:
    """What a table has chosen that its game does not offer."""
    if table.variant not in game.variants:
        yield say("there is no variant “{variant}” of {game}", variant=table.variant, game=game.title)
    elif table.wanted not in game.seats:
        yield say("{game} is not for {n} players", game=game.title, n=table.wanted)
    else:
        try:
            settled(game, table.variant, table.wanted, table.options)
        except ValueError as error:
            yield error.args[0]
