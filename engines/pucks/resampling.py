"""States that a seat cannot tell from a given one: the hands that it does not see and the draw pile, dealt again.

Something about the other hands follows from what everybody can see. If a turn goes on although no action is left, its player
holds a card that costs nothing; if the mats do not hang together, a card that can mend them; if a win waits, somebody holds a
whistle. States that are dealt again agree with that.
"""

from collections import Counter

from engines.chance import Chance
from engines.pucks import turns
from engines.pucks.deck import CardId
from engines.pucks.quick import taken_back
from engines.pucks.state import Hands, State, can_mend
from engines.pucks.views import Phase
from engines.values import replace

_TRIES = 20


def resampled(state: State, seat: int | None, chance: Chance) -> State:
    """A state, drawn with `chance`, that a seat (None: a spectator) cannot tell from the given one.

    A finished game is returned as it is, because that it is over can reveal who held no whistle.
    """
    if turns.outcome(state) is not None:
        return state
    for _ in range(_TRIES):
        dealt, chance = _dealt(state, seat, _known(state), chance)
        if _agrees(state, dealt):
            return dealt
    return _dealt(state, seat, _fixed_to_agree(state), chance)[0]


def _known(state: State) -> dict[int, Counter[CardId]]:
    """The cards that everybody knows to be in each hand: one that has just been taken from the discard pile."""
    taken = None if state.last is None else taken_back(state.last)
    return {} if taken is None or state.last is None else {state.last.seat: Counter([taken])}


def _fixed_to_agree(state: State) -> dict[int, Counter[CardId]]:
    """The cards to leave in place so that a deal certainly agrees: the hand of the seat to move, and a whistle for the win."""
    held = _known(state) | {state.to_move: Counter(state.hands[state.to_move])}
    whistlers = [other for other in turns.answerers(state) if "whistle" in state.hands[other]]
    if whistlers:
        held[whistlers[0]] = held.get(whistlers[0], Counter()) | Counter(["whistle"])
    return held


def _dealt(state: State, seat: int | None, fixed: dict[int, Counter[CardId]], chance: Chance) -> tuple[State, Chance]:
    """The state with the draw pile and all hands but the seat's own dealt again; `fixed` cards stay in their hands."""
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
    """Whether the game waits for the same seats, and for the same thing, in both states."""
    if turns.answerers(dealt) != turns.answerers(state):
        return False
    if dealt.phase is not Phase.ACT or dealt.winning:
        return True
    if not dealt.whole:
        return can_mend(dealt, dealt.hands[dealt.to_move], dealt.taken)
    return turns.advance(dealt, []) == dealt
