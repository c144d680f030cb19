"""Why a card cannot be played, or not with these targets, in sentences to the player who tried it."""

from collections.abc import Callable
from typing import Final

from engines.game import Action
from engines.pucks.board import layouts
from engines.pucks.board.board import Mats
from engines.pucks.board.deck import CardId, CardKind, card
from engines.pucks.board.layouts import RELATIONS, Place, movable_mats, places_of, shape_of
from engines.pucks.board.names import called_by, colour_name, colour_of
from engines.pucks.board.pieces import COLOURS, PieceKind
from engines.pucks.board.state import State, pucks_on_board
from engines.pucks.board.views import Phase
from engines.pucks.cards import cards, changers, quick
from engines.pucks.play import placing
from engines.text import Text, plain, say, seat_name


def not_held(state: State, seat: int, card_id: CardId) -> Text | None:
    """Return that a card is not in the hand. Return None if it is, or if there is no such card."""
    if not cards.is_known(card_id) or card_id in state.hands[seat]:
        return None
    return say("You don’t hold {card}.", card=card(card_id).title)


def not_playable(state: State, seat: int, card_id: CardId) -> Text | None:
    """Return why a card cannot be played now."""
    if not cards.is_known(card_id):
        return None
    if (missing := not_held(state, seat, card_id)) is not None:
        return missing
    if card(card_id).kind is CardKind.QUICK:
        return _not_quick(state, seat, card_id)
    return _not_your_time(state, seat, card_id) or _nothing_to_name(state, seat, card_id)


def _not_quick(state: State, seat: int, card_id: CardId) -> Text | None:
    if quick.possible(state, seat, card_id):
        return None
    if card_id == "whistle":
        last = state.last
        return say("There’s no action to whistle.") if last is None else say("You can’t whistle your own action.")
    if card_id == "u-turn":
        return say("The turn can’t end until the mats are all connected.")
    return say("{card} can only be played on your own turn, after you’ve drawn.", card=card(card_id).title)


def _not_your_time(state: State, seat: int, card_id: CardId) -> Text | None:
    title = card(card_id).title
    if state.winning:
        return say("{who} wins unless somebody whistles.", who=seat_name(state.winning[0]))
    if seat != state.to_move:
        return say("{card} can only be played on your own turn.", card=title)
    if state.phase is not Phase.ACT:
        return say("Draw first.") if state.phase is Phase.DRAW else say("You’ve had your actions.")
    if card(card_id).costs and state.taken >= state.allowed:
        return say("{card} costs an action, and you have none left.", card=title)
    if not cards.in_time(state, seat, card_id):
        return say("You couldn’t put the mats back together after that.")
    return None


def _nothing_to_name(state: State, seat: int, card_id: CardId) -> Text | None:
    if cards.playable(state, seat, card_id):
        return None
    if card_id in {"faceoff", "review"} and not state.whole:
        return say("The mats must all be connected first.")
    return {
        "shift": say("No mat can be moved."),
        "mix": say("No mat can be moved."),
        "swap": say("No two mats can be swapped."),
        "borrow": say("There’s nobody left to borrow from."),
        "salvage": say("The discard pile is empty."),
        "faceoff": say("You need two pucks on the board for that."),
        "review": say("Every puck start space is taken.")
        if changers.reviewable(state, seat)
        else say("No opponent has a scored puck."),
    }.get(card_id)


def not_named(state: State, seat: int, card_id: CardId, named: Action, token: str) -> Text | None:
    """Return why a token is not possible after ``play <card>`` and the targets named already."""
    match card_id:
        case "shift" if len(named) < 3:
            return _no_shift(state.table.mats, named, token)
        case "twist" if len(named) == 1 and token.isdigit():
            return say("You can turn a mat by 90, 180 or 270 degrees.")
        case "salvage" if not named and cards.is_known(token):
            return say("{card} isn’t in the discard pile.", card=card(token).title)
        case "net-off" if not named and token in places_of(state.table.mats):
            return say("Mat {letter} has no goal.", letter=plain(token))
    reason = _REASONS.get(card_id)
    return reason(state, seat, named, token) if reason else None


def _cannot_move(mats: Mats, letter: str) -> Text | None:
    if letter not in places_of(mats) or letter in movable_mats(mats):
        return None
    return say("Mat {letter} can’t be moved: it has other mats on all sides.", letter=plain(letter))


def _no_shift(mats: Mats, named: Action, token: str) -> Text | None:
    place = places_of(mats)
    if not named:
        if token not in place:
            return None
        return _cannot_move(mats, token) or say("Without mat {letter}, the others would come apart.", letter=plain(token))
    if len(named) == 1:
        return say("Mat {letter} doesn’t fit there.", letter=plain(named[0])) if token in RELATIONS else None
    return _no_place(mats, named[0], layouts.beside(place[token], named[1])) if token in place else None


def _no_place(mats: Mats, letter: str, there: Place) -> Text:
    if there == places_of(mats)[letter]:
        return say("Mat {letter} is already there.", letter=plain(letter))
    if there & shape_of(mats):
        return say("There’s already a mat there.")
    return say("The mats wouldn’t all be connected.")


def _not_mix(state: State, _seat: int, named: Action, token: str) -> Text | None:
    done, begun = divmod(len(named), 3)
    if "done" in named:
        return None
    mats = changers.apply_shifts(state.table.mats, named[: 3 * done])
    if token == "done" and not begun:
        return say("The mats must all be connected first.") if done else say("Move at least one mat.")
    if done == changers.MIX_SHIFTS:
        return say("You can move three mats at most.")
    return _no_shift(mats, named[3 * done :], token)


def _not_swap(state: State, _seat: int, named: Action, token: str) -> Text | None:
    if len(named) > 1:
        return None
    if token in named:
        return say("Name two different mats.")
    return _cannot_move(state.table.mats, token)


def _not_borrow(state: State, seat: int, named: Action, token: str) -> Text | None:
    colour = colour_of(token, state.owners)
    if named or colour is None:
        return None
    other = state.owners.of(colour)
    if other == seat:
        return say("Those pieces are already yours.")
    if other in state.out:
        return say("{who} has left the game.", who=seat_name(other))
    return say("You’ve already borrowed {who}’s pieces.", who=seat_name(other))


def _not_faceoff(state: State, seat: int, named: Action, token: str) -> Text | None:
    colour = colour_of(token, state.owners)
    if len(named) in {0, 2} and colour is not None:
        return _no_puck_of(state, colour)
    index = state.of_colour(COLOURS.index(named[-1])).get(token) if len(named) in {1, 3} else None
    return None if index is None else _not_this_puck(state, seat, index)


def _no_puck_of(state: State, colour: int) -> Text:
    another = any(state.pieces[index].colour == colour for index in pucks_on_board(state))
    if state.owners.each > 1:
        known = colour_name(colour)
        if another:
            return say("There’s no other {colour} puck on the board.", colour=known)
        return say("There’s no {colour} puck on the board.", colour=known)
    if another:
        return say("{who} has no other puck on the board.", who=seat_name(colour))
    return say("{who} has no puck on the board.", who=seat_name(colour))


def _not_this_puck(state: State, seat: int, index: int) -> Text:
    if index in pucks_on_board(state):
        return say("Name two different pucks.")
    if state.pieces[index].kind is not PieceKind.PUCK:
        return say("Only pucks face off.")
    return say("You can’t swap {piece}: it isn’t on the board.", piece=called_by(state.owners, seat, state.pieces[index]))


def _not_review(state: State, seat: int, named: Action, token: str) -> Text | None:
    colour = colour_of(token, state.owners)
    if not named and colour is not None:
        return _no_puck_back(state, seat, colour)
    return placing.not_free(state, PieceKind.PUCK, token) if len(named) == 1 else None


def _no_puck_back(state: State, seat: int, colour: int) -> Text:
    other = state.owners.of(colour)
    if other == seat:
        return say("Only an opponent’s puck can come back.")
    if other in state.out:
        return say("{who} has left the game.", who=seat_name(other))
    if state.owners.each > 1:
        return say("No {colour} puck has been scored.", colour=colour_name(colour))
    return say("{who} has no scored puck.", who=seat_name(other))


_REASONS: Final[dict[CardId, Callable[[State, int, Action, str], Text | None]]] = {
    "mix": _not_mix,
    "swap": _not_swap,
    "borrow": _not_borrow,
    "faceoff": _not_faceoff,
    "review": _not_review,
}
"""For each card that has several kinds of targets, the function that says why a target is not possible."""
