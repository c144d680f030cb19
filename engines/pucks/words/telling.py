"""A view in words: the board, complete enough to play by, and the hand."""

from collections import Counter
from collections.abc import Iterator

from engines.pucks.board.board import Mat, Mats, goal_front
from engines.pucks.board.box import SIDES
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.names import colour_name
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.views import Phase, PucksView
from engines.pucks.cards.cards import card_label
from engines.pucks.cards.piles import titles
from engines.text import SEAT_COLOURS, Text, join, plain, say, say_n, seat_name
from engines.values import latest


def describe(view: PucksView) -> Text:
    """Return the board in words: what to do next, the cards in force, the mats row by row, and each player’s pieces."""
    lines = [_turn(view)]
    if view.has_cards:
        lines.append(_in_force(view))
    lines += _rows(view.mats)
    if not view.whole:
        lines.append(say("The mats aren’t all connected: until they are, no piece can move and the turn can’t end."))
    lines += [_seat(view, seat) for seat in range(view.seats)]
    if view.has_cards:
        lines.append(_piles(view))
    return join(lines if view.begun_with is None else [*lines, view.begun_with])


def _turn(view: PucksView) -> Text:
    who = seat_name(view.to_move)
    if view.outcome is not None:
        return say("The game is over. {reason}", reason=view.outcome.reason)
    if view.winning is not None:
        return say("{who} wins unless somebody whistles.", who=seat_name(view.winning))
    if view.phase is Phase.ACT:
        return _actions(view)
    if view.phase is Phase.PLACE:
        return say("{who} places a piece.", who=who)
    if view.phase is Phase.DRAW:
        return say_n("{who} draws {n} card next.", "{who} draws {n} cards next.", view.draw_rule, who=who)
    over = view.hand_sizes[view.to_move] - view.hand_limit
    return say_n("{who} has to discard {n} card.", "{who} has to discard {n} cards.", over, who=who)


def _actions(view: PucksView) -> Text:
    who, left = seat_name(view.to_move), max(0, view.allowed - view.taken)
    if not view.allowed:
        return say("It’s {who}’s turn.", who=who)
    told = say_n("{who}’s turn: {n} action left.", "{who}’s turn: {n} actions left.", left, who=who)
    if not view.borrowed:
        return told
    others = join([seat_name(seat) for seat in view.borrowed], ", ")
    return say("{told} May also move the pieces of {others}.", told=told, others=others)


def _in_force(view: PucksView) -> Text:
    told = say("Draw {draw}, take {take}.", draw=view.draw_rule, take=view.action_rule)
    if view.phase is not Phase.PLACE and view.outcome is None:
        around = ((view.to_move + view.direction * step) % view.seats for step in range(1, view.seats + 1))
        after = next(seat for seat in around if seat not in view.out)
        told = say("{told} Next: {who}.", told=told, who=seat_name(after))
    if view.net_off is not None:
        return say("{told} Net Off: the goal on mat {letter} is closed.", told=told, letter=view.net_off)
    if view.ongoing is not None:
        return say("{told} {card}", told=told, card=card_label(view.ongoing))
    return told


@latest
def _rows(mats: Mats) -> tuple[Text, ...]:
    """Return the mats row by row from the north, each row from the west, with the gaps. Cached, as few actions move mats."""
    rows = enumerate(_in_rows(mats), start=1)
    return tuple(say("Row {n}: {mats}", n=number, mats=join(named, " · ")) for number, named in rows if named)


def _in_rows(mats: Mats) -> Iterator[list[Text]]:
    at = {mat.at: mat for mat in mats}
    columns, rows = [column for column, _ in at], [row for _, row in at]
    for row in range(min(rows), max(rows) + 1):
        last = max((column for column, there in at if there == row), default=min(columns) - 1)
        yield [_mat(at.get((column, row))) for column in range(min(columns), last + 1)]


def _mat(mat: Mat | None) -> Text:
    if mat is None:
        return say("gap")
    letter, front = plain(mat.id), goal_front(mat)
    if front is not None:
        opens = (
            say("{letter} goal, opens up", letter=letter),
            say("{letter} goal, opens right", letter=letter),
            say("{letter} goal, opens down", letter=letter),
            say("{letter} goal, opens left", letter=letter),
        )
        return opens[SIDES.index(front)]
    if mat.kind == "pool":
        told = say("{letter} pool", letter=letter)
    elif mat.kind == "block":
        told = say("{letter} block", letter=letter)
    else:
        told = say("{letter} basic", letter=letter)
    return say("{told}, turned {degrees}°", told=told, degrees=mat.turn) if mat.turn else told


def _seat(view: PucksView, seat: int) -> Text:
    colours = view.colours_of(seat)
    scored = sum(piece.colour in colours for piece in view.scored)
    told = say("{who}: {scored} of {needed} scored", who=_player_name(view, seat), scored=scored, needed=view.needed)
    if seat in view.out:
        told = say("{told}, has left", told=told)
    elif view.has_cards:
        told = say_n("{told}, {n} card", "{told}, {n} cards", view.hand_sizes[seat], told=told)
    beside = sum(piece.colour in colours for piece in view.beside)
    if beside:
        told = say_n("{told}, {n} piece to place", "{told}, {n} pieces to place", beside, told=told)
    return join([say("{told}.", told=told), *(line for colour in colours for line in _of_colour(view, colour))], " ")


def _player_name(view: PucksView, seat: int) -> Text:
    if view.colours == 1:
        return seat_name(seat)
    one, other = map(colour_name, view.colours_of(seat))
    return say("{who} ({one} and {other})", who=seat_name(seat), one=one, other=other)


def _of_colour(view: PucksView, colour: int) -> Iterator[Text]:
    """Yield where a colour's pieces are, with the colour's name if each player has two colours."""
    found = list(_standing(view, colour))
    if found and view.colours > 1:
        return iter([say("{colour}: {pieces}", colour=SEAT_COLOURS[colour], pieces=join(found, " "))])
    return iter(found)


def _standing(view: PucksView, colour: int) -> Iterator[Text]:
    for kind in (PieceKind.PUCK, PieceKind.ICE, PieceKind.MEEPLE):
        spaces = [
            f"{placed.piece.number} {placed.space}"
            for placed in view.pieces
            if placed.piece.colour == colour and placed.piece.kind is kind
        ]
        if not spaces:
            continue
        where = plain(", ".join(spaces))
        if kind is PieceKind.PUCK:
            yield say("Pucks: {where}.", where=where)
        elif kind is PieceKind.ICE:
            yield say("Ice: {where}.", where=where)
        else:
            yield say("Meeples: {where}.", where=where)


def _piles(view: PucksView) -> Text:
    told = say_n("Draw pile: {n} card.", "Draw pile: {n} cards.", view.draw_pile)
    if view.without:
        told = say("{told} Left out: {cards}.", told=told, cards=titles(view.without))
    if not view.discard:
        return say("{told} The discard pile is empty.", told=told)
    return say("{told} Discard pile, top first: {cards}.", told=told, cards=titles(tuple(reversed(view.discard))))


def hand(view: PucksView) -> Text | None:
    """Return the cards of the view's seat, each with its effect. A spectator, and a variant without cards, gets None."""
    if view.seat is None or not view.has_cards:
        return None
    if not view.hand:
        return say("Your hand is empty.")
    head = say_n(
        "You hold {n} card. You may keep {limit}.",
        "You hold {n} cards. You may keep {limit}.",
        len(view.hand),
        limit=view.hand_limit,
    )
    return join([head, *(_card_line(card_id, count) for card_id, count in Counter(view.hand).items())])


def _card_line(card_id: CardId, count: int) -> Text:
    known = card(card_id)
    name = known.title if count == 1 else say("{n} × {card}", n=count, card=known.title)
    return say("- **{name}** (`{id}`): {effect}", name=name, id=plain(card_id), effect=known.effect)
