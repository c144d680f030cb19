"""Draws views of games as pictures. This package depends only on the engines and on Pillow."""

from typing import Final

from engines import GAMES
from engines.game import Pages, View, part_of
from engines.steps import Illustration
from engines.tableau import tableau
from engines.text import seat_name
from renderers import banner, bouncers, bunny, in_words, pucks, theme, trampoline
from renderers.renderer import Renderer
from renderers.scene import Scene, Translate, illustrating

_OWN: Final[dict[str, Renderer]] = {
    "bouncers": bouncers.RENDERER,
    "bunny": bunny.RENDERER,
    "trampoline": trampoline.RENDERER,
    "pucks": pucks.RENDERER,
}

RENDERERS: Final[dict[str, Renderer]] = {id_: _OWN.get(id_) or in_words.renderer_of(game) for id_, game in GAMES.items()}
"""The renderer of each game: its own, or one that writes out what `Game.describe` says."""

START: Final = "start"
"""The name of the illustration on a first page that names none: the board at the start of the game."""


def draw(game_id: str, view: View, scene: Scene) -> bytes:
    """Draw a view as a PNG file. Equal views and scenes give the same bytes.

    Raises:
        KeyError: there is no such game.
    """
    renderer = RENDERERS[game_id]
    palette = theme.palette(scene.high_contrast)
    picture = renderer.hand(view, scene) if scene.hand and renderer.hand is not None else renderer.draw(view, scene)
    if scene.finale is not None:
        picture = banner.over(picture, view, scene, scene.finale, palette)
    return renderer.encode(picture, palette)


def illustrated(game_id: str, name: str, translate: Translate, high_contrast: bool = False) -> bytes:
    """Draw an illustration of a rules page as a PNG file. Raises KeyError for an unknown game or illustration."""
    game = GAMES[game_id]
    shown = tableau(game, {START: Illustration(), **part_of(game, Pages).illustrations()}[name])
    return draw(game_id, shown.view, illustrating(shown, translate, high_contrast=high_contrast))


def warm() -> None:
    """Fill the cache of sprites by drawing each game's first position. This takes as long as some fifty pictures."""
    for game in GAMES.values():
        view = game.view(game.start(game.seats[-1]))
        for seat in (0, view.seats - 1):
            draw(game.id, view, Scene(names=tuple(map(seat_name, range(view.seats))), seen_from=seat))
