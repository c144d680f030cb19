"""Games that computers play for the gallery: the same program plays the same games at every build."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from benchmarks.matches import ComputerPlayer, MatchRules, play_match
from engines import GAMES
from engines.game import Action, Choice, Event, Game, Step, View, hand_of, open_view
from engines.text import Text, join, plain
from opponents import Level, opponent
from renderers.replay import Shot
from renderers.scene import Finale, Scene

NAMES: Final = ("Ann", "Ben", "Cleo", "Dev", "Émile", "田中")
LONGEST: Final = 600
"""The limit on the actions of a game."""


@dataclass(frozen=True, eq=False)
class Played:
    """A game that computers have played against each other.

    Attributes:
        game: the rules.
        first: the state it began with.
        steps: the seat that acted, and the resulting step.
    """

    game: Game[Any, Any]
    first: Any
    steps: Sequence[tuple[int, Step[Any]]]

    @property
    def state(self) -> Any:
        """The state after the last action."""
        return self.steps[-1][1].state if self.steps else self.first

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return NAMES[: self.game.view(self.first).seats]

    def until(self, actions: int) -> "Played":
        """The same game after this many actions."""
        return Played(self.game, self.first, self.steps[:actions])

    def view(self, seat: int | None = None) -> View:
        """What a seat, or everybody, sees at the end."""
        view: View = self.game.view(self.state, seat)
        return view

    def events(self, seat: int | None = None) -> tuple[Event, ...]:
        """The events of the last action that a seat, or everybody, may know."""
        return tuple(event for event in self.steps[-1][1].events if event.known_to(seat)) if self.steps else ()

    def finale(self) -> Finale | None:
        """The result, or None while the game goes on."""
        outcome = self.game.outcome(self.state)
        return None if outcome is None else Finale(winners=tuple(outcome.winners), drawn=not outcome.winners)

    def scene(self, **rest: Any) -> Scene:
        """The scene of the public picture."""
        return Scene(**({"names": self.names, "events": self.events(), "finale": self.finale()} | rest))

    def words(self, seat: int | None = None) -> str:
        """What a seat, or everybody, sees, as a screen reader reads it."""
        view = self.view(seat)
        told = [text for text in (hand_of(self.game, view), self.game.describe(view)) if text is not None]
        return with_names(join(told), self.names)

    def shot(self, number: int) -> Shot:
        """One step of the replay, with everything revealed."""
        step = self.steps[number - 1][1] if number else None
        view = open_view(self.game, self.first if step is None else step.state)
        return Shot(view, () if step is None else tuple(step.events))

    def choices(self, seat: int, prefix: Action = ()) -> tuple[Choice, ...]:
        """What a seat can choose."""
        return tuple(self.game.choices(self.state, seat, prefix))


def with_names(text: Text | str, names: Sequence[str]) -> str:
    """A text with these names instead of the colours of the seats."""
    words = text if isinstance(text, Text) else plain(text)
    return words.render(name=lambda seat: names[seat] if seat < len(names) else None)


def play(
    game_id: str, seats: int, seed: str, *, variant: str | None = None, level: Level = Level.EASY, actions: int = LONGEST
) -> Played:
    """Have computers play a game to its end, or for this many actions."""
    terms = MatchRules(GAMES[game_id], seats, variant, longest=actions)
    steps: list[tuple[int, Step[Any]]] = []
    play_match(terms, [ComputerPlayer(opponent(game_id, level))] * seats, seed, lambda seat, step: steps.append((seat, step)))
    return Played(terms.game, terms.start(seed), steps)
