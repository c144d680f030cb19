"""A table's rules and options, and whether its game offers them."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from engines import EARLIER, GAMES, rules_of, steps
from engines.game import Game, Option, Options, normal_options, part_of
from engines.text import Text, say
from storage.schema.records import Table


def _order_told(value: str, _options: Mapping[str, str]) -> Text:
    return say("random seats") if value == "shuffled" else say("seats in joining order")


def _rated_told(value: str, _options: Mapping[str, str]) -> Text:
    return say("not rated") if value == "no" else say("rated")


TABLE_OPTIONS: Final[Mapping[str, Option]] = {
    "order": Option(say("Seats"), ("joined", "shuffled"), told=_order_told),
    "rated": Option(say("Rated"), ("yes", "no"), told=_rated_told),
}
"""The options that every table has, besides those of its game."""


def rules_for(
    table: Table, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: Collection[Game[Any, Any]] = EARLIER
) -> Game[Any, Any]:
    """Return the rules that a table is played by, which are the current ones until its game begins. Raises UnknownRules."""
    present = games.get(table.game)
    return present if present is not None and not table.begun else rules_of(table.game, table.rules, games, earlier)


def normal_table_options(game: Game[Any, Any], variant: str, seats: int, given: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a table and game in normal form, without defaults. Raises ValueError as `normal_options` does."""
    every = steps.normal_values({**TABLE_OPTIONS, **game.options}, given)
    own = normal_options(game, variant, seats, {name: value for name, value in every.items() if name in game.options})
    return {name: value for name, value in every.items() if name in TABLE_OPTIONS} | own


def tidy_typed(option: Option, typed: str) -> str:
    """Return the text that was typed for an option, without separators that mean nothing."""
    if option.parts:
        return "+".join(filter(None, re.split(r"[\s,+]+", typed.casefold())))
    return re.sub(r"[\s,]+", "", re.sub(r"\s*[/\n]\s*", "/", typed.strip()))


def counts_for_ratings(game: Game[Any, Any], options: Mapping[str, str], seats: int, *, computers: bool = False) -> bool:
    """Whether a table with these options, in normal form, is rated. A lone player, house rules or computers prevent it."""
    return (
        not computers and options.get("rated", "yes") == "yes" and seats > 1 and not part_of(game, Options).house_rules(options)
    )


def most_seats(game: Game[Any, Any], variant: str, options: Mapping[str, str]) -> int:
    """Return the most players with whom the game is possible with these options, or its most players if it never is."""
    for seats in reversed(game.seats):
        with suppress(ValueError):
            normal_table_options(game, variant, seats, options)
            return seats
    return game.seats[-1]


def misfits(game: Game[Any, Any], table: Table) -> Iterator[Text]:
    """Yield a description of each choice of a table that its game does not offer."""
    if table.variant not in game.variants:
        yield say("there is no variant “{variant}” of {game}", variant=table.variant, game=game.title)
    elif table.wanted not in game.seats:
        yield say("{game} is not for {n} players", game=game.title, n=table.wanted)
    else:
        try:
            normal_table_options(game, table.variant, table.wanted, table.options)
        except ValueError as error:
            yield error.args[0]
