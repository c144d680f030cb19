"""Draws the events: the Bunnies' hops, the Swaps and the Spies, numbered in one sequence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from engines.bunny import Bounce, Landing, Space, Spied, Swapped
from engines.game import Event
from renderers.bunny.cards import bunny_sprite, small_eye
from renderers.bunny.field import ACROSS, DOWN, LEFT, LETTERS, TOP, foot, middle
from renderers.canvas import Layer, Point, place
from renderers.lettering import write
from renderers.signs import burst, draw_ghost, draw_hop, trail_strength
from renderers.sprite_cache import cache_sprite
from renderers.theme import Face, Mark, Palette, Size

_NUMBER: Final = 42  # the width of a number on a trail
_ASIDE: Final = ((0, 0), (-46, 0), (0, -46), (-46, -46))  # the places of a space's numbers, measured from its foot, in order
_BESIDE: Final = (-50, 20)  # the place of a number beside a Bunny, measured from its foot

_FLYING: Final = (12, -60)  # where a bumped Bunny flies, measured from the foot of the Bunny that came


@dataclass(frozen=True, slots=True)
class TrailStep:
    """A numbered step of the story: a hop, a Swap or a peek by a Spy.

    Attributes:
        number: its place in the story, from 1.
        seat: the seat whose Bunny hopped, or whose Swap or Spy it is.
        detail: the bounce, Swap or peek that it belongs to.
        landing: the landing that ended a hop, or None for a Swap, a peek, or a loop's last hop.
        before: the space where a hop began, or None if the Bunny came into the field.
        space: the space where a hop ended, or None for a Swap or a peek.
        alone: whether it is the only step.
    """

    number: int
    seat: int
    detail: Bounce | Swapped | Spied
    landing: Landing | None = None
    before: Space | None = None
    space: Space | None = None
    alone: bool = False

    @property
    def sets_off(self) -> bool:
        """Whether this is the first hop of a bounce."""
        return isinstance(self.detail, Bounce) and self.landing is self.detail.landings[0]

    @property
    def ends_loop(self) -> bool:
        """Whether this is the last hop of a loop, which throws the hopping Bunny itself out of the field."""
        return self.landing is None and self.space is not None

    @property
    def bumps(self) -> bool:
        """Whether this hop throws the other Bunny out of the field."""
        return self.landing is not None and self.landing.bumped


def steps_of(events: Sequence[Event]) -> tuple[TrailStep, ...]:
    """Return the steps of the story. A peek that is told to everybody and then to its player is one step."""
    details = [event.detail for event in events if event.detail is not None]
    steps: list[TrailStep] = []
    for index, detail in enumerate(details):
        if isinstance(detail, Bounce):
            for landing, before, space in _hops(detail):
                steps.append(TrailStep(len(steps) + 1, detail.bunny, detail, landing, before, space))
        elif isinstance(detail, Swapped) or (
            isinstance(detail, Spied)
            and not _told_again(details[index + 1 :], detail)
            and (detail.card is None or (index > 0 and _told_again([detail], details[index - 1])))
        ):
            steps.append(TrailStep(len(steps) + 1, detail.seat, detail))
    return (replace(steps[0], alone=True),) if len(steps) == 1 else tuple(steps)


def numbers_of(events: Sequence[Event]) -> list[range]:
    """Return the numbers of each event's steps. A bounce has one step for each hop."""
    steps = steps_of(events)
    told = ([step.number for step in steps if step.detail is event.detail] for event in events)
    return [range(numbers[0], numbers[-1] + 1) if numbers else range(0) for numbers in told]


def _told_again(later: Sequence[object], told: object) -> bool:
    """Return whether the next event tells of the same peek, this time with the card."""
    if not (later and isinstance(later[0], Spied) and isinstance(told, Spied)):
        return False
    return later[0].space == told.space and told.card is None and later[0].card is not None


def _hops(bounce: Bounce) -> Iterator[tuple[Landing | None, Space | None, Space]]:
    before = bounce.start
    for landing in bounce.landings:
        yield landing, before, landing.space
        before = landing.space
    if bounce.back_to is not None:
        yield None, before, bounce.back_to


def draw_trails(image: Image.Image, steps: Sequence[TrailStep], bunnies: Sequence[Space | None], palette: Palette) -> None:
    """Draw all hops from faint to strong, ghosts where they began, and bursts at bumps. `bunnies` has the Bunnies' spaces."""
    for step in steps:
        if step.sets_off and step.before is not None and step.before != bunnies[step.seat]:
            draw_ghost(image, bunny_sprite(step.seat, palette), face_over(foot(step.before)))
    for index, step in enumerate(steps):
        if step.space is not None:
            _draw_hop(image, step, step.space, trail_strength(index, len(steps), palette), palette)
        elif isinstance(step.detail, Swapped):
            _draw_swap(image, step.detail, palette)


def _draw_hop(image: Image.Image, step: TrailStep, space: Space, strength: float, palette: Palette) -> None:
    """Draw a hop, which may cross the edge of the field, and any Bunny that it throws out."""
    if step.ends_loop:
        place(image, burst(palette, 110), foot(space))
        draw_ghost(image, bunny_sprite(step.seat, palette), face_over(foot(space)), 0.6)
    elif step.bumps:
        place(image, burst(palette, 104), foot(space))
        x, y = foot(space)
        draw_ghost(image, bunny_sprite(1 - step.seat, palette), face_over((x + _FLYING[0], y + _FLYING[1])), 0.8)
    head = step.ends_loop or step.alone
    for start, end in _legs(step.before, space, step.landing):
        draw_hop(image, start, end, palette.seats[step.seat].colour, palette, strength=strength, bend=0.1, head=head)


def _legs(before: Space | None, space: Space, landing: Landing | None) -> list[tuple[Point, Point]]:
    """Return the ends of the lines that make up a hop: one line, or two if the hop crosses the edge of the field."""
    x, y = foot(space)
    if before is None:
        return [((x, LETTERS + 8.0), (x, y))]
    start = foot(before)
    if landing is None or not landing.wrapped or landing.direction is None:
        return [(start, (x, y))]
    left, right, top, bottom = LEFT - 14.0, LEFT + 7 * ACROSS + 14.0, TOP - 8.0, TOP + 5 * DOWN + 8.0
    out, back = {
        "left": ((left, start[1]), (right, y)),
        "right": ((right, start[1]), (left, y)),
        "up": ((start[0], top), (x, bottom)),
        "down": ((start[0], bottom), (x, top)),
    }[landing.direction]
    return [(start, out), (back, (x, y))]


def _draw_swap(image: Image.Image, swapped: Swapped, palette: Palette) -> None:
    colour = palette.seats[swapped.seat].colour
    first, second = middle(swapped.first), middle(swapped.second)
    draw_hop(image, first, second, colour, palette, bend=0.12, head=True)
    draw_hop(image, second, first, colour, palette, bend=0.12, head=True)


def draw_numbers(image: Image.Image, steps: Sequence[TrailStep], bunnies: Sequence[Space | None], palette: Palette) -> None:
    """Draw the numbers of the steps, unless there is only one step, and show where Spies peeked."""
    taken: dict[Space, int] = {}
    for step in steps:
        if isinstance(step.detail, Spied):
            x, y = middle(step.detail.space)
            place(image, small_eye(palette, step.seat), (x + 34, y - 44))
        for at in _number_places(step, bunnies, taken) if len(steps) > 1 else ():
            place(image, number_badge(step.number, step.seat, palette), at)


def _number_places(step: TrailStep, bunnies: Sequence[Space | None], taken: dict[Space, int]) -> tuple[Point, ...]:
    """Return where the number of a step is drawn: for a Swap on both cards, and nowhere for a hop that ends a loop."""
    if isinstance(step.detail, Swapped):
        return tuple((x - 40, y + 48) for x, y in (middle(step.detail.first), middle(step.detail.second)))
    if isinstance(step.detail, Spied):
        x, y = middle(step.detail.space)
        return ((x + 34, y + 2),)
    space = step.space
    if space is None or step.landing is None:
        return ()
    order = taken[space] = taken.get(space, -1) + 1
    x, y = foot(space)
    if space in bunnies:
        return ((x + _BESIDE[0], y + _BESIDE[1] - 46 * order),)
    aside = _ASIDE[order % len(_ASIDE)]
    return ((x + aside[0], y + aside[1]),)


@cache_sprite
def number_badge(number: int, seat: int, palette: Palette) -> Image.Image:
    """Return a step's number on the mark and the colour of its seat, which tells the trails of the two Bunnies apart."""
    side = _NUMBER + 2
    look, layer, centre = palette.seats[seat], Layer(side, side), side / 2
    for inset, colour in ((0.0, palette.ink), (2.0, palette.paper), (5.0, look.colour)):
        if look.mark is Mark.DISC:
            layer.ellipse((centre, centre), _NUMBER / 2 - inset, colour)
        else:
            layer.rectangle((1 + inset, 1 + inset, side - 1 - inset, side - 1 - inset), max(9 - inset, 3), colour)
    badge = layer.image()
    write(badge, (centre, centre), str(number), Face.LABEL, Size.BODY, look.on_colour, align="middle")
    return badge


def face_over(at: Point) -> Point:
    """Return the middle of the sprite of a Bunny that stands at this point."""
    return at[0] + 2, at[1] - 6
