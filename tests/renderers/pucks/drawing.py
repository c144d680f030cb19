"""Positions of Puck Bumpers to draw, and checks of their pictures."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from PIL import Image

from engines.chance import Fair
from engines.game import Action, Event
from engines.pucks.board.board import cells
from engines.pucks.board.deck import CardId
from engines.pucks.board.state import State
from engines.pucks.board.views import PucksView
from renderers import RENDERERS
from renderers.pucks.fold import At
from renderers.scene import Scene
from tests.renderers.pixels import changed, drawn
from tests.renderers.samples.pucks import GAME
from tests.renderers.scenes import Sample, in_scene

SEATS = ("Ann", "Ben", "Cleo", "Dot", "Eve", "Fay")


def pictured(view: PucksView, **scene: Any) -> Image.Image:
    """A view's picture as RGB, with its edge as if solid."""
    return RENDERERS["pucks"].draw(view, Scene(**({"names": SEATS} | scene))).convert("RGB")


def bare(sample: Sample[PucksView]) -> Sample[PucksView]:
    """The same without options."""
    return in_scene(sample, options=())


def only(sample: Sample[PucksView], token: str) -> Sample[PucksView]:
    """The same with one option alone."""
    options = tuple(choice for choice in sample.scene.options if choice.token == token)
    assert options, token
    return in_scene(sample, options=options)


def assert_options_look_different(sample: Sample[PucksView]) -> None:
    """No two options, each marked alone, give the same picture."""
    pictures = {drawn(only(sample, choice.token)).tobytes() for choice in sample.scene.options}
    assert len(pictures) == len(sample.scene.options)


def assert_every_option_is_marked(sample: Sample[PucksView]) -> None:
    """Each option alone changes the picture, and no two options look the same."""
    without = drawn(bare(sample))
    for choice in sample.scene.options:
        picture = drawn(only(sample, choice.token))
        assert picture.size != without.size or changed(picture, without) is not None, choice.token
    assert_options_look_different(sample)


def with_hand(*hand: CardId, seats: int = 2) -> PucksView:
    """The first position with so many seats, as a player with this hand sees it."""
    state = GAME.from_position({**GAME.position(GAME.start(seats, setup="random")), "phase": "act"})
    return replace(GAME.view(state, 0), hand=hand)


def shaped(seats: int, places: Sequence[At], seat: int | None = None) -> PucksView:
    """A game of so many whose mats lie on these places of the lattice."""
    view = GAME.view(GAME.start(seats, setup="random"), seat)
    mats = tuple(replace(mat, at=place) for mat, place in zip(view.mats, places, strict=True))
    points = {cell.space: cell.point for mat in mats for cell in cells(mat)}
    return replace(view, mats=mats, pieces=tuple(replace(placed, point=points[placed.space]) for placed in view.pieces))


def walk(seats: int, variant: str, seed: int, steps: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """States of a random game, each with the events that led there."""
    dice = random.Random(seed)
    state = GAME.start(seats, variant, Fair(bytes([seed]) * 32), setup="random")
    for _ in range(steps):
        if GAME.outcome(state):
            return
        seat = dice.choice(GAME.may_act(state) if dice.random() < 0.15 else GAME.to_act(state))
        action: Action = ()
        while not GAME.is_whole(state, seat, action) or (dice.random() < 0.3 and GAME.choices(state, seat, action)):
            action = (*action, dice.choice(GAME.choices(state, seat, action)).token)
        step = GAME.play(state, seat, action)
        state = step.state
        yield state, step.events


def legal(seed: int, number: int) -> list[At]:
    """Connected places, grown at random: now compact, now stretched."""
    dice = random.Random(seed)
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)] + 3 * [dice.choice([(0, 1), (1, 0)])]
    places = [(0, 0)]
    while len(places) < number:
        x, y = places[-1] if dice.random() < 0.7 else dice.choice(places)
        dx, dy = dice.choice(steps)
        if (x + dx, y + dy) not in places:
            places.append((x + dx, y + dy))
    return places
