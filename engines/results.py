"""What the methods of a game give: steps from state to state, shortcuts, options, and views."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from engines.actions import Action
from engines.chance import Chance
from engines.events import Event, Outcome


class HasChance(Protocol):
    """What every state has."""

    @property
    def chance(self) -> Chance:
        """The stream that is drawn from next."""


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The result of an action: the state after it, and the events that led there, in order."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A whole action that can be offered as a button under the board, where everybody sees it."""

    action: Action
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """A setting chosen when a table is opened, in addition to the variant. The first value is the default."""

    title: str
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class View:
    """What one seat (None: a spectator) may know of a state, and nothing else. Each game adds its own board.

    Attributes:
        variant: the variant's id.
        seats: how many seats there are.
        seat: whose view this is; None for a spectator's.
        to_act: the seats that the game is waiting for; empty when it is over.
        out: the seats that no longer take part (resigned, expelled, thrown up).
        scores: for each seat a word or two for the strip under the board ("14", "2 of 3").
        outcome: how the game ended, or None while it is going on.
    """

    variant: str
    seats: int
    seat: int | None
    to_act: tuple[int, ...]
    out: tuple[int, ...] = ()
    scores: tuple[str, ...] = ()
    outcome: Outcome | None = None
