"""What samples are made of: positions of any game, with what just happened or what can be chosen."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

from engines import GAMES
from engines.chance import UNSEEDED, Chance, Fair
from engines.game import Action, Event, View
from renderers.scene import Scene
from tests.engines.contract_games import random_action

NAMES: Final = ("Ann", "Bob the Builder of Very Tall Towers", "Zoë", "Δημήτρης", "Eve", "Дева")
ACTIONS: Final = 6
"""How far a game has come in its default samples, unless it is over before."""


@dataclass(frozen=True)
class Sample:
    """A game, a view of it, and a scene."""

    game_id: str
    view: View
    scene: Scene


@dataclass(frozen=True)
class Samples:
    """The samples of one game.

    Attributes:
        named: what makes each, by its name.
        golden: the names of those that are golden pictures too.
        bytes_at_most: how large a picture of the game may be as a file.
    """

    named: Mapping[str, Callable[[], Sample]] = field(default_factory=dict)
    golden: tuple[str, ...] = ()
    bytes_at_most: int = 120_000


def at(game_id: str, position: Mapping[str, Any], chance: Chance = UNSEEDED) -> tuple[Any, Any]:
    """The game and the state of a position."""
    game = GAMES[game_id]
    return game, game.from_position(position, chance)


def after(game_id: str, position: Mapping[str, Any], seat: int, action: Action, chance: Chance = UNSEEDED) -> Sample:
    """What everybody sees once an action was played."""
    game, state = at(game_id, position, chance)
    step = game.play(state, seat, action)
    events = tuple(event for event in step.events if event.known_to(None))
    return Sample(game_id, game.view(step.state), Scene(names=NAMES, events=events))


def picking(game_id: str, position: Mapping[str, Any], seat: int, prefix: Action = (), **scene: Any) -> Sample:
    """What a seat sees that has picked the prefix."""
    game, state = at(game_id, position)
    options = tuple(game.choices(state, seat, prefix))
    return Sample(game_id, game.view(state, seat), Scene(names=NAMES, prefix=prefix, options=options, **scene))


def lying(game_id: str, position: Mapping[str, Any], seat: int | None = None, **scene: Any) -> Sample:
    """A position as a seat, or everybody, sees it."""
    game, state = at(game_id, position)
    return Sample(game_id, game.view(state, seat), Scene(names=NAMES, **scene))


def starting(game_id: str, seats: int, variant: str | None = None) -> Sample:
    """The first position."""
    game = GAMES[game_id]
    return Sample(game_id, game.view(game.start(seats, variant)), Scene(names=NAMES))


def high_contrast(sample: Sample) -> Sample:
    """The same with the high-contrast palette."""
    return replace(sample, scene=replace(sample.scene, high_contrast=True))


# --- what every game has --------------------------------------------------------------------------------------------------


def default_samples(game_id: str) -> dict[str, Callable[[], Sample]]:
    """The samples that need no code of the game."""
    return {
        "start": lambda: starting(game_id, GAMES[game_id].seats[-1]),
        "underway": lambda: underway(game_id),
        "options": lambda: choosing(game_id),
        "high-contrast": lambda: high_contrast(underway(game_id)),
    }


def underway(game_id: str) -> Sample:
    """What everybody sees after a few random actions, the last of them just played."""
    state, events = some_actions(game_id)
    known = tuple(event for event in events if event.known_to(None))
    return Sample(game_id, GAMES[game_id].view(state), Scene(names=NAMES, events=known))


def choosing(game_id: str) -> Sample:
    """What the seat to act sees a few random actions in, with all that it can choose."""
    game, (state, _) = GAMES[game_id], some_actions(game_id)
    seat = game.to_act(state)[0]
    options = tuple(game.choices(state, seat))
    return Sample(game_id, game.view(state, seat), Scene(names=NAMES, options=options, seen_from=seat))


def some_actions(game_id: str) -> tuple[Any, tuple[Event, ...]]:
    """A state that is not the last one, reached by random actions, and the events of the last of them."""
    game, dice = GAMES[game_id], random.Random(game_id)
    state = game.start(game.seats[-1], chance=Fair(sha256(game_id.encode()).digest()))
    events: tuple[Event, ...] = ()
    for _ in range(ACTIONS):
        seat = game.to_act(state)[0]
        step = game.play(state, seat, random_action(game, state, seat, dice))
        if not game.to_act(step.state):
            break
        state, events = step.state, step.events
    return state, events
