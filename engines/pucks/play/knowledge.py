"""What a seat knows: its view, the actions that it can foresee, and the states that it cannot tell apart.

A seat knows the board, its own hand, and the sizes of the other hands. So all effects of an action are certain except draws and
shuffles. All hands of the same size are equally likely, with two exceptions that everybody knows of: a player who has just
taken a card from the discard pile holds that card, and a player who has left mats unconnected holds a card that can mend them.

In version 1 of the rules, hands also decide whether a turn goes on and whether a win is final, so the course of the game
reveals more. If a turn goes on although no action is left, its player holds a card that costs nothing. If a win waits, a player
holds a Whistle. When states of such games are dealt again, the new hands agree with these facts.
"""

from collections import Counter

from engines.chance import Chance
from engines.game import Action, Step
from engines.pucks.board.board import space_name
from engines.pucks.board.deck import CardId
from engines.pucks.board.house import board_code
from engines.pucks.board.motion import BESIDE, SCORED
from engines.pucks.board.state import Hands, State, can_mend, scored_by
from engines.pucks.board.views import Phase, Placed, PucksView
from engines.pucks.play import turns
from engines.text import say
from engines.values import replace

_TRIES = 20


def view_of(state: State, seat: int | None) -> PucksView:
    """Return the board, a seat's own hand (a spectator, None, has none), and the sizes of the other hands and the draw pile."""
    points = state.grid().points
    table = state.table
    where = list(zip(state.pieces, table.places, strict=True))
    acting, needed = state.phase is Phase.ACT, state.needed
    return PucksView(
        variant=state.variant,
        seats=state.seats,
        seat=seat,
        to_act=turns.to_act(state),
        out=state.out,
        scores=tuple(say("{n} of {needed}", n=scored_by(state, other), needed=needed) for other in range(state.seats)),
        outcome=turns.outcome(state),
        colours=state.colours,
        board=board_code(state.house, state.seats * state.colours),
        without=state.house.without,
        mats=table.mats,
        pieces=tuple(Placed(piece, space_name(space), points[space]) for piece, space in where if space >= 0),
        beside=tuple(piece for piece, space in where if space == BESIDE),
        scored=tuple(piece for piece, space in where if space == SCORED),
        needed=needed,
        hand_sizes=tuple(len(state.hand(other)) for other in range(state.seats)),
        hand=() if seat is None else state.hand(seat),
        hand_limit=state.hand_limit,
        draw_pile=len(state.draw_pile),
        discard=state.discard,
        edge=state.edge,
        draw_rule=table.draw_rule,
        action_rule=table.action_rule,
        ongoing=table.ongoing,
        net_off=table.net_off,
        borrowed=table.borrowed,
        to_move=state.to_move,
        phase=state.phase,
        taken=state.taken if acting else 0,
        allowed=state.allowed if acting else 0,
        direction=state.direction,
        whole=state.whole,
        winning=state.winning[0] if state.winning else None,
        passed=state.passed,
        answerable=None if state.last is None else state.last.seat,
    )


def is_certain(state: State, seat: int, action: Action, step: Step[State]) -> bool:
    """Whether a seat can know, before it plays an action, that the action leads to this step."""
    after = step.state
    if (after.chance, after.draw_pile) != (state.chance, state.draw_pile):
        return False
    return not state.looks_into_hands or _is_certain_at_first(after, seat, action)


def _is_certain_at_first(after: State, seat: int, action: Action) -> bool:
    """Whether `is_certain` holds in version 1 of the rules, for an action that draws nothing."""
    if action[:2] == ("play", "whistle"):
        # It gives the turn back to a player whose hand decides whether the turn goes on.
        return False
    if not after.winning or after.last is None:
        return True
    apart = {seat, after.winning[0], after.last.seat, *after.passed}
    return not any(after.hands[other] for other in after.live if other not in apart)


def resample_state(state: State, seat: int | None, chance: Chance) -> State:
    """Return a random state that a seat, or a spectator (None), cannot tell from this one. Ended games of version 1 stay."""
    if state.looks_into_hands and turns.outcome(state) is not None:
        return state
    known = _known_cards(state)
    for _ in range(_TRIES):
        dealt, chance = _deal_again(state, seat, known, chance)
        if _agrees(state, dealt):
            return dealt
    return _deal_to_agree(state, seat, known, chance)


def _known_cards(state: State) -> dict[int, Counter[CardId]]:
    """Return what everybody knows of each hand: a card that has just been taken from the discard pile."""
    last = state.last
    if last is None or last.taken is None or not last.kept:
        return {}
    return {last.seat: Counter([last.taken]) & Counter(state.hands[last.seat])}


def _deal_to_agree(state: State, seat: int | None, known: dict[int, Counter[CardId]], chance: Chance) -> State:
    """Return a deal that fits the public facts, with one card placed in one hand on purpose.

    The card goes to the player in turn or, if a seat is being asked for a Whistle, that seat gets a Whistle. The card is chosen
    from all the cards that `seat` cannot see, whoever holds them, so the choice reveals nothing. Only positions written by hand
    may allow no such deal; then any deal is returned.
    """
    asked = turns.answerers(state)
    if state.looks_into_hands and asked:
        known = {**known, asked[0]: known.get(asked[0], Counter()) | Counter(["whistle"])}
    held = known.get(state.to_move, Counter())
    dealt = state
    for card_id in sorted(set(_loose_cards(state, seat))):
        dealt, chance = _deal_again(state, seat, {**known, state.to_move: held | Counter([card_id])}, chance)
        if _agrees(state, dealt):
            break
    return dealt


def _loose_cards(state: State, seat: int | None) -> list[CardId]:
    """Return the cards that a seat cannot see, in an order that does not reveal where they are."""
    hands = (hand for other, hand in enumerate(state.hands) if other != seat)
    return sorted((*state.draw_pile, *(held for hand in hands for held in hand)))


def _deal_again(state: State, seat: int | None, fixed: dict[int, Counter[CardId]], chance: Chance) -> tuple[State, Chance]:
    """Return the state with the draw pile and all hands but the seat's own dealt again. `fixed` cards go to their hands."""
    loose = Counter(_loose_cards(state, seat))
    kept: list[list[CardId]] = []
    for other, hand in enumerate(state.hands):
        stay = Counter[CardId]() if other == seat else fixed.get(other, Counter()) & loose
        kept.append(list(stay.elements())[: len(hand)])
        loose -= Counter(kept[-1])
    shuffled, chance = chance.shuffle(sorted(loose.elements()))
    hands: list[tuple[CardId, ...]] = []
    for other, hand in enumerate(state.hands):
        missing = 0 if other == seat else len(hand) - len(kept[other])
        hands.append(hand if other == seat else (*kept[other], *shuffled[:missing]))
        shuffled = shuffled[missing:]
    dealt: Hands = tuple(hands)
    return replace(state, hands=dealt, draw_pile=shuffled), chance


def _agrees(state: State, dealt: State) -> bool:
    """Whether the public facts are possible with the hands that were dealt."""
    if state.looks_into_hands and turns.answerers(dealt) != turns.answerers(state):
        return False
    if dealt.phase is not Phase.ACT or dealt.winning:
        return True
    if not dealt.whole:
        return can_mend(dealt, dealt.hands[dealt.to_move], dealt.taken)
    return not state.looks_into_hands or turns.advance(dealt, []) == dealt
