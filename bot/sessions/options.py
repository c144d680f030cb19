"""The options of a table, and whether its settings are those of its game."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engines import results
from engines.game import Game, Option
from engines.text import Text, say
from storage.records import Table

TABLE_OPTIONS: Final[Mapping[str, Option]] = {
    "order": Option(say("Seats"), ("joined", "shuffled")),
    "rated": Option(say("Rated"), ("yes", "no")),
}
"""The options that every table has, in addition to those of its game."""


def settled(game: Game[Any, Any], variant: str, seats: int, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a table and of its game in normal form, without those that have their default value.

    Raises ValueError as `Game.settle` does.
    """
    every = results.settled({**TABLE_OPTIONS, **game.options}, given)
    own = game.settle(variant, seats, {name: value for name, value in every.items() if name in game.options})
    return {name: value for name, value in every.items() if name in TABLE_OPTIONS} | own


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
