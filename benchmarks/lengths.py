"""How long a game against a computer lasts, and whether the computer plays on or goes to and fro.

`python -m benchmarks.lengths [NAMES] [--games N] [--level LEVEL]`. A name is that of a game or of a variant ("bouncers",
"bouncers/8x8-12"). Each of `PERSONS` plays in the place of a person, on either seat by turns.

The figures under *Practise alone* (`bot.features.computers.messages.OWN_TURNS`) are those of `told`. A move *comes back* if it
leads to a position that has come before in the same game.
"""

import argparse
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean, median, quantiles
from typing import Any, Final

from benchmarks.figures import number
from benchmarks.matches import Asked, Computer, Player, Terms, play_match, random_player
from benchmarks.page import aligned
from engines import GAMES
from engines.game import Action, Step
from opponents import LEVELS, Level, opponent
from opponents.bouncers.paths import position_of

CARELESS: Final = 0.25
"""The share of a newcomer's actions that are chosen without a look at the board."""

TOLD: Final = 60
"""How many games of each person the figures rest on that people are told."""

_HEADER: Final = (
    "game", "person", "games", "own turns: median, quarters", "person’s share", "drawn by repetition", "other draws",
    "comes back", "seconds a choice: mean, worst",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who has just learnt the game: plays as the easy computer, and every now and then just anything."""

    easy: Computer

    def __call__(self, asked: Asked) -> Action | None:
        """What they play."""
        careless = asked.waited_for and Random(f"{asked.stream} careless").random() < CARELESS
        return random_player(asked) if careless else self.easy(asked)


PERSONS: Final[Mapping[str, Callable[[str], Player]]] = {
    "newcomer": lambda game_id: Newcomer(Computer(opponent(game_id, Level.EASY))),
    "easy": lambda game_id: Computer(opponent(game_id, Level.EASY)),
    "medium": lambda game_id: Computer(opponent(game_id, Level.MEDIUM)),
}
"""The players in the place of a person, for a game."""

_TURN: Final[Mapping[str, Callable[[Any], Any]]] = {
    "bunny": lambda state: state.turn,
    "pucks": lambda state: state.turn_of,
}
"""What tells whose turn a state is in, for the games in which a turn may take several actions. In others each action is one."""

_POSITION: Final[Mapping[str, Callable[[Any], Hashable]]] = {
    "bouncers": position_of,
    "bunny": lambda state: (state.field, state.bunnies, state.carrots, state.turn, state.phase),
    "pucks": lambda state: (state.table.mats, state.table.places, state.turn_of),
}
"""What tells the positions of a game apart, hands and shocks left out, for the games in which one can come back."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of one game.

    Attributes:
        own: how many turns the person had.
        actions: how many actions the computer played.
        back: how many of these led to a position that had come before.
        share: what the person has of the game.
        drawn: why nobody has won; None if somebody has.
        seconds: how long each choice of the computer took, of one core.
    """

    own: int
    actions: int
    back: int
    share: float
    drawn: str | None
    seconds: tuple[float, ...]


@dataclass(slots=True)
class _Counting:
    """Counts as a game goes on.

    Attributes:
        game_id: the game.
        state: the newest state.
        turns: how many turns each seat has had.
        actions: how many actions each seat has played.
        back: how many of these led to a position that had come before.
        whose: whose turn the last action was in.
        seen: the positions that have come.
    """

    game_id: str
    state: Any
    turns: list[int] = field(default_factory=lambda: [0, 0])
    actions: list[int] = field(default_factory=lambda: [0, 0])
    back: list[int] = field(default_factory=lambda: [0, 0])
    whose: Any = None
    seen: set[Hashable] = field(default_factory=set)

    def __call__(self, seat: int, step: Step[Any]) -> None:
        """Count an action."""
        turn, position = _TURN.get(self.game_id), _POSITION.get(self.game_id)
        self.actions[seat] += 1
        if turn is None:
            self.turns[seat] += 1
        elif (whose := turn(self.state)) != self.whose:
            self.whose = whose
            self.turns[seat] += 1
        if position is not None:
            before, after = position(self.state), position(step.state)
            self.back[seat] += after != before and after in self.seen
            self.seen.add(before)
        self.state = step.state


def play(terms: Terms, person: str, level: Level, index: int) -> Course:
    """Play a game of two; the person sits on the first seat if the index is even."""
    game, seat, seed = terms.game, index % 2, f"{terms.variant} {person} {level} {index}"
    players: list[Player] = [PERSONS[person](game.id), Computer(opponent(game.id, level))]
    counting = _Counting(game.id, terms.start(seed))
    match = play_match(terms, players if seat == 0 else players[::-1], seed, counting)
    outcome = game.outcome(counting.state)
    drawn = "too long" if outcome is None else None if len(outcome.winners) == 1 else str(outcome.reason)
    other = 1 - seat
    return Course(
        counting.turns[seat], counting.actions[other], counting.back[other], match.shares[seat], drawn, match.seconds[other]
    )


def courses(terms: Terms, person: str, games: int, level: Level = Level.EASY) -> list[Course]:
    """Play so many games."""
    return [play(terms, person, level, index) for index in range(games)]


def told(game_id: str, games: int = TOLD) -> tuple[int, int]:
    """What people are told about a person's own turns against the easy computer in a game's usual variant.

    Of the games of all `PERSONS`: the median, and the most that nine in ten of them take.
    """
    terms = terms_of(game_id, GAMES[game_id].variants[0])
    own = [course.own for person in PERSONS for course in courses(terms, person, games)]
    return round(median(own)), round(quantiles(own, n=10)[-1])


def row(name: str, person: str, courses: Sequence[Course]) -> tuple[str, ...]:
    """A row of the table."""
    drawn = [course.drawn for course in courses if course.drawn is not None]
    repeated = sum("three times" in reason for reason in drawn)
    low, middle, high = quantiles((course.own for course in courses), n=4)
    seconds = [each for course in courses for each in course.seconds]
    back, actions = (sum(values) for values in zip(*((course.back, course.actions) for course in courses), strict=True))
    return (
        name, person, f"{len(courses)}", f"{number(middle)} ({number(low)} – {number(high)})",
        f"{number(100 * fmean(course.share for course in courses))} %", f"{repeated}", f"{len(drawn) - repeated}",
        f"{100 * back / actions:.2f} %", f"{number(fmean(seconds))}, {number(max(seconds))}",
    )  # fmt: skip


def terms_of(game_id: str, variant: str) -> Terms:
    """A game of two without an opening that is drawn at random, as people begin it."""
    return Terms(GAMES[game_id], variant=variant)


def named(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The games and variants with these names; all if there are none."""
    for game in GAMES.values():
        if 2 in game.seats:
            yield from (
                (game.id, variant)
                for variant in game.variants
                if not names or any(f"{game.id}/{variant}/".startswith(f"{name}/") for name in names)
            )


def main(arguments: list[str] | None = None) -> int:
    """Play, and print a table. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lengths", description="Measure how long practice games last.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which games; all unless some are named")
    parser.add_argument("--games", type=int, default=100, help="how many games each person plays")
    parser.add_argument("--level", type=Level, choices=LEVELS, default=Level.EASY, help="the level of the computer")
    asked = parser.parse_args(arguments)
    rows = []
    for game_id, variant in named(asked.names):
        played = {person: courses(terms_of(game_id, variant), person, asked.games, asked.level) for person in PERSONS}
        everybody = [course for each in played.values() for course in each]
        rows += [row(f"{game_id}/{variant}", person, each) for person, each in [*played.items(), ("all", everybody)]]
        print("\n".join(" | ".join(cells) for cells in rows[-len(played) - 1 :]), file=sys.stderr, flush=True)
    print(aligned([_HEADER, *rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
