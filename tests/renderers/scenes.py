"""Scenes to draw: positions of any game, with the latest events or the current choices."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

from engines import GAMES
from engines.chance import UNSEEDED, Chance, Fair
from engines.game import Action, Event, Game, HasChance, Pages, View, part_of
from engines.tableau import tableau
from renderers.scene import Scene, illustrating
from tests.engines.contract_games import random_action

NAMES: Final = ("Ann", "Bob the Builder of Very Tall Towers", "Zoë", "Δημήτρης", "Eve", "Дева")
S = TypeVar("S", bound=HasChance)
V = TypeVar("V", bound=View)
ACTIONS: Final = 6
"""How far a game has come in its default samples, unless it is over before."""


@dataclass(frozen=True)
class Sample(Generic[V]):
    """A game, a view of it, and a scene."""

    game_id: str
    view: V
    scene: Scene


@dataclass(frozen=True)
class Samples:
    """The samples of one game.

    Attributes:
        named: what makes each, by name.
        golden: the names of those that are golden pictures too.
        bytes_at_most: how large a picture's file may be.
    """

    named: Mapping[str, Callable[[], Sample[Any]]] = field(default_factory=dict)
    golden: tuple[str, ...] = ()
    bytes_at_most: int = 120_000


def after(game: Game[S, V], position: Mapping[str, Any], seat: int, action: Action, chance: Chance = UNSEEDED) -> Sample[V]:
    """What everybody sees after an action."""
    step = game.play(game.from_position(position, chance), seat, action)
    events = tuple(event for event in step.events if event.known_to(None))
    return Sample(game.id, game.view(step.state), Scene(names=NAMES, events=events))


def picking(game: Game[S, V], position: Mapping[str, Any], seat: int, prefix: Action = (), seen_from: int = 0) -> Sample[V]:
    """What a seat that has picked the prefix sees."""
    state = game.from_position(position, UNSEEDED)
    options = tuple(game.choices(state, seat, prefix))
    return Sample(game.id, game.view(state, seat), Scene(names=NAMES, prefix=prefix, options=options, seen_from=seen_from))


def lying(game: Game[S, V], position: Mapping[str, Any], seat: int | None = None, seen_from: int = 0) -> Sample[V]:
    """A position as a seat, or everybody, sees it."""
    return Sample(game.id, game.view(game.from_position(position, UNSEEDED), seat), Scene(names=NAMES, seen_from=seen_from))


def starting(game: Game[S, V], seats: int, variant: str | None = None) -> Sample[V]:
    """The first position."""
    return Sample(game.id, game.view(game.start(seats, variant)), Scene(names=NAMES))


def in_scene(sample: Sample[V], **fields: Any) -> Sample[V]:
    """The same in a scene with other values."""
    return replace(sample, scene=replace(sample.scene, **fields))


def high_contrast(sample: Sample[V]) -> Sample[V]:
    """The same with the high-contrast palette."""
    return in_scene(sample, high_contrast=True)


def default_samples(game_id: str) -> dict[str, Callable[[], Sample[Any]]]:
    """The samples that need no code of the game."""
    return {
        "start": lambda: starting(GAMES[game_id], GAMES[game_id].seats[-1]),
        "underway": lambda: underway(game_id),
        "options": lambda: choosing(game_id),
        "high-contrast": lambda: high_contrast(underway(game_id)),
    }


def rules_samples(game_id: str) -> dict[str, Callable[[], Sample[Any]]]:
    """The pictures of the rules pages."""
    illustrations = part_of(GAMES[game_id], Pages).illustrations()
    return {f"rules-{name}": partial(illustrating_rules, game_id, name) for name in illustrations}


def illustrating_rules(game_id: str, name: str) -> Sample[Any]:
    """A picture of the rules pages."""
    shown = tableau(GAMES[game_id], part_of(GAMES[game_id], Pages).illustrations()[name])
    return Sample(game_id, shown.view, illustrating(shown))


def underway(game_id: str) -> Sample[Any]:
    """What everybody sees after a few random actions, the last of them just played."""
    state, events = some_actions(game_id)
    known = tuple(event for event in events if event.known_to(None))
    return Sample(game_id, GAMES[game_id].view(state), Scene(names=NAMES, events=known))


def choosing(game_id: str) -> Sample[Any]:
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
