"""Marks what has been picked so far in Puck Bumpers, and the options for the next token."""

from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image

from engines.game import Action, Choice
from engines.pucks.board.board import DIRECTIONS, STEPS, Mat, cells
from engines.pucks.board.deck import CardId
from engines.pucks.board.layouts import RELATIONS
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.views import PucksView, Stop, Way
from renderers.canvas import Point, place
from renderers.pucks.blocks import Anchors
from renderers.pucks.board import DrawnRink, span
from renderers.pucks.highlights import big_letter, card_frame, chip, dashed_square, dot, place_name, ring, turn_arrow, way_arrow
from renderers.pucks.picks import Meaning, Pick, can_go, free_sides, pick_of, target, ways_of
from renderers.pucks.pieces import NUMBERS_FROM, ghost
from renderers.pucks.story import frame
from renderers.scene import Scene
from renderers.signs import burst
from renderers.theme import Palette

Cards = dict[CardId, tuple[Point, int, int]]
"""The middle, the width and the height of each card in a hand."""

_DEGREES: Final = ("90", "180", "270")
_DRAW: Final = "draw"
_DONE: Final = "done"
ON_HAND: Final = {"play", "discard"}
"""The tokens that are written above the cards of a hand."""


def words_of(view: PucksView, pick: Pick, options: Sequence[Choice]) -> list[str]:
    """Return the options that name nothing in the picture, and are therefore written beside the rink."""
    if pick.meaning is Meaning.MAT:
        return [option.token for option in options if option.token == _DONE]
    if pick.meaning is not Meaning.ACT:
        return []
    known = {placed.piece.word for placed in view.pieces if placed.piece.colour == pick.colour}
    known |= set(COLOURS[: view.owners.colours])
    known |= {_DRAW} if view.hand_limit and view.has_cards else set()
    known |= ON_HAND if view.hand else set()
    return [option.token for option in options if option.token not in known]


def draw_choices(
    image: Image.Image, rink: DrawnRink, view: PucksView, scene: Scene, palette: Palette, anchors: Anchors, cards: Cards
) -> None:
    """Mark the picks so far and all options, in the view that `with_prefix` has returned."""
    pick = pick_of(view, scene.prefix)
    marks = _Marks(image, rink, view, palette, anchors, cards)
    if scene.prefix:
        marks.draw_picked(pick, scene.prefix)
    tokens = [option.token for option in scene.options]
    if pick.meaning is Meaning.RELATION:
        marks.letters()
        marks.relations(pick, tokens)
        return
    if pick.meaning is not Meaning.MAT:
        marks.letters()
    for token in tokens:
        _drawers(marks)[pick.meaning](pick, token)
    if pick.meaning is Meaning.MAT:
        marks.letters()


def _drawers(marks: "_Marks") -> dict[Meaning, Callable[[Pick, str], None]]:
    """Return, for each meaning of a token, the method that marks it."""
    return {
        Meaning.ACT: marks.act, Meaning.PIECE: marks.piece, Meaning.WAY: marks.way, Meaning.WAITING: marks.waiting,
        Meaning.SPACE: marks.space, Meaning.CARD: marks.card, Meaning.PILE: marks.card, Meaning.MAT: marks.mat,
        Meaning.TARGET: marks.target, Meaning.DEGREES: marks.degrees, Meaning.COLOUR: marks.colour,
    }  # fmt: skip


class _Marks:
    """Draws the marks on a picture, counting the `words` beside the rink. `framed` tells which framed mats have been chosen."""

    def __init__(
        self, image: Image.Image, rink: DrawnRink, view: PucksView, palette: Palette, anchors: Anchors, cards: Cards
    ) -> None:
        self.image, self.rink, self.view, self.palette = image, rink, view, palette
        self.anchors, self.cards = anchors, cards
        self.standing = {placed.piece: rink.middle(placed.point) for placed in view.pieces}
        self.words = 0
        self.framed: list[tuple[Mat, bool]] = []

    # the picks so far

    def draw_picked(self, pick: Pick, prefix: Action) -> None:
        """Frame the mat, piece or card that the action is about in a light colour."""
        mats = [mat for mat in self.view.mats if mat.id == pick.mat]
        for mat in mats:
            self._frame(mat, chosen=True)
        for here, at in self.anchors.tray.items():
            if pick.names(here, pick.piece):
                self._ring(at, self.anchors.slot, chosen=True)
        for here, at in self.standing.items():
            if pick.names(here, pick.piece):
                self._ring(at, self.rink.space, chosen=True)
        if prefix[-1] in DIRECTIONS:
            self.way(pick, prefix[-1])
        if prefix[0] in {"play", "discard"} and len(prefix) > 1 and prefix[1] in self.cards:
            middle, width, height = self.cards[prefix[1]]
            card_frame(self.palette, width, height, chosen=True).place(self.image, middle)

    # the options

    def act(self, pick: Pick, token: str) -> None:
        """Mark an action's first token where it applies: on a piece, seat, pile or hand, or otherwise beside the rink."""
        if token in COLOURS:
            self.colour(pick, token)
        elif token == _DRAW and self.anchors.draw_pile is not None:
            x, y = self.anchors.draw_pile
            self._tag(token, (x, y + 14))
        elif token in ON_HAND and self.anchors.hand is not None:
            self._tag(token, self.anchors.hand)
        elif any(pick.names(here, token) for here in self.standing):
            self.piece(pick, token)
        else:
            self.words += 1
            x, y = self.anchors.words
            self._tag(token, (x, y + (self.words - 1) * 38))

    def piece(self, pick: Pick, token: str) -> None:
        """Mark a piece on the board with a ring, and also with its token if the piece is too small to show it."""
        for here, at in self.standing.items():
            if pick.names(here, token):
                self._ring(at, self.rink.space)
                if self.rink.space < NUMBERS_FROM:
                    self._tag(token, (at[0], at[1] + self.rink.space * 0.6))

    def way(self, pick: Pick, token: str) -> None:
        """Mark a direction with an arrow, and show where all the pieces that it sets in motion would go."""
        found = [here for here in self.standing if pick.names(here, pick.piece)]
        if not found or token not in DIRECTIONS:
            return
        for way in ways_of(self.view, found[0], token):
            self._foreseen(way)
        (x, y), (dx, dy) = self.standing[found[0]], STEPS[DIRECTIONS.index(token)]
        side = max(48, round(self.rink.space * 0.7))
        reach = self.rink.space * 0.475 + side / 2 - 5
        place(self.image, way_arrow(token, self.palette, side), (x + dx * reach, y + dy * reach))

    def _foreseen(self, way: Way) -> None:
        """Show the way of a piece as a line of dots, and the piece itself where it would stop."""
        for part in self.rink.parts(way.points):
            (x, y), (part_x, part_y), dots = self.rink.middle(part[0]), self.rink.middle(part[-1]), max(2, 3 * (len(part) - 1))
            for step in range(1, dots):
                at = (x + (part_x - x) * step / dots, y + (part_y - y) * step / dots)
                place(self.image, dot(self.palette, self.rink.space), at)
        end_x, end_y = self.rink.middle(way.points[-1])
        if way.stop in {Stop.PIECE, Stop.GOAL} and way.slid:
            dx, dy = ((end > start) - (end < start) for start, end in zip(way.points[0], way.points[-1], strict=True))
            half = 0.5 * self.rink.space if way.stop is Stop.PIECE else 0.0
            sprite = burst(self.palette, round(self.rink.space * (0.8 if half else 1.4)))
            place(self.image, sprite, (end_x + dx * half, end_y + dy * half))
        place(self.image, ghost(way.piece, self.palette, self.rink.space, 0.62), (end_x, end_y))

    def waiting(self, pick: Pick, token: str) -> None:
        for here, at in self.anchors.tray.items():
            if pick.names(here, token):
                self._ring(at, self.anchors.slot)

    def space(self, _pick: Pick, token: str) -> None:
        for mat in self.view.mats:
            for cell in cells(mat) if mat.id == token[:1] else ():
                if cell.space == token:
                    self._tag(token, self.rink.middle(cell.point))

    def card(self, _pick: Pick, token: str) -> None:
        if token in self.cards:
            middle, width, height = self.cards[token]
            card_frame(self.palette, width, height, chosen=False).place(self.image, middle)

    def mat(self, _pick: Pick, token: str) -> None:
        """Mark a mat with a frame, on which `letters` later draws a letter, or mark the option to move no more mats."""
        for mat in self.view.mats:
            if mat.id == token:
                self._frame(mat, chosen=False)
        if token == _DONE:
            self.act(_pick, token)

    def target(self, pick: Pick, token: str) -> None:
        """Mark a free place of the lattice with a dashed square and its name."""
        at = target(self.view.mats, pick, token)
        if at is not None:
            middle = self.rink.mat_middle(at)
            place(self.image, dashed_square(self.palette, self.rink.mat), middle)
            place(self.image, place_name(pick.relation or "", token, self.palette, self.rink.mat), middle)

    def relations(self, pick: Pick, tokens: Sequence[str]) -> None:
        """Mark the four sides at the board's edges, and the free places within the board."""
        rink, mats = self.rink, [mat.at for mat in self.view.mats]
        column, row, columns, rows = span(mats)
        for at in free_sides(self.view.mats, pick.mat):
            if 0 <= at[0] - column < columns and 0 <= at[1] - row < rows:
                place(self.image, dashed_square(self.palette, rink.mat), rink.mat_middle(at))
        edges = _edges([rink.corner(at) for at in mats], rink.mat)
        for token in tokens:
            if token in RELATIONS:
                self._tag(token, edges[RELATIONS.index(token)])

    def degrees(self, pick: Pick, token: str) -> None:
        """Mark an angle on the mat by an arrow that turns as far. The arrows are one below the other."""
        mats = [mat for mat in self.view.mats if mat.id == pick.mat]
        if not mats or token not in _DEGREES:
            return
        x, y = self.rink.mat_middle(mats[0].at)
        place(self.image, turn_arrow(token, self.palette), (x, y + (_DEGREES.index(token) - 1) * 46))

    def colour(self, pick: Pick, token: str) -> None:
        """Mark a colour below its player. If the player to move has that colour, also mark its pieces that can move."""
        colour = COLOURS.index(token) if token in COLOURS else None
        if colour not in self.anchors.colours:
            return
        self._tag(token, self.anchors.colours[colour])
        if pick.meaning is Meaning.ACT and colour in self.view.colours_of(self.view.to_move):
            for here, at in self.standing.items():
                if here.colour == colour and can_go(self.view, here):
                    self._ring(at, self.rink.space)

    # the marks themselves

    def _frame(self, mat: Mat, *, chosen: bool) -> None:
        colour = self.palette.paper if chosen else self.palette.gold
        frame(self.palette, self.rink.mat, colour).place(self.image, self.rink.mat_middle(mat.at))
        self.framed.append((mat, chosen))

    def letters(self) -> None:
        """Draw large letters on the framed mats."""
        for mat, chosen in dict(self.framed).items():
            place(self.image, big_letter(mat.id, self.palette, chosen=chosen), self.rink.mat_middle(mat.at))

    def _ring(self, at: Point, space: int, *, chosen: bool = False) -> None:
        place(self.image, ring(self.palette, space, chosen=chosen), at)

    def _tag(self, token: str, at: Point) -> None:
        place(self.image, chip(token, self.palette), at)


def _edges(corners: Sequence[tuple[int, int]], mat: int) -> tuple[Point, Point, Point, Point]:
    """Return where words go to the north, east, south and west of these mats, without overlap even on a single mat."""
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners) + mat, max(y for _, y in corners) + mat
    x, y = left + ((right - left) // mat // 2 + 0.5) * mat, top + ((bottom - top) // mat // 2 + 0.5) * mat
    low, wide = max(0, 42 - (bottom - top) // 2), max(0, 130 - (right - left) // 2)
    return (x, top + 18 - low), (right - 62 + wide, y), (x, bottom - 18 + low), (left + 62 - wide, y)
