"""Tableaux: the boards that are drawn after the illustrations of the rules have been played."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engines.actions import Action, Choice
from engines.chance import UNSEEDED, Scripted
from engines.game import Game, View
from engines.steps import Event, Illustration

V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class Tableau(Generic[V]):
    """A board of a rules page as one seat knows it, after some events, with the tokens picked and those that may come next."""

    view: V
    events: tuple[Event, ...]
    prefix: Action = ()
    options: tuple[Choice, ...] = ()


def tableau(game: Game[Any, V], illustration: Illustration) -> Tableau[V]:
    """Play an illustration, and return its board. Raises ValueError if the position does not exist or an action is illegal."""
    chance = Scripted(illustration.chance) if illustration.chance else UNSEEDED
    if illustration.position is None:
        seats = game.seats[-1] if illustration.seats is None else illustration.seats
        state = game.start(seats, illustration.variant, chance)
    else:
        state = game.from_position(illustration.position, chance)
    events: list[Event] = []
    for seat, action in illustration.actions:
        step = game.play(state, seat, action)
        state = step.state
        events.extend(event for event in step.events if event.known_to(illustration.seat))
    view, prefix = game.view(state, illustration.seat), illustration.picking
    if prefix is None or illustration.seat is None:
        return Tableau(view, tuple(events))
    return Tableau(view, tuple(events), prefix, tuple(game.choices(state, illustration.seat, prefix)))
