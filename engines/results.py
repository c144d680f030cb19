"""What the methods of a game give: steps from state to state, shortcuts, options, and views."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from engines.actions import Action
from engines.chance import Chance
from engines.events import Event, Outcome
from engines.text import Text, echoed, say


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
    """A setting chosen when a table is opened, in addition to the variant.

    Attributes:
        title: what it decides, in words.
        values: the values that are listed; the first is the default.
        check: for a setting that holds free text, too: takes what is none of `values` and returns its normal form, which is
            kept and compared, or raises ValueError with a `Text` that says what is wrong and what is possible.
        suggestions: free texts worth offering, in normal form.
        hint: how a free text is written, for a player who has never seen one.
        parts: for a free text that joins words by ``+``: the words, each with what it is, in groups of at most 25.
        told: puts a value, among all options in normal form, into a few words, as one of the terms that are agreed on; without
            it, the value is told as it is written.
    """

    title: str
    values: tuple[str, ...]
    check: Callable[[str], str] | None = None
    suggestions: tuple[str, ...] = ()
    hint: str = ""
    parts: tuple[Mapping[str, str], ...] = ()
    told: Callable[[str, Mapping[str, str]], Text] | None = None

    def words(self, value: str, options: Mapping[str, str]) -> Text:
        """A value in a few words; `options` are those that it is chosen with."""
        return say("{title}: {value}", title=self.title, value=value) if self.told is None else self.told(value, options)


def normal_values(offered: Mapping[str, Option], given: Mapping[str, str]) -> dict[str, str]:
    """The given options in normal form, without those that have their default value.

    Raises ValueError with a `Text` that says what is wrong and what is possible.
    """
    values = {name: _normal_value(offered, name, value) for name, value in given.items()}
    return {name: value for name, value in values.items() if value != offered[name].values[0]}


def _normal_value(offered: Mapping[str, Option], name: str, value: str) -> str:
    option = offered.get(name)
    if option is not None and value in option.values:
        return value
    if option is not None and option.check is not None:
        return option.check(value)
    choice = offered if option is None else {name: option}
    possible = [f"{n}:{v}" for n, o in choice.items() for v in (*o.values, *([] if o.check is None else ["…"]))]
    wrong = {"name": echoed(name), "value": echoed(value)}
    if not possible:
        raise ValueError(say("There’s no option “{name}:{value}”.", **wrong))
    raise ValueError(say("There’s no option “{name}:{value}”. Pick from: {possible}.", **wrong, possible=", ".join(possible)))


def colours_of(seat: int, seats: int, each: int) -> tuple[int, ...]:
    """The colours of a seat where everybody plays so many: that of its number, then each one as many seats further on."""
    return tuple(range(seat, seats * each, seats))


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
        colours: how many colours each seat plays; see `colours_of`.
    """

    variant: str
    seats: int
    seat: int | None
    to_act: tuple[int, ...]
    out: tuple[int, ...] = ()
    scores: tuple[str, ...] = ()
    outcome: Outcome | None = None
    colours: int = 1

    def colours_of(self, seat: int) -> tuple[int, ...]:
        """The colours that a seat plays; see `colours_of` of this module."""
        return colours_of(seat, self.seats, self.colours)

    @property
    def begun_with(self) -> Text | None:
        """What the game began with, for those who want to play from there again; None: nothing that has to be told."""
        return None
