"""The rules of the games, without input, output, clock or Discord. A new game is a folder, and a line in `_GAMES`."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from engines.bouncers import Bouncers
from engines.bunny import Bunny
from engines.game import Game
from engines.pucks import FirstPucks, Pucks
from engines.text import say
from engines.trampoline import Trampoline

_GAMES: Final[tuple[Game[Any, Any], ...]] = (
    Bouncers(), Bunny(), Trampoline(), Pucks(),
)  # fmt: skip

GAMES: Final[dict[str, Game[Any, Any]]] = {game.id: game for game in _GAMES}
"""Every game by its id, in the order in which games are offered."""

EARLIER: Final[tuple[Game[Any, Any], ...]] = (FirstPucks(),)
"""Earlier versions of games, for tables that began under those versions of the rules."""


class UnknownRules(LookupError):
    """An unknown game, or an unknown version of its rules. The only argument is a message for people."""


def rules_of(
    game_id: str, version: int, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: Collection[Game[Any, Any]] = EARLIER
) -> Game[Any, Any]:
    """Return a game in the version of its rules that a table began with (see `Game.rules`). Raises `UnknownRules`."""
    present = games.get(game_id)
    if present is None:
        raise UnknownRules(say("there is no game “{game}”", game=game_id))
    known = (game for game in (present, *earlier) if game.id == game_id and game.rules == version)
    if (found := next(known, None)) is None:
        raise UnknownRules(say("there is no version {n} of the rules of {game}", n=version, game=present.title))
    return found
