"""The quick play cards. They cost no action, and any player may play them at any time once all pieces are placed."""

from engines.game import Event, deed
from engines.pucks.board.board import DIRECTIONS, Mats
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.layouts import shape_of, whole
from engines.pucks.board.motion import move
from engines.pucks.board.names import called_by
from engines.pucks.board.pieces import COLOURS, PieceKind
from engines.pucks.board.state import (
    LastAction,
    State,
    Table,
    can_mend,
    next_live,
    owners_carried,
    owners_of_pieces,
    points_of,
    with_hand,
    without,
)
from engines.pucks.board.views import CardPlayed, Phase, Undone, Way, mats_moved
from engines.pucks.cards.piles import draw_cards, in_order, sweep
from engines.steps import others
from engines.text import Text, say, say_n, seat_name
from engines.values import replace

EXTRA_ACTIONS = 1
QUICK_DRAW_CARDS = 2


def possible(state: State, seat: int, card_id: CardId) -> bool:
    """Whether a seat that holds a quick play card may play it now."""
    if state.phase is Phase.PLACE:
        return False
    if card_id == "whistle":
        return state.last is not None and state.last.seat != seat
    if card_id == "u-turn":
        # While the mats do not hang together the turn cannot end, not even by a card.
        return state.whole
    if card_id in {"double", "extra"}:
        return state.phase is Phase.ACT and seat == state.to_move and not state.closed
    return True


def play(state: State, seat: int, card_id: CardId, events: list[Event]) -> State:
    """Return the state after the effect of a quick play card that is already on the discard pile."""
    if card_id == "whistle":
        return _whistle(state, seat, events)
    before = len(events)
    if card_id == "u-turn":
        after = _turned_round(state)
        if state.turn_of is None:
            then = next_live(after, after.to_move, after.direction)
            phrase = say("plays U-Turn: {who} plays after {other}", who=seat_name(then), other=seat_name(after.to_move))
        else:
            then = next_live(after, state.turn_of, after.direction)
            phrase = say("plays U-Turn: the turn ends, and {who} is next", who=seat_name(then))
    elif card_id == "double":
        after = replace(state, doubled=state.doubled + 1, extra=2 * state.extra)
        phrase = say("plays Double Action: {n} actions this turn", n=after.allowed)
    elif card_id == "extra":
        after = replace(state, extra=state.extra + EXTRA_ACTIONS)
        phrase = say("plays Extra Action: {n} actions this turn", n=after.allowed)
    elif card_id == "quick-draw":
        after = draw_cards(state, seat, QUICK_DRAW_CARDS, events, announced=False)
        drawn = len(after.hands[seat]) - len(state.hands[seat])
        phrase = say_n("plays Quick Draw and draws {n} card", "plays Quick Draw and draws {n} cards", drawn)
    else:
        after = sweep(state)
        phrase = say("plays Clean Sweep: the discard pile goes back into the draw pile")
    ended = (state.to_move,) if after.closed and not state.closed and state.phase is not Phase.DRAW else ()
    major, detail = card_id == "u-turn", CardPlayed(card_id, quick=True)
    played = deed("card", seat, phrase, detail=detail, major=major, affects=others(ended, seat))
    events.insert(before, played)
    return after


def _turned_round(state: State) -> State:
    """Return the state after a U-Turn: the turn, if any, is over, and play goes the other way.

    If the next player has not drawn yet, the turn that ends is the one before, and the player who comes after it in the new
    direction draws next.
    """
    state = replace(state, direction=-state.direction)
    if state.turn_of is None:
        return state
    if state.phase is Phase.DRAW:
        state = replace(state, to_move=next_live(state, state.turn_of, state.direction))
    return replace(state, closed=True)


def _whistle(state: State, seat: int, events: list[Event]) -> State:
    """Return the state after a Whistle, in which the table is as it was before the last action.

    That action still counts as taken, and its card is lost. The turn in which it was taken goes on, unless a U-Turn ended it or
    its player left. Cards that have been drawn or discarded since stay where they are.
    """
    last = state.last
    assert last is not None, "the card may be played"
    affected = others({last.seat, *state.winning, *_owners_put_back(state, last)}, seat)
    after = _cards_back(replace(state, last=None, winning=(), passed=()), last)
    borrowed = tuple(other for other in last.before.borrowed if other not in state.out)
    table = replace(last.before, borrowed=borrowed)
    if state.closed:
        if state.phase is Phase.DRAW:
            table = replace(table, borrowed=(), previous=None)
        after = after.with_table(table)
    else:
        after = replace(after, table=table, to_move=last.seat, phase=Phase.ACT)
    phrase = say("plays Whistle: {undone}", undone=_verdict(state, last, after))
    events.append(deed("undo", seat, phrase, detail=_undo(state, last), major=True, affects=affected))
    mending = after.looks_into_hands and not after.closed and can_mend(after, after.hands[last.seat], after.taken)
    return after if after.whole or mending else mats_back(after, events)


def _verdict(state: State, last: LastAction, after: State) -> Text:
    """Return, in words, what a Whistle leads to. If a win or a goal was undone, the words begin with that."""
    undone = _undone(state, last, after)
    if state.winning:
        return say("no win yet! {undone}", undone=undone)
    return say("no goal! {undone}", undone=undone) if any(way.scored for way in _ways(state, last)) else undone


def _undone(state: State, last: LastAction, after: State) -> Text:
    """Return, in words, that an action is undone, whose turn it is now, and how many actions that player has left."""
    undone = say("{action} is undone", action=name_of(state, last))
    if state.closed:
        return undone
    other, left = seat_name(last.seat), after.allowed - after.taken
    known = {"undone": undone, "other": other}
    if state.to_move != last.seat and (left > 0 or (after.hands[last.seat] and not state.looks_into_hands)):
        if left <= 0:
            return say("{undone}, and the turn goes back to {other}, with no actions left", **known)
        return say_n(
            "{undone}, and the turn goes back to {other}, with {n} action left",
            "{undone}, and the turn goes back to {other}, with {n} actions left",
            left, **known,
        )  # fmt: skip
    if left <= 0:
        return say("{undone}, and {other} has no actions left", **known)
    return say_n("{undone}, and {other} has {n} action left", "{undone}, and {other} has {n} actions left", left, **known)


def name_of(state: State, last: LastAction) -> Text:
    """Return an action as something its player did: "Blue’s slide of puck 1", "Blue’s Board Shift"."""
    who = seat_name(last.seat)
    if last.card is not None:
        return say("{who}’s {card}", who=who, card=card(last.card).title)
    piece = state.pieces[_moved(state, last)]
    known = {"who": who, "piece": called_by(state.owners, last.seat, piece)}
    return say("{who}’s slide of {piece}", **known) if piece.kind is PieceKind.PUCK else say("{who}’s move of {piece}", **known)


def _owners_put_back(state: State, last: LastAction) -> set[int]:
    """Return the seats whose pieces a Whistle puts back on the board, takes back off a goal, or carries with their mat."""
    before = state.with_table(last.before)
    now, then = points_of(state.table), points_of(last.before)
    places = zip(state.pieces, now, then, strict=True)
    return owners_of_pieces(before, (piece for piece, here, there in places if here != there))


def _undo(state: State, last: LastAction) -> Undone:
    now, then = state.table, last.before
    pieces = tuple(piece for piece, a, b in zip(state.pieces, now.places, then.places, strict=True) if a != b)
    mats = tuple(mat for mat, other in zip(then.mats, now.mats, strict=True) if mat != other)
    return Undone(pieces, mats, last.seat, _ways(state, last))


def _ways(state: State, last: LastAction) -> tuple[Way, ...]:
    if last.card is not None:
        return ()
    rink = state.with_table(last.before).rink()
    motion = move(rink, last.before.places, _moved(state, last), DIRECTIONS.index(last.action[-1]))
    return () if motion is None else motion.ways(rink)


def _moved(state: State, last: LastAction) -> int:
    *colour, word, _ = last.action
    return state.of_colour(COLOURS.index(colour[0]) if colour else last.seat)[word]


def _cards_back(state: State, last: LastAction) -> State:
    """Return the state with the cards as they were before an action that is now undone.

    If the card that was played lies at the edge of the board, it goes to the discard pile, and the card that it replaced comes
    back from there. If the replaced card has been shuffled away meanwhile, its rule is in force again without the card. The
    card that Second Wind took goes back to the discard pile if its player is still in the game and still has it.
    """
    if last.card is None:
        return state
    if card(last.card).stays:
        state = replace(state, edge=without(state.edge, last.card), discard=(*state.discard, last.card))
    if last.replaced is not None and last.replaced in state.discard:
        edge = in_order((*state.edge, last.replaced))
        state = replace(state, discard=without(state.discard, last.replaced), edge=edge)
    taken = last.taken
    if taken is not None and last.kept and taken in state.hand(last.seat):
        state = with_hand(state, last.seat, without(state.hands[last.seat], taken))
        state = replace(state, discard=(*state.discard, taken))
    return state


def mats_back(state: State, events: list[Event]) -> State:
    """Return the state after unconnected mats have gone back to the places where all mats were last connected."""
    settled = state.table.settled
    assert settled is not None, "a layout that does not hang together remembers the last one that did"
    mats: Mats = tuple(replace(mat, at=at) for mat, at in zip(state.table.mats, settled, strict=True))
    assert whole(shape_of(mats)), "the mats hung together there"
    text = say("The mats snap back to where they were last connected.")
    affected = tuple(sorted(owners_carried(state, mats)))
    events.append(Event("mats", None, text, detail=mats_moved(state.table.mats, mats), affects=affected))
    table: Table = replace(state.table, mats=mats, settled=None)
    return state.with_table(table)
