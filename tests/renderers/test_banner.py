"""The banner over the last board of a game."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from engines import GAMES
from renderers import RENDERERS, banner, draw, theme
from renderers.banner import with_sign
from renderers.scene import Finale, Scene
from tests.renderers.samples import SAMPLES

NAMES = ("Ann", "Ben", "Cleo", "Dev", "Émile", "Tanaka")


def drawn(sample: str, finale: Finale | None, **more: object) -> Image.Image:
    """A sample with a banner over it."""
    made = SAMPLES[sample]()
    scene = replace(made.scene, names=NAMES, finale=finale, **more)  # type: ignore[arg-type]
    return Image.open(BytesIO(draw(made.game_id, made.view, scene))).convert("RGB")


@pytest.mark.parametrize("game", GAMES)
def test_the_banner_stands_above_the_board_and_hides_nothing_of_it(game: str) -> None:
    board = drawn(f"{game}-start", None)
    whole = drawn(f"{game}-start", Finale(winners=(0,)))
    assert whole.width == board.width == theme.WIDTH
    assert whole.height > board.height
    inner = (theme.EDGE + 8, 2 * theme.CORNER, board.width - theme.EDGE - 8, board.height - theme.EDGE - theme.CORNER)
    below = whole.crop((0, whole.height - board.height, board.width, whole.height))
    difference = ImageChops.difference(below.crop(inner), board.crop(inner)).convert("L")
    close = difference.point([0 if value <= 24 else 255 for value in range(256)])  # the palettes differ a little
    assert sum(close.histogram()[1:]) < 0.01 * close.width * close.height


def test_different_endings_look_different() -> None:
    finales = (
        Finale(winners=(0,)), Finale(winners=(1,)), Finale(winners=(), drawn=True), Finale(winners=()),
        Finale(winners=(0,), ratings=((1510, 1523), (1490, 1477))), Finale(winners=(0,), ratings=((1510, 1524), (1490, 1477))),
    )  # fmt: skip
    assert len({drawn("bouncers-start", finale).tobytes() for finale in finales}) == len(finales)


def test_six_winners_with_the_longest_names_fit() -> None:
    names = ("W" * 60,) * 6
    made = SAMPLES["pucks-start"]()
    seats = made.view.seats
    finale = Finale(winners=tuple(range(seats)), ratings=((99999, 88888),) * seats)
    scene = replace(made.scene, names=names[:seats], finale=finale)
    card = banner.over(Image.new("RGB", (theme.WIDTH, 400), (9, 9, 9)), made.view, scene, finale, theme.WARM)
    assert card.size[0] == theme.WIDTH
    file = Image.open(BytesIO(RENDERERS["pucks"].encode(card, theme.WARM))).convert("RGBA")
    assert file.getchannel("A").getpixel((0, 0)) < 255  # type: ignore[operator]


def test_the_words_of_the_banner_are_translated() -> None:
    asked: list[str] = []

    def translate(text: str) -> str:
        asked.append(text)
        return text

    drawn("bouncers-start", Finale(winners=(1,)), translate=translate)
    assert "Ben wins!" in asked


def test_without_scores_and_ratings_there_are_no_rows() -> None:
    view = replace(SAMPLES["bouncers-start"]().view, scores=("", ""))
    board = Image.new("RGB", (theme.WIDTH, 400), (9, 9, 9))
    finale = Finale(winners=(0,))
    small = banner.over(board, view, Scene(names=NAMES[:2]), finale, theme.WARM)
    large = banner.over(board, view, Scene(names=NAMES[:2]), replace(finale, ratings=((1, 2), (2, 1))), theme.WARM)
    assert large.height - small.height >= banner.ROW


def test_a_change_has_its_sign() -> None:
    assert [with_sign(change) for change in (13, -8, 0)] == ["+13", "−8", "±0"]
