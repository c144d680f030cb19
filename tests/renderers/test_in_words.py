"""The picture of games without a renderer of their own."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from engines import GAMES
from engines.game import View
from engines.text import plain
from renderers import in_words, theme
from renderers.scene import Scene
from renderers.theme import MAX_HEIGHT, WIDTH
from tests.engines.contract_games import Case, played

GAME = GAMES["bouncers"]
NAMES = ("Ann", "Ben")


def drawn(view: View, **scene: object) -> Image.Image:
    return in_words.renderer_of(GAME).draw(view, Scene(**({"names": NAMES} | scene)))  # type: ignore[arg-type]


def differ(one: Image.Image, other: Image.Image) -> bool:
    return one.size != other.size or ImageChops.difference(one, other).getbbox() is not None


@pytest.mark.parametrize("game_id", GAMES)
def test_any_game_can_be_drawn_and_sent(game_id: str) -> None:
    game = GAMES[game_id]
    renderer, view = in_words.renderer_of(game), game.view(game.start(game.seats[-1]), 0)
    picture = renderer.draw(view, Scene(names=NAMES))
    assert picture.width == WIDTH
    assert picture.height <= MAX_HEIGHT
    assert Image.open(BytesIO(renderer.encode(picture, theme.WARM))).size == picture.size


def test_the_picture_shows_changes_players_and_options() -> None:
    turn = played(Case("bouncers", "8x8-16", 2)).turns[0]
    before, after = GAME.view(turn.before), GAME.view(turn.step.state)
    pictures = [
        drawn(before), drawn(after), drawn(after, events=turn.step.events), drawn(before, high_contrast=True),
        drawn(before, options=tuple(GAME.choices(turn.before, 0))), drawn(before, names=("Cleo", "Ben")),
    ]  # fmt: skip
    assert all(differ(one, other) for number, one in enumerate(pictures) for other in pictures[:number])


def test_the_picture_speaks_its_readers_language() -> None:
    view = GAME.view(GAME.start(2))
    assert differ(drawn(view), drawn(view, translate=lambda text: plain(text.upper())))
