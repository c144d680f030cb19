"""The pieces of Puck Bumpers."""

from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from engines.pucks.board.pieces import Piece, PieceKind, all_pieces
from renderers import theme
from renderers.pucks.picture import compose
from renderers.pucks.pieces import piece
from tests.renderers.pixels import changed, drawn
from tests.renderers.pucks.drawing import pictured
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import NAMES, lying


@pytest.mark.parametrize("space", [70, 48, 36, 28])
def test_every_piece_looks_different(space):
    pieces = all_pieces(6, "standard")
    assert len({piece(one, theme.WARM, space).tobytes() for one in pieces}) == len(pieces) == 48


@pytest.mark.parametrize("kind", PieceKind)
@pytest.mark.parametrize("high", [False, True])
def test_a_seats_mark_is_seen_on_its_pieces_without_colours_and_on_a_phone(kind, high):
    palette = theme.palette(high)
    grey = [piece(Piece(seat, kind, 1), palette, 51).convert("LA") for seat in range(6)]
    small = [sprite.resize((25, 25), Image.Resampling.LANCZOS).convert("L") for sprite in grey]
    for one, other in combinations(small, 2):
        strong = ImageChops.difference(one, other).point([255 if value > 60 else 0 for value in range(256)])
        assert strong.histogram()[255] >= 12


@pytest.mark.parametrize("space", [18, 10])
def test_on_the_smallest_boards_kind_and_owner_can_still_be_told(space):
    kinds = {(one.colour, one.kind): piece(one, theme.WARM, space).tobytes() for one in all_pieces(6, "standard")}
    assert len(set(kinds.values())) == len(kinds) == 18


def test_the_pieces_of_a_player_who_has_left_lose_their_colour():
    sample = lying(GAME, SCRUM)
    rink = compose(sample.view, sample.scene).layout().rink
    left = pictured(replace(sample.view, out=(1,)), names=NAMES)
    for placed in sample.view.pieces:
        x, y = rink.middle(placed.point)
        box = (round(x) - 16, round(y) - 16, round(x) + 16, round(y) + 16)
        assert (changed(left.crop(box), drawn(sample).crop(box)) is not None) is (placed.piece.colour == 1), placed
