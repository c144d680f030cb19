"""A person's slips in a finished game, for them to try again. Everything follows from the review, and nothing is stored."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from typing_extensions import override

from bot.core.table.errors import Refused
from bot.core.table.position import LinePosition, Position
from bot.features.reviews.course import Marked
from bot.features.reviews.service import Reviewed
from engines.game import Action, Event, foresee
from engines.text import say
from opponents import Thought, opponent
from opponents.reviewing import LEVEL, SecondTry


@dataclass(frozen=True, kw_only=True)
class Slips(LinePosition):
    """A person before one of their slips, which is the `number`th of their `own` turning points, counted from 1."""

    reviewed: Reviewed
    own: tuple[Marked, ...]
    number: int

    @property
    def point(self) -> Marked:
        """The slip."""
        return self.own[self.number - 1]

    @property
    def following(self) -> Marked | None:
        """The next slip, or None after the last."""
        return self.own[self.number] if self.number < len(self.own) else None

    @property
    def page(self) -> int:
        """The number of the slip's page in the review."""
        return 1 + self.reviewed.course.turning_points(self.reviewed.review).index(self.point)

    @property
    @override
    def seat(self) -> int:
        """The seat that the person had."""
        return self.point.moment.seat

    @property
    def better(self) -> Action:
        """The better action that the review has found."""
        (_, action), *_ = self.point.found.line
        return action

    @property
    def best(self) -> float:
        """The chance to win with the better action, from 0 to 1."""
        return self.point.found.best or 0.0

    @cached_property
    @override
    def position(self) -> Position:
        """The position before the slip."""
        return self.reviewed.snapshot.position_after(self.history)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events since the person's previous action, as far as their seat knows them."""
        seat, moments = self.seat, self.reviewed.course.moments[: self.point.moment.place]
        own = max((number for number, moment in enumerate(moments, 1) if moment.seat == seat), default=0)
        return tuple(event for moment in moments[own:] for event in moment.logged.events if event.known_to(seat))

    @cached_property
    def seen(self) -> Any:
        """The state before the slip, for display. In a memory game, whatever the seat had seen is face up."""
        moment, game = self.point.moment, self.history.game
        memory = self.reviewed.course.memory(self.seat, moment.place)
        return opponent(game.id, LEVEL, game.rules).recall(moment.before, self.seat, memory)

    @property
    def recalled(self) -> bool:
        """Whether something is face up in `seen` that was not face up in the game."""
        return bool(self.seen != self.point.moment.before)

    def known(self, action: Action) -> SecondTry | None:
        """Return an action's worth by the review, if it leads where the slip or the better action does, or else None."""
        if self._leads_alike(action, self.better):
            return SecondTry(0.0)
        return SecondTry(self.point.lost) if self.is_slip(action) else None

    def is_slip(self, action: Action) -> bool:
        """Whether an action is the one that the person played, or leads to the same state."""
        return self._leads_alike(action, self.point.moment.action)

    def _leads_alike(self, action: Action, other: Action) -> bool:
        if action == other:
            return True
        one, two = (foresee(self.history.game, self.point.moment.before, self.seat, each) for each in (action, other))
        return one is not None and two is not None and bool(one.state == two.state)

    def question(self, action: Action) -> tuple[Any, ...]:
        """Return the arguments of `opponents.reviewing.try_again` for another action."""
        moment, game = self.point.moment, self.history.game
        memory, stream = self.reviewed.course.memory(self.seat, moment.place), f"again {moment.number}"
        better = Thought(self.better, self.best, self.point.found.line)
        return game.id, game.rules, moment.before, self.seat, better, action, memory, stream


def own_slips(reviewed: Reviewed, user_id: int) -> tuple[Marked, ...]:
    """Return those turning points of a review that were a person's choices, in whichever seat they made them."""
    points = reviewed.course.turning_points(reviewed.review)
    return tuple(point for point in points if point.moment.logged.entry.user_id == user_id)


def at_slip(reviewed: Reviewed, user_id: int, number: int | None = None) -> Slips:
    """Return a person before the slip with this entry number, or before their first slip. Raises Refused if there is none."""
    own = own_slips(reviewed, user_id)
    found = next((place for place, point in enumerate(own, 1) if number in {None, point.moment.number}), None)
    if found is None:
        raise Refused(say("None of this game’s turning points were yours."))
    history = reviewed.course.history.at(own[found - 1].moment.number - 1)
    return Slips(history, reviewed=reviewed, own=own, number=found)
