"""Pairs of Puck Bumpers games that differ only in cards an observer cannot see."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Final

from engines.chance import Chance, Fair
from engines.game import Action, Option, may_act
from engines.pucks import Pucks
from engines.pucks.board.motion import SCORED
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.text import say

SETUPS: Final[tuple[tuple[int, Mapping[str, str]], ...]] = (
    (2, {}), (3, {}), (4, {}), (6, {}), (2, {"colours": "2"}), (3, {"to-win": "2"}), (4, {"without": "mats"}),
    (3, {"without": "whistle"}),
)  # fmt: skip
"""Numbers of players and house rules, as far as this game has them."""
ACTIONS: Final = 70
TOP: Final = 12
"""Cards on top of the draw pile that half of the pairs have in common, so that they can go on after somebody draws."""


@dataclass(frozen=True)
class Pair:
    """Two states, `here` and `there`, that differ only in what the `observer`'s seat and spectators cannot know.

    Everything follows from `number`.
    """

    number: int
    observer: int
    here: State
    there: State

    @property
    def dice(self) -> random.Random:
        return random.Random(f"pair {self.number}")


def pair(game: Pucks, number: int) -> Pair:
    """The pair with this number: a position from a random game, often with one player a goal away from winning."""
    dice = random.Random(number)
    usable = [setup for setup in SETUPS if set(setup[1]) <= set(game.options)]
    seats, options = usable[number % len(usable)]
    while True:
        state = dice.choice(positions(game, seats, tuple(options.items()), number // (8 * len(usable))))
        if dice.random() < 0.5:
            state = nearly_won(game, state, dice) or state
        observer = dice.randrange(seats)
        if known_apart(state, observer):
            return Pair(number, observer, state, dealt_anew(state, observer, dice))


def known_apart(state: State, observer: int) -> bool:
    """Whether nothing of a hidden hand is known: no card was just taken openly, and no mats wait to be mended."""
    taken = state.last is not None and state.last.card == "salvage" and state.last.seat != observer
    return not taken and (state.whole or state.to_move == observer)


@cache
def positions(game: Pucks, seats: int, options: tuple[tuple[str, str], ...], number: int) -> tuple[State, ...]:
    dice = random.Random(f"{seats} {options} {number}")
    seed = dice.randbytes(32)
    setup = "random" if dice.random() < 0.9 else "draft"
    state = game.start(seats, "standard", Fair(seed), setup=setup, **dict(options))
    found = [state]
    while len(found) < ACTIONS and game.outcome(state) is None:
        seat = dice.choice(may_act(game, state) if dice.random() < 0.15 else game.to_act(state))
        state = game.play(state, seat, walked(game, state, seat, dice)).state
        found.append(state)
    return tuple(state for state in found if game.outcome(state) is None)


def walked(game: Pucks, state: State, seat: int, dice: random.Random, without: Iterable[str] = ()) -> Action:
    """A random legal action, if possible not one that begins with one of the words in `without`."""
    action: Action = ()
    while True:
        offered = game.choices(state, seat, action)
        if not action:
            offered = [choice for choice in offered if choice.token not in set(without)] or offered
        choice = dice.choice(offered)
        action = (*action, choice.token)
        if choice.final:
            return action


def nearly_won(game: Pucks, state: State, dice: random.Random) -> State | None:
    """The same state with all pucks but one scored, and that one a slide away from a goal."""
    if state.phase is not Phase.ACT or state.winning or state.taken >= state.allowed or not state.whole:
        return None
    pucks = [piece for piece in state.pieces_of(state.to_move) if state.pieces[piece].kind is PieceKind.PUCK]
    last, rest = pucks[0], pucks[1 : state.needed]
    spaces = [space for space in range(len(state.grid().points)) if space not in state.table.places]
    for space in dice.sample(spaces, min(40, len(spaces))):
        places = list(state.table.places)
        places[last] = space
        for piece in rest:
            places[piece] = SCORED
        tried = state.with_table(replace(state.table, places=tuple(places), previous=None))
        if winning_move(game, tried) is not None:
            return tried
    return None


def winning_move(game: Pucks, state: State) -> Action | None:
    """A move that wins, or would unless somebody whistles."""
    seat = state.to_move
    for action in moves_of(game, state, seat):
        after = game.play(state, seat, action).state
        if seat in after.winning or game.outcome(after) is not None:
            return action
    return None


def moves_of(game: Pucks, state: State, seat: int, prefix: Action = ()) -> list[Action]:
    found: list[Action] = []
    for choice in game.choices(state, seat, prefix):
        if choice.token.startswith(("play", "end", "m", "i")):
            continue
        action = (*prefix, choice.token)
        found += [action] if choice.final else moves_of(game, state, seat, action)
    return found


def dealt_anew(state: State, observer: int, dice: random.Random) -> State:
    """The state with unseen cards dealt anew in any way that keeps their numbers.

    The deal is arbitrary, since the tests shall find out whatever depends on hands. Half of the pairs keep the top of the draw
    pile, so that a draw does not reveal which of the two it is.
    """
    top = state.draw_pile[-TOP:] if dice.random() < 0.5 else ()
    hidden = [seat for seat in range(state.seats) if seat != observer]
    cards = [card for seat in hidden for card in state.hands[seat]]
    cards += state.draw_pile[: len(state.draw_pile) - len(top)]
    dice.shuffle(cards)
    hands = list(state.hands)
    for seat in hidden:
        count = len(state.hands[seat])
        hands[seat], cards = tuple(cards[:count]), cards[count:]
    return replace(state, hands=tuple(hands), draw_pile=(*cards, *top))


class Deals:
    """Starts a game from a position of its own, chosen by the pair number in the table option `deal`."""

    def __init__(self) -> None:
        self.states: dict[str, State] = {}


def beginning_with(rules: type[Pucks], deals: Deals) -> Pucks:
    class Dealt(rules):  # type: ignore[misc, valid-type]  # any of the rules that are compared
        options: ClassVar[Mapping[str, Option]] = {**rules.options, "deal": Option(say("Cards"), ("none",), check=str)}

        def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> Any:
            dealt = deals.states.get(options["deal"])
            if dealt is None:  # the picture of a game before it begins
                return super()._start(seats, variant, chance, options)
            return replace(dealt, edition=rules.rules, chance=chance)

    return Dealt()
