"""What a player can know of an action before playing it.

A player knows the board and the own hand. So whether the own turn goes on is certain, and what a move or a card of the own turn
does; not what is drawn, whether somebody else's turn goes on, nor whether anybody has a whistle for a win.
"""

from engines.game import Action, Step
from engines.pucks.state import State
from engines.pucks.turns import asked


def is_certain(state: State, seat: int, action: Action, step: Step[State]) -> bool:
    """Whether a seat that plays an action can know beforehand that it leads to this step."""
    after = step.state
    if (after.chance, after.draw_pile) != (state.chance, state.draw_pile):
        return False
    if action[:2] == ("play", "whistle"):
        # It gives the turn back to somebody whose hand decides whether there is anything left to do in it.
        return False
    return not after.winning or not any(after.hands[other] for other in asked(after) if other != seat)
