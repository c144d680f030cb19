"""A view in words: the board, completely enough to play by, and the hand."""

from collections import Counter

from engines.pucks.board import Mat, goal_front
from engines.pucks.box import SIDES, box
from engines.pucks.cards import card_label
from engines.pucks.deck import CardId, card
from engines.pucks.piles import titles
from engines.pucks.views import Phase, PucksView
from engines.text import Text, join, plain, say, say_n, seat_name


def describe(view: PucksView) -> Text:
    """The board in words."""
    lines = [_turn(view)]
    if box().games[view.variant].cards:
        lines.append(_in_force(view))
    lines.append(say("The mats, row by row from the north, each row from the west:"))
    left, top = min(mat.at[0] for mat in view.mats), min(mat.at[1] for mat in view.mats)
    for mat in sorted(view.mats, key=lambda mat: (mat.at[1], mat.at[0])):
        where = say("row {row}, column {column}", row=mat.at[1] - top + 1, column=mat.at[0] - left + 1)
        lines.append(_mat(view, mat, where))
    if not view.whole:
        lines.append(say("The mats do not hang together; until they do, no piece can be moved and the turn cannot end."))
    lines += [_seat(view, seat) for seat in range(view.seats)]
    if box().games[view.variant].cards:
        lines.append(_piles(view))
    return join(lines)


def _turn(view: PucksView) -> Text:
    who = seat_name(view.to_move)
    if view.outcome is not None:
        return say("The game is over. {reason}", reason=view.outcome.reason)
    if view.winning is not None:
        return say("{who} has won, unless somebody whistles.", who=seat_name(view.winning))
    if view.phase is Phase.ACT:
        return _actions(view)
    if view.phase is Phase.PLACE:
        return say("{who} places a piece.", who=who)
    if view.phase is Phase.DRAW:
        return say_n("{who} is about to draw {n} card.", "{who} is about to draw {n} cards.", view.draw_rule, who=who)
    over = view.hand_sizes[view.to_move] - view.hand_limit
    return say_n("{who} has to discard {n} card.", "{who} has to discard {n} cards.", over, who=who)


def _actions(view: PucksView) -> Text:
    who = seat_name(view.to_move)
    told = say_n(
        "{who} has taken {taken} of {n} action.",
        "{who} has taken {taken} of {n} actions.",
        view.allowed,
        who=who,
        taken=view.taken,
    )
    if not view.borrowed:
        return told
    others = join([seat_name(seat) for seat in view.borrowed], ", ")
    return say("{told} The pieces of {others} may be moved too.", told=told, others=others)


def _in_force(view: PucksView) -> Text:
    """The rules in force: cards drawn, actions a turn, the direction of play, and the ongoing card."""
    way = say("to the left") if view.direction > 0 else say("to the right")
    told = say("In force: draw {draw}, take {take}; play goes {way}.", draw=view.draw_rule, take=view.action_rule, way=way)
    if view.net_off is not None:
        return say("{told} Net Off: no piece may enter the goal on mat {letter}.", told=told, letter=view.net_off)
    if view.ongoing is not None:
        return say("{told} {card}", told=told, card=card_label(view.ongoing))
    return told


def _mat(view: PucksView, mat: Mat, where: Text) -> Text:
    letter = plain(mat.id)
    front = goal_front(mat)
    if front is not None:
        sides = (say("north"), say("east"), say("south"), say("west"))
        told = say("{letter} ({where}): goal open to the {side}", letter=letter, where=where, side=sides[SIDES.index(front)])
    elif mat.kind == "pool":
        told = say("{letter} ({where}): pool", letter=letter, where=where)
    elif mat.kind == "block":
        told = say("{letter} ({where}): block", letter=letter, where=where)
    else:
        told = say("{letter} ({where}): basic", letter=letter, where=where)
    if mat.turn:
        told = say("{told}, turned {degrees} degrees", told=told, degrees=mat.turn)
    standing = [
        say("{colour} {word} on {space}", colour=seat_name(placed.piece.seat), word=placed.piece.word, space=placed.space)
        for placed in view.pieces
        if placed.space.rstrip("0123456789") == mat.id
    ]
    return say("{told}. {pieces}.", told=told, pieces=join(standing, ", ")) if standing else say("{told}.", told=told)


def _seat(view: PucksView, seat: int) -> Text:
    scored = sum(piece.seat == seat for piece in view.scored)
    needed = box().games[view.variant].pucks
    told = say("{who}: {scored} of {needed} pucks scored", who=seat_name(seat), scored=scored, needed=needed)
    if seat in view.out:
        return say("{told}; has left.", told=told)
    beside = sum(piece.seat == seat for piece in view.beside)
    if beside:
        told = say_n("{told}, {n} piece not placed", "{told}, {n} pieces not placed", beside, told=told)
    if not box().games[view.variant].cards:
        return say("{told}.", told=told)
    return say_n("{told}, {n} card.", "{told}, {n} cards.", view.hand_sizes[seat], told=told)


def _piles(view: PucksView) -> Text:
    told = say_n("Draw pile: {n} card.", "Draw pile: {n} cards.", view.draw_pile)
    if not view.discard:
        return say("{told} The discard pile is empty.", told=told)
    return say("{told} Discard pile, the top first: {cards}.", told=told, cards=titles(tuple(reversed(view.discard))))


def hand(view: PucksView) -> Text | None:
    """The cards of the view's seat, each with what it does; None for a spectator, and in a variant without cards."""
    if view.seat is None or not box().games[view.variant].cards:
        return None
    if not view.hand:
        return say("You hold no cards.")
    head = say_n(
        "You hold {n} card; {limit} may be kept.",
        "You hold {n} cards; {limit} may be kept.",
        len(view.hand),
        limit=view.hand_limit,
    )
    return join([head, *(_held(card_id, count) for card_id, count in Counter(view.hand).items())])


def _held(card_id: CardId, count: int) -> Text:
    known = card(card_id)
    name = known.title if count == 1 else say("{n} × {card}", n=count, card=known.title)
    return say("- **{name}** (`{id}`): {effect}", name=name, id=plain(card_id), effect=known.effect)
