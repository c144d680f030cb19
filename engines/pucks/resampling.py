"""States that a seat cannot tell from a given one: the hands that it does not see and the draw pile, dealt again.

Which cards somebody holds is nobody else's business, so hands of the same size are as likely one way as the other. Two things
about them everybody knows all the same: whoever has just taken a card from the discard pile holds it, and whoever has left mats
apart holds a card that can mend them.

In the first version of the rules more followed from what everybody could see. If a turn went on although no action was left,
its player held a card that cost nothing; if a win waited, somebody held a whistle. States of such games that are dealt again
agree with that.
"""

from collections import Counter

from engines.chance import Chance
from engines.pucks import turns
from engines.pucks.deck import CardId
from engines.pucks.state import Hands, State, can_mend
from engines.pucks.views import Phase
from engines.values import replace

_TRIES = 20


def resampled(state: State, seat: int | None, chance: Chance) -> State:
    """A state, drawn with `chance`, that a seat (None: a spectator) cannot tell from the given one.

    A finished game by the first version of the rules is returned as it is, because that it is over can reveal who held no
    whistle.
    """
    if state.looks_into_hands and turns.outcome(state) is not None:
        return state
    for _ in range(_TRIES):
        dealt, chance = _dealt(state, seat, _known(state), chance)
        if _agrees(state, dealt):
            return dealt
    return _dealt(state, seat, _fixed_to_agree(state), chance)[0]


def _known(state: State) -> dict[int, Counter[CardId]]:
    """The cards that everybody knows to be in each hand: one that has just been taken from the discard pile."""
    last = state.last
    if last is None or last.taken is None or not last.kept:
        return {}
    return {last.seat: Counter([last.taken])}


def _fixed_to_agree(state: State) -> dict[int, Counter[CardId]]:
    """The cards to leave in place so that a deal certainly agrees."""
    held, mover = _known(state), state.to_move
    if state.looks_into_hands:
        held[mover] = Counter(state.hands[mover])
        whistlers = [other for other in turns.answerers(state) if "whistle" in state.hands[other]]
        if whistlers:
            held[whistlers[0]] = held.get(whistlers[0], Counter()) | Counter(["whistle"])
    else:
        mending = next(card for card in state.hands[mover] if can_mend(state, (card,), state.taken))
        held[mover] = held.get(mover, Counter()) | Counter([mending])
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
    """Whether what everybody can see is possible with the hands that were dealt."""
    if state.looks_into_hands and turns.answerers(dealt) != turns.answerers(state):
        return False
    if dealt.phase is not Phase.ACT or dealt.winning:
        return True
    if not dealt.whole:
        return can_mend(dealt, dealt.hands[dealt.to_move], dealt.taken)
    return not state.looks_into_hands or turns.advance(dealt, []) == dealt
