"""The values that a game takes and returns: steps and their events, shortcuts, options, views, illustrations."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engines.actions import Action
from engines.chance import Chance
from engines.text import Text, echoed, join, plain, say, seat_name


class HasChance(Protocol):
    """The attribute that all states have in common."""

    @property
    def chance(self) -> Chance:
        """The stream from which the next draw comes."""


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Saying:
    """Words that a module's function makes from immutable values when they are read. A reader may know all these values."""

    words: Callable[..., Text]
    values: tuple[Any, ...]


def later(words: Callable[..., Text], *values: Any) -> Saying:
    """Return the words of an event, to be put together by `words(*values)` when they are read."""
    return Saying(words, values)


@dataclass(frozen=True, slots=True)
class Tally:
    """A phrase that tells of several events of a seat at once: "places 4 pieces". This event counts as `number` of them."""

    words: Callable[[int], Text]
    number: int = 1


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game, described for people.

    Attributes:
        kind: the game's own name for this kind of event ("move", "capture", "bump").
        said: one short sentence. If `phrased`, it lacks its subject, which is `seat`, and its full stop, so that several such
            sentences about one player can be joined into one.
        private_to: the only seat that may know of it, or None if the event is public.
        detail: an immutable value of the game's own type, from which a picture can show the event, or None. It holds no secret
            from a reader of the event.
        major: whether this is the event to tell if only one of the turn is told: a capture, a goal, a win at hand, a rule.
        decisive: whether it decides the game unless it is answered: a win at hand, the goal that wins.
        routine: whether no reader would miss it: the card drawn first, the end of the turn, a card that another event explains.
        affects: the other seats whose pieces, score, cards, turn or rules it changed.
        tally: the phrase for several such events of the seat, or None if each of them is told.
        pending: whether it tells what is still to be settled, so that it is no news once the game is over.
    """

    kind: str
    seat: int | None
    said: str | Saying
    private_to: int | None = None
    detail: Any = None
    phrased: bool = False
    major: bool = False
    decisive: bool = False
    routine: bool = False
    affects: tuple[int, ...] = ()
    tally: Tally | None = None
    pending: bool = False

    @property
    def text(self) -> str:
        """The event as one short sentence."""
        said = self._words()
        return say("{who} {did}.", who=seat_name(self.seat), did=said) if self.phrased and self.seat is not None else said

    @property
    def phrase(self) -> str | None:
        """The sentence without its subject and its full stop ("plays Take 3"), or None if its subject is not the seat."""
        return self._words() if self.phrased else None

    def _words(self) -> str:
        return self.said.words(*self.said.values) if isinstance(self.said, Saying) else self.said

    def known_to(self, seat: int | None) -> bool:
        """Whether this seat, or a spectator (None), may know of the event."""
        return self.private_to is None or self.private_to == seat


def deed(
    kind: str,
    seat: int,
    phrase: Text | Saying,
    *,
    detail: Any = None,
    major: bool = False,
    decisive: bool = False,
    routine: bool = False,
    affects: Iterable[int] = (),
    tally: Tally | None = None,
) -> Event:
    """Return a public event that a seat caused, from a phrase without a subject: "plays Take 3" for "Ann plays Take 3."."""
    return Event(
        kind, seat, phrase, detail=detail, phrased=True, major=major or decisive, decisive=decisive, routine=routine,
        affects=tuple(affects), tally=tally,
    )  # fmt: skip


def others(seats: Iterable[int], but: int) -> tuple[int, ...]:
    """Return each of these seats once, in order, without the one that acted."""
    return tuple(sorted({*seats} - {but}))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winning seats (none, or several that share the win) and the reason, in words."""

    winners: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The result of an action: the state after it, and the events that led there, in order."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A whole action that can be offered as a public button under the board."""

    action: Action
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that is chosen when a table is opened, in addition to the variant.

    Attributes:
        values: the values that are listed; the first is the default.
        check: for a setting that can also hold free text, a function that takes a text not in `values`. It returns the text's
            normal form, which is kept and compared, or raises ValueError with a `Text` that says what is wrong and what is
            possible.
        suggestions: free texts worth offering, in normal form.
        hint: the notation of a free text, for a player who has never seen one.
        parts: if a free text joins words by ``+``, these words with an explanation of each, in groups of at most 25.
        told: a function that puts a value into a few words, as one of the terms that players agree on. It also takes all
            options in normal form. Without it, the value is told as it is written.
    """

    title: str
    values: tuple[str, ...]
    check: Callable[[str], str] | None = None
    suggestions: tuple[str, ...] = ()
    hint: str = ""
    parts: tuple[Mapping[str, str], ...] = ()
    told: Callable[[str, Mapping[str, str]], Text] | None = None

    def words(self, value: str, options: Mapping[str, str]) -> Text:
        """Return a value in a few words. `options` are those together with which it is chosen."""
        return say("{title}: {value}", title=self.title, value=value) if self.told is None else self.told(value, options)


def normal_values(offered: Mapping[str, Option], given: Mapping[str, str]) -> dict[str, str]:
    """Return the given options in normal form, without default values. Raises ValueError with a `Text` on what is possible."""
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
    """Return the colours of a seat that has `each` of them: the one with its number, then every `seats`-th one after it."""
    return tuple(range(seat, seats * each, seats))


@dataclass(frozen=True, kw_only=True)
class View:
    """What one seat, or a spectator (None), knows about a state, and nothing else. Each game adds its own board.

    Attributes:
        seat: the seat whose view this is, or None for a spectator's view.
        to_act: the seats for which the game is waiting; empty when it is over.
        out: the seats that no longer take part (resigned, expelled, thrown up).
        scores: for each seat, a word or two for the strip under the board ("14", "2 of 3").
        colours: the number of colours of each seat; see `colours_of`.
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
        """Return the colours that a seat plays; see `colours_of` of this module."""
        return colours_of(seat, self.seats, self.colours)

    def seats_after(self, seat: int, direction: int = 1) -> tuple[int, ...]:
        """Return the other seats still playing, in order round the table after `seat` or, if `direction` is -1, backwards."""
        round_table = ((seat + direction * step) % self.seats for step in range(1, self.seats))
        return tuple(other for other in round_table if other not in self.out)

    @property
    def begun_with(self) -> Text | None:
        """The start of the game, for players who want to play from there again, or None if it is the usual one."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """A picture on a rules page. A page names it in a line of its own: ``![A capture](capture)``.

    Attributes:
        position: the position at first, as `Game.from_position` reads it, or None for the start of a game.
        actions: the actions that are then played, each with its seat. The picture shows all of them as just played.
        chance: the draws meanwhile, as `engines.chance.Scripted` takes them, so that a die that shows 4 is 3.
        seat: the seat whose view is shown, or None for a spectator's view.
        picking: the tokens of its next action that `seat` has picked so far, or None. If it is not None, the tokens that may
            come next are marked.
        variant, seats: what a game starts with. None means the default variant or the largest number of seats.
    """

    position: Mapping[str, Any] | None = None
    actions: tuple[tuple[int, Action], ...] = ()
    chance: tuple[int, ...] = ()
    seat: int | None = None
    picking: Action | None = None
    variant: str | None = None
    seats: int | None = None


def figure(name: str, alt: Text) -> Text:
    """Return the line that puts an illustration, described in words, on a page made from data (see `Pages.pages`)."""
    return join([plain("!["), alt, plain(f"]({name})")], "")
