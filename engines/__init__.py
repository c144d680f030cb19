"""The rules of the games, and nothing else: no input or output, no clock, no Discord.

`GAMES` is the registry. A new game is a folder named after its id, and one line in `_GAMES`.
"""

from typing import Any, Final

from engines.bouncers import Bouncers
from engines.bunny import Bunny
from engines.game import Game
from engines.pucks import Pucks
from engines.trampoline import Trampoline

_GAMES: Final[tuple[Game[Any, Any], ...]] = (
    Bouncers(),
    Bunny(),
    Trampoline(),
    Pucks(),
)

GAMES: Final[dict[str, Game[Any, Any]]] = {game.id: game for game in _GAMES}
"""Every game by its id, in the order in which they are offered."""
