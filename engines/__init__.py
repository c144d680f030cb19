"""The rules of the games, and nothing else: no input or output, no clock, no Discord.

`GAMES` is the registry: a new game is one module here and one line in it.
"""

from typing import Any, Final

from engines.bouncers import Bouncers
from engines.bunny import Bunny
from engines.game import Game
from engines.pucks import Pucks
from engines.trampoline import Trampoline

GAMES: Final[dict[str, Game[Any, Any]]] = {
    "bouncers": Bouncers(),
    "bunny": Bunny(),
    "trampoline": Trampoline(),
    "pucks": Pucks(),
}
"""Every game by its id, in the order in which they are offered."""
