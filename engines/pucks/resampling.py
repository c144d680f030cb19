"""Other states that a seat cannot tell from the one there is: hands it does not see and the draw pile, dealt anew.

Some of what is in another hand can be read off what everybody sees: a turn that was not ended has a free card to wait for, a
layout that does not hang together a card to mend it, a win that is not final a whistle. States dealt anew agree with that.
"""

from collections import Counter
from dataclasses import replace

from engines.chance import Chance
from engines.pucks import turns
from engines.pucks.deck import CardId
from engines.pucks.quick import taken_back
from engines.pucks.state import Hands, State, can_mend
from engines.pucks.views import Phase

_TRIES = 20


def resampled(state: State, seat: int | None, chance: Chance) -> State:
    """A state drawn with `chance` that this seat (None: a spectator) cannot tell from the given one.

    A game that is over is left as it is: that it is over may tell who held no whistle.
    """
    if turns.outcome(state) is not None:
        return state
    for _ in range(_TRIES):
        dealt, chance = _dealt(state, seat, _known(state), chance)
        if _agrees(state, dealt):
            return dealt
    return _dealt(state, seat, _telling(state), chance)[0]


def _known(state: State) -> dict[int, Counter[CardId]]:
    """Cards that everybody knows to be in a hand: the one that was just taken from the discard pile."""
    taken = None if state.last is None else taken_back(state.last)
    return {} if taken is None or state.last is None else {state.last.seat: Counter([taken])}


def _telling(state: State) -> dict[int, Counter[CardId]]:
    """What a deal that certainly agrees leaves in place: the hand of who is to move, and a whistle that is waited for."""
    held = _known(state) | {state.to_move: Counter(state.hands[state.to_move])}
    whistlers = [other for other in turns.answerers(state) if "whistle" in state.hands[other]]
    if whistlers:
        held[whistlers[0]] = held.get(whistlers[0], Counter()) | Counter(["whistle"])
    return held


def _dealt(state: State, seat: int | None, fixed: dict[int, Counter[CardId]], chance: Chance) -> tuple[State, Chance]:
    """All hands but the own one and the draw pile are shuffled together and dealt again; fixed cards stay in their hands."""
    kept: list[list[CardId]] = []
    loose: list[CardId] = list(state.draw_pile)
    for other, hand in enumerate(state.hands):
        stay = Counter(hand) if other == seat else fixed.get(other, Counter()) & Counter(hand)
        kept.append(list(stay.elements()))
        loose += (Counter(hand) - stay).elements()
    shuffled, chance = chance.shuffle(loose)
    hands: list[tuple[CardId, ...]] = []
    for other, hand in enumerate(state.hands):
        missing = len(hand) - len(kept[other])
        hands.append(hand if other == seat else (*kept[other], *shuffled[:missing]))
        shuffled = shuffled[missing:]
    dealt: Hands = tuple(hands)
    return replace(state, hands=dealt, draw_pile=shuffled), chance


def _agrees(state: State, dealt: State) -> bool:
    """Whether the game would wait in the dealt state for the same seats and for the same thing as in the given one."""
    if turns.answerers(dealt) != turns.answerers(state):
        return False
    if dealt.phase is not Phase.ACT or dealt.winning:
        return True
    if not dealt.whole:
        return can_mend(dealt, dealt.hands[dealt.to_move], dealt.taken)
    return turns.advance(dealt, []) == dealt
