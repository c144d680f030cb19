"""The pictures on the rules pages: each an illustration of its game, drawn as the game is."""

from typing import Final

from engines import GAMES
from engines.game import Pages, part_of
from engines.steps import Illustration
from engines.tableau import tableau
from renderers import draw
from renderers.scene import Translate, illustrating

START: Final = "start"
"""The name of the illustration on a first page that names none: the board at the start."""


def illustrated(game_id: str, name: str, translate: Translate, high_contrast: bool = False) -> bytes:
    """An illustration of a game as a PNG file. Raises KeyError if there is none of that name."""
    game = GAMES[game_id]
    illustrations = {START: Illustration(), **part_of(game, Pages).illustrations()}
    shown = tableau(game, illustrations[name])
    return draw(game_id, shown.view, illustrating(shown, translate, high_contrast=high_contrast))
