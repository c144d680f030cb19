"""The options of a table, and whether its settings are those of its game."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engines.game import Game, Option
from engines.text import Text, say
from storage.records import Table

TABLE_OPTIONS: Final[Mapping[str, Option]] = {
    "order": Option(say("Seats"), ("joined", "shuffled")),
    "rated": Option(say("Rated"), ("yes", "no")),
}
"""The options that every table has, in addition to those of its game."""


def misfits(game: Game[Any, Any], table: Table) -> Iterator[Text]:
    """What a table has chosen that its game does not offer."""
    if table.variant not in game.variants:
        yield say("there is no variant “{variant}” of {game}", variant=table.variant, game=game.title)
    if table.wanted not in game.seats:
        yield say("{game} is not for {n} players", game=game.title, n=table.wanted)
    offered = {**TABLE_OPTIONS, **game.options}
    for name, value in table.options.items():
        if name not in offered or value not in offered[name].values:
            yield say("there is no option “{name}:{value}” of {game}", name=name, value=value, game=game.title)
