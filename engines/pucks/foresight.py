"""What a player can know of an action before playing it.

A player knows the board and the own hand, and how many cards the others hold. So everything that an action does is certain but
what is drawn or shuffled.

In the first version of the rules it depended on hands, too, whether somebody else's turn went on and whether a win was final.
"""

from engines.game import Action, Step
from engines.pucks.state import State


def is_certain(state: State, seat: int, action: Action, step: Step[State]) -> bool:
    """Whether a seat that plays an action can know beforehand that it leads to this step."""
    after = step.state
    if (after.chance, after.draw_pile) != (state.chance, state.draw_pile):
        return False
    return not state.looks_into_hands or _is_certain_at_first(after, seat, action)


def _is_certain_at_first(after: State, seat: int, action: Action) -> bool:
    """The same in the first version of the rules, for an action that draws nothing."""
    if action[:2] == ("play", "whistle"):
        # It gives the turn back to somebody whose hand decides whether there is anything left to do in it.
        return False
    if not after.winning or after.last is None:
        return True
    apart = {seat, after.winning[0], after.last.seat, *after.passed}
    return not any(after.hands[other] for other in after.live if other not in apart)
