"""Draws Puck Bumpers: a rink of mats on a table, the cards in force, and the reader's hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from engines.pucks.board.deck import CardId
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.views import Phase, PucksView
from renderers import theme
from renderers.canvas import Box, card, place
from renderers.pucks.blocks import Anchors, Block, draw_band, draw_column, field_of
from renderers.pucks.board import draw_letters, table_with
from renderers.pucks.cards import draw_hand, draw_hands
from renderers.pucks.choices import ON_HAND, Cards, draw_choices, words_of
from renderers.pucks.colours import colours_of
from renderers.pucks.fold import At
from renderers.pucks.layout import PAD, READABLE, Closer, Contents, Layout, inside, layout_of
from renderers.pucks.panel import card_block, hand_block, rules_block, tray_block, turn_block, words_block
from renderers.pucks.picks import Meaning, Pick, pick_of, places_needed, with_prefix
from renderers.pucks.pieces import piece
from renderers.pucks.seating import Seating, seating_of
from renderers.pucks.seats import draw_seats
from renderers.pucks.steps import Story, story_of
from renderers.pucks.story import draw_over, draw_under, story_block
from renderers.pucks.window import latest, map_block, matters
from renderers.scene import Scene
from renderers.theme import EDGE, TALLEST, WIDTH, Palette

_LARGEST: Final = 300  # the greatest size of a mat in pixels where only the options for the next token are shown
_TALLEST: Final = 640  # the greatest height of the rink there
_COMFORTABLE: Final = 232  # the size at most of a mat in the part with the last turn, to show as much as possible round it


def draw(view: PucksView, scene: Scene) -> Image.Image:
    """Draw the rink as the events left it, or as the picks so far would leave it."""
    composition = compose(view, scene)
    layout, palette = composition.layout(), composition.palette
    image = composition.table(layout)
    composition.draw_rink(image, layout)
    composition.draw_signs(image, layout)
    _draw_rim(image, layout, palette)
    cards = composition.draw_panel(image, layout)
    draw_seats(
        image, composition.view, scene, composition.seating, composition.story.scored_pucks(), palette, composition.anchors
    )
    draw_choices(image, layout.rink, composition.view, scene, palette, composition.anchors, cards)
    return card(image, palette)


def compose(view: PucksView, scene: Scene) -> "Composition":
    """Return the parts that make up the picture of a view."""
    shown = view if scene.events else with_prefix(view, scene.prefix)
    pick = pick_of(shown, scene.prefix)
    held, story = _open_cards(view, scene, pick), story_of(scene.events, shown.mats)
    composition = Composition(
        shown, scene, theme.palette(scene.high_contrast), pick, held, story, _seating(shown, scene), Anchors()
    )
    steady = replace(composition, held=view.hand, steady=True)
    acting = view.phase is not Phase.PLACE and view.outcome is None and pick.meaning is not Meaning.PILE
    in_turn = acting and bool(scene.prefix) and not scene.events
    return steady if in_turn and steady.layout().rink.mat >= READABLE else composition


def strip_height(view: PucksView, scene: Scene) -> int:
    """Return the height in pixels of the strip with the seats."""
    return _seating(view, scene).height


def foot_height(view: PucksView, scene: Scene) -> int:
    """Return the height in pixels of everything below the rink: the strip, and the panel unless it is beside the rink."""
    layout = compose(view, scene).layout()
    return layout.height - EDGE - layout.rink.area[3] - PAD // 2


def _seating(view: PucksView, scene: Scene) -> Seating:
    return seating_of(view, scene, tagged=any(option.token in COLOURS for option in scene.options))


def _open_cards(view: PucksView, scene: Scene, pick: Pick) -> Sequence[CardId]:
    """Return the cards to draw face up: those on offer from the discard pile or, unless another pick is under way, the hand."""
    if pick.meaning is Meaning.PILE and scene.options:
        return tuple(option.token for option in scene.options if option.token in view.discard)
    return view.hand if scene.events or not scene.prefix or pick.meaning is Meaning.CARD else ()


@dataclass(frozen=True, slots=True)
class Composition:
    """The parts of a picture.

    Attributes:
        view: the view, as it is shown.
        pick: the pick in progress.
        held: the cards that are face up.
        story: the latest events.
        seating: the strip with the seats.
        anchors: where the picture shows things that an option may name.
        steady: whether the board and the hand stay where they were before anything was picked, so that nobody has to look for a
            piece again. If a large board would become too small for this, the part of it that matters is shown instead.
    """

    view: PucksView
    scene: Scene
    palette: Palette
    pick: Pick
    held: Sequence[CardId]
    story: Story
    seating: Seating
    anchors: Anchors
    steady: bool = False

    def layout(self) -> Layout:
        """Return the layout of the picture."""
        places: set[At] = {mat.at for mat in self.view.mats}
        places |= places_needed(self.view.mats, self.pick, self.scene.options)
        hands = self.view.hands is not None and any(self.view.hands)
        moving, whole = self.scene.moving, self.scene.whole
        closer = None if moving or whole or self.steady else self._closer()
        cards = len(set(self.held))
        blocks, strip, low = self.blocks(None), self.seating.height, whole and not self.steady
        return layout_of(Contents(frozenset(places), blocks, cards, hands, strip, moving, closer, low=low))

    def _closer(self) -> Closer | None:
        """Return the part of the board that matters for the choice, or the part with the last turn, or None for all of it."""
        view, scene = self.view, self.scene
        if scene.events:
            parts = [] if self.held else latest(view, self.story)
        else:
            part = matters(view, self.pick, scene.prefix, scene.options)
            parts = [] if part is None else [part]
        if not parts:
            return None
        sizes = (READABLE, _COMFORTABLE, TALLEST) if scene.events else (_LARGEST, _LARGEST, _TALLEST)
        return Closer(parts, *sizes, map_block(view, self.story, parts[0], self.palette))

    def blocks(self, window: Box | None) -> list[Block]:
        """Return the blocks of the panel, which include a map if only a window of the board is shown."""
        view, scene, palette = self.view, self.scene, self.palette
        placing = view.phase is Phase.PLACE
        found = [turn_block(view, scene.translate, palette)] if placing or view.has_cards else []
        if words := words_of(view, self.pick, scene.options):
            found.append(words_block(len(words), self.anchors))
        if placing:
            found.append(tray_block(view, palette, self.anchors))
        elif view.has_cards and (not scene.prefix or scene.events or self.steady or self.pick.meaning is Meaning.CARD):
            found.append(rules_block(view, scene.translate, palette, self.anchors))
        if any(step.card for step in self.story.steps):
            found.append(story_block(self.story, palette))
        if not self.steady and not scene.events and scene.prefix[:1] == ("play",):
            played = (card_id for card_id in scene.prefix[1:2] if card_id in view.hand)
            found += [card_block(card_id, scene.translate, palette) for card_id in played]
        if self.held and any(option.token in ON_HAND for option in scene.options):
            found.append(hand_block(self.anchors))
        if window is not None:
            found.append(map_block(view, self.story, window, palette))
        return found

    def table(self, layout: Layout) -> Image.Image:
        """Return the table with the mats, to be drawn on."""
        starts = self.view.phase is Phase.PLACE or self.pick.meaning is Meaning.SPACE
        rink, view, cached = layout.rink, self.view, layout.window is None
        return table_with(layout.height, rink, view.mats, self.palette, view.net_off, starts=starts, cached=cached)

    def draw_rink(self, image: Image.Image, layout: Layout) -> None:
        """Draw the pieces and the latest events, even where they lie outside the rink's area."""
        view, palette, rink = self.view, self.palette, layout.rink
        draw_under(image, rink, view, self.story, palette)
        draw_letters(image, rink, view.mats, palette, view.mats)
        for placed in view.pieces:
            sprite = piece(placed.piece, palette, rink.space, owned=view.owners.of(placed.piece.colour) not in view.out)
            place(image, sprite, rink.middle(placed.point))

    def draw_signs(self, image: Image.Image, layout: Layout) -> None:
        """Draw the signs of the latest events on the rink."""
        draw_over(image, layout.rink, self.view, self.story, self.palette)

    def draw_panel(self, image: Image.Image, layout: Layout) -> Cards:
        """Draw the panel and the cards that are face up."""
        if layout.panel is not None:
            field_of(image, layout.panel, self.palette)
            (draw_column if layout.beside else draw_band)(image, self.blocks(layout.window), inside(layout.panel))
        if self.view.hands is not None and not self.held:
            draw_hands(image, layout.hand, self.view.hands, self.seating.rows, self.view.colours, self.palette)
        if not self.held:
            return {}
        return draw_hand(image, layout.hand, self.held, self.scene.translate, self.palette, layout.card_width)


def _draw_rim(image: Image.Image, layout: Layout, palette: Palette) -> None:
    """Draw the table over all that lies outside the rink's window, and the window's edge, lit at the top and on the left."""
    colours = colours_of(palette)
    if layout.window is not None:
        left, top, right, bottom = layout.rink.area
        for box in ((0, 0, WIDTH, top), (0, top, left, bottom), (right, top, WIDTH, bottom), (0, bottom, WIDTH, image.height)):
            image.paste(colours.table, box)
    image.paste(colours.table_light, (EDGE, EDGE, WIDTH - EDGE, EDGE + 6))
    image.paste(colours.table_light, (EDGE, EDGE, EDGE + 6, image.height))
