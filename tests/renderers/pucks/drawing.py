"""Positions of Puck Bumpers, and what tests ask about their pictures."""

import random
from dataclasses import replace

from PIL import ImageChops

from engines import GAMES
from engines.chance import Fair
from engines.pucks.board import cells
from renderers import RENDERERS
from renderers.scene import Scene
from tests.renderers.scenes import at

GAME = GAMES["pucks"]
SEATS = ("Ann", "Ben", "Cleo", "Dot", "Eve", "Fay")


def drawn(sample):
    return RENDERERS["pucks"].draw(sample.view, sample.scene).convert("RGB")


def pictured(view, **scene):
    return RENDERERS["pucks"].draw(view, Scene(**({"names": SEATS} | scene))).convert("RGB")


def changed(one, other):
    return ImageChops.difference(one, other).getbbox()


def within(inner, outer):
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def bare(sample):
    """The same without options."""
    return replace(sample, scene=replace(sample.scene, options=()))


def only(sample, token):
    """The same with one option alone."""
    options = tuple(choice for choice in sample.scene.options if choice.token == token)
    assert options, token
    return replace(sample, scene=replace(sample.scene, options=options))


def with_hand(*hand):
    """The first position of two, as a player with this hand sees it."""
    game, state = at("pucks", {**GAME.position(GAME.start(2, setup="random")), "phase": "act"})
    return replace(game.view(state, 0), hand=hand)


def shaped(seats, places, seat=None):
    """A game of so many whose mats lie on these places of the lattice."""
    view = GAME.view(GAME.start(seats, setup="random"), seat)
    mats = tuple(replace(mat, at=place) for mat, place in zip(view.mats, places, strict=True))
    points = {cell.space: cell.point for mat in mats for cell in cells(mat)}
    return replace(view, mats=mats, pieces=tuple(replace(placed, point=points[placed.space]) for placed in view.pieces))


def walk(seats, variant, seed, steps):
    """States of a random game, each with the events that led there."""
    dice = random.Random(seed)
    state = GAME.start(seats, variant, Fair(bytes([seed]) * 32), setup="random")
    for _ in range(steps):
        if GAME.outcome(state):
            return
        seat = dice.choice(GAME.may_act(state) if dice.random() < 0.15 else GAME.to_act(state))
        action = ()
        while not GAME.is_whole(state, seat, action) or (dice.random() < 0.3 and GAME.choices(state, seat, action)):
            action = (*action, dice.choice(GAME.choices(state, seat, action)).token)
        step = GAME.play(state, seat, action)
        state = step.state
        yield state, step.events
