"""Imagined games of Puck Bumpers. Choices that hardly matter are made at once in them, each by a simple rule."""

from random import Random

from engines.game import Action, Game, resample
from engines.pucks.board.deck import CardId
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase, PucksView
from engines.pucks.play import turns
from engines.values import replace
from opponents.dice import Dice
from opponents.pucks.outlook import HOLDING

Rules = Game[State, PucksView]


def least(hand: tuple[CardId, ...]) -> CardId:
    """Return the card of a hand that is worth the least."""
    return min(hand, key=lambda held: (HOLDING.get(held, 0.0), held))


def simple(state: State, seat: int) -> Action | None:
    """Return a seat's action by a simple rule when the game waits for it, or None if there is something to think about."""
    if seat in turns.answerers(state):
        return ("play", "whistle") if "whistle" in state.hands[seat] else ("pass",)
    if state.phase is Phase.DRAW:
        return ("draw",)
    if state.phase is Phase.DISCARD:
        return ("discard", least(state.hands[seat]))
    return None


def imagine(game: Rules, state: State, seat: int | None, rng: Random) -> State:
    """Return a world with its own dice that a seat, or a spectator (None), cannot tell from the given one."""
    dice = Dice(rng)
    return replace(resample(game, replace(state, chance=dice), seat, dice), chance=dice)


def onward(game: Rules, state: State) -> State:
    """Return the next state in which a seat has something to choose in its turn, or in which the game is over."""
    while seats := turns.to_act(state):
        action = simple(state, seats[0])
        if action is None:
            break
        state = game.advance(state, seats[0], action)
    return state
