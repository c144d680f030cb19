"""What people are told about how long a practice game takes is what games of computers take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import median, quantiles
from typing import Any

import pytest

from benchmarks.matches import ComputerPlayer, MatchRules, Player, Request, play_match, random_player
from bot.features.computers.messages import OWN_TURNS
from engines import GAMES
from engines.game import Action, Step
from opponents import Level, opponent

CARELESS = 0.25
"""The share of a newcomer's actions that are chosen without a look at the board."""
GAMES_EACH, FEW = 60, 5
"""The number of games that each person plays: for the figure, and to see that it is about right."""
TURN: Mapping[str, Callable[[Any], Any]] = {"bunny": lambda state: state.turn, "pucks": lambda state: state.turn_of}
"""Whose turn it is in a state, for games whose turns may take several actions. In the others each action is a turn."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Plays as the easy computer, and every now and then at random."""

    easy: ComputerPlayer

    def __call__(self, asked: Request) -> Action | None:
        careless = asked.waited_for and Random(f"{asked.stream} careless").random() < CARELESS
        return random_player(asked) if careless else self.easy(asked)


PERSONS: Mapping[str, Callable[[str], Player]] = {
    "newcomer": lambda game_id: Newcomer(ComputerPlayer(opponent(game_id, Level.EASY))),
    "easy": lambda game_id: ComputerPlayer(opponent(game_id, Level.EASY)),
    "medium": lambda game_id: ComputerPlayer(opponent(game_id, Level.MEDIUM)),
}
"""The players in the place of a person, for a game."""


def own_turns(game_id: str, person: str, number: int) -> tuple[int, int]:
    """The person's turns and actions in a game against the easy computer; they sit on the first seat if the number is even."""
    rules, seat = MatchRules(GAMES[game_id], variant=GAMES[game_id].variants[0]), number % 2
    seed = f"{rules.variant} {person} {Level.EASY} {number}"
    turn, state, turns = TURN.get(game_id), rules.start(seed), list[tuple[int, Any]]()

    def watch(mover: int, step: Step[Any]) -> None:
        nonlocal state
        turns.append((mover, len(turns) if turn is None else turn(state)))
        state = step.state

    players: list[Player] = [PERSONS[person](game_id), ComputerPlayer(opponent(game_id, Level.EASY))]
    play_match(rules, players if seat == 0 else players[::-1], seed, watch)
    begun = [mover for (_, before), (mover, now) in pairwise([(-1, None), *turns]) if before != now]
    return begun.count(seat), sum(mover == seat for mover, _ in turns)


def some_games(game_id: str, each: int) -> list[int]:
    """How many turns the persons have in this many games each."""
    return [own_turns(game_id, person, number)[0] for person in PERSONS for number in range(each)]


@pytest.mark.proof
@pytest.mark.parametrize("game_id", OWN_TURNS)
def test_people_are_told_how_long_games_are(game_id: str) -> None:
    own = some_games(game_id, GAMES_EACH)
    assert (round(median(own)), round(quantiles(own, n=10)[-1])) == OWN_TURNS[game_id]


@pytest.mark.slow
@pytest.mark.parametrize("game_id", OWN_TURNS)
def test_a_few_games_are_about_as_long_as_people_are_told(game_id: str) -> None:
    middle, most = OWN_TURNS[game_id]
    own = some_games(game_id, FEW)
    assert quantiles(own, n=4)[0] <= middle <= quantiles(own, n=4)[-1]
    assert median(own) < most


def test_people_are_told_how_long_every_game_is() -> None:
    assert set(OWN_TURNS) == set(GAMES)


def test_each_roll_is_a_turn_also_when_the_other_player_is_out() -> None:
    assert all(1 <= own_turns("trampoline", "easy", number)[0] <= 40 for number in range(6))


def test_a_turn_of_several_actions_is_one() -> None:
    assert all(turns < actions for turns, actions in (own_turns("pucks", "easy", number) for number in range(2)))
