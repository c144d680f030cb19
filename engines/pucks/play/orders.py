"""Standing orders: Whistles, U-Turns and passes that are played for a player in answer to what the others do.

``whistle wins blue`` · ``whistle scores anyone`` · ``whistle moves p1`` · ``whistle moves any`` · ``whistle plays shift``: a
Whistle undoes another player's action that wins or scores, moves one of the owner's pieces, or plays a card. ``u-turn scores
blue`` and similar orders: a U-Turn ends the turn after such an action. ``pass otherwise`` lets a win stand if no order answers
it, and ``pass until-turn`` lets every win stand until the owner's next turn.

Which orders are offered follows from the deck, the players and the pieces, and never from a hand. If its owner does not hold
its card, an order does nothing and stays. So it reveals only cards that are played. The rules leave the following open, and it
is decided here:

- An order answers an action when the action is taken, and not one from before the order was given. But the orders of several
  seats may answer the same action one after the other.
- A Whistle goes before a U-Turn. An order that has played its card is used up.
- No order answers an action by which its owner wins. An order about the owner's pieces does not answer an action that scores
  one of the owner's pucks. A piece that its mat carries along has not moved.
- A U-Turn is not wasted on a win that waits.
- If a win waits, ``pass until-turn`` comes before all other orders, even once its owner has passed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engines.game import Action, Choice, Shortcut, Step
from engines.orders import Happened, Order, Response
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.motion import SCORED
from engines.pucks.board.names import piece_label, pieces_of
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.state import LastAction, State, is_quick
from engines.pucks.cards import cards
from engines.pucks.play import turns
from engines.pucks.play.order_words import order_text
from engines.text import say, seat_name

OTHERWISE: Final = ("pass", "otherwise")
UNTIL_TURN: Final = ("pass", "until-turn")

_PROLONGING: Final = ("double", "extra")
"""The quick play cards that an order for a U-Turn can answer, because they add actions to the turn that it would end."""


def order_choices(state: State, seat: int, prefix: Order) -> list[Choice]:
    """Return the tokens that may follow `prefix` in an order."""
    if seat not in state.live or turns.outcome(state) is not None:
        return []
    kinds = _kinds(state)
    if not prefix:
        return [_next_choice(state, (kind,)) for kind in kinds]
    if prefix[0] not in kinds:
        return []
    if prefix == ("pass",):
        return [_next_choice(state, order, final=True) for order in (OTHERWISE, UNTIL_TURN)]
    if len(prefix) == 1:
        return [_next_choice(state, (*prefix, trigger)) for kind, trigger in _NAMED if kind == prefix[0]]
    named = _NAMED.get(prefix[:2])
    return [] if named is None else list(named(state, seat, prefix[2:]))


def order_shortcuts(state: State, seat: int) -> tuple[Shortcut, ...]:
    """Offer a seat whose turn it is not to pass until its next turn."""
    turn = seat == state.to_move and not state.winning
    offered = not turn and seat in state.live and "pass" in _kinds(state) and turns.outcome(state) is None
    return (Shortcut(UNTIL_TURN, say("Pass until my turn")),) if offered else ()


def _kinds(state: State) -> list[str]:
    """Return the first tokens of orders: the cards that are in the deck and, if a win can wait, passing."""
    deck = state.deck
    return [kind for kind, needed in (("whistle", "whistle"), ("u-turn", "u-turn"), ("pass", "whistle")) if needed in deck]


def _next_choice(state: State, order: Order, *, final: bool = False) -> Choice:
    return Choice(order[-1], order_text(state, order), final)


def _players(state: State, seat: int, named: Order) -> Iterator[Choice]:
    """Yield the seats that could score or win: all others at once, if there are several, and each of them."""
    others = [other for other in state.live if other != seat and not named]
    if len(others) > 1:
        yield Choice("anyone", say("Anyone else"), final=True)
    yield from (Choice(COLOURS[other], seat_name(other), final=True) for other in others)


def _own_pieces(state: State, seat: int, named: Order) -> Iterator[Choice]:
    """Yield "any piece" and each of the seat's own pieces. If the seat has two colours, the colour comes before the piece."""
    if not named:
        yield Choice("any", say("Any piece"), final=True)
    colours = state.owners.colours_of(seat)
    if len(colours) > 1 and not named:
        yield from (Choice(COLOURS[colour], pieces_of(state.owners, seat, colour), final=False) for colour in colours)
    elif not named or (len(colours) > 1 and named in {(COLOURS[colour],) for colour in colours}):
        own = state.of_colour(COLOURS.index(named[0]) if named else seat)
        yield from (Choice(word, piece_label(state.pieces[i]), final=True) for word, i in own.items())


def _cards(state: State, _seat: int, named: Order, *, quick: Collection[CardId] = ()) -> Iterator[Choice]:
    """Yield the cards that can be answered: all that are not quick play cards, and these `quick` ones."""
    different = () if named else dict.fromkeys(state.deck)
    return (Choice(held, card(held).title, final=True) for held in different if not is_quick(held) or held in quick)


_NAMED: Final[Mapping[Order, Callable[[State, int, Order], Iterable[Choice]]]] = {
    ("whistle", "wins"): _players,
    ("whistle", "scores"): _players,
    ("whistle", "moves"): _own_pieces,
    ("whistle", "plays"): _cards,
    ("u-turn", "scores"): _players,
    ("u-turn", "moves"): _own_pieces,
    ("u-turn", "plays"): partial(_cards, quick=_PROLONGING),
}


def respond(happened: Happened[State], seat: int, orders: Sequence[Order]) -> Response:
    """Return the action that a seat's orders play after a step, and the orders that stay."""
    state = happened.step.state
    begins = happened.seat == seat and happened.action == ("draw",)
    standing = tuple(order for order in orders if not (begins and order == UNTIL_TURN))
    if seat not in state.live or turns.outcome(state) is not None:
        return Response(None, standing)
    asked = seat in turns.answerers(state)
    lets_win = bool(state.winning) and UNTIL_TURN in standing
    met = () if lets_win else (order for order in standing if _is_met(happened, seat, order))
    for order in sorted(met, key=lambda order: order[0] != "whistle"):
        if cards.is_playable_alone(state, seat, order[0]):
            used = standing.index(order)
            return Response(("play", order[0]), (*standing[:used], *standing[used + 1 :]))
    passes = asked and any(order in standing for order in (OTHERWISE, UNTIL_TURN))
    return Response(("pass",) if passes else None, standing)


def at_once(state: State, seat: int, orders: Sequence[Order]) -> Action | None:
    """Return the pass that lets a waiting win stand, if ordered. ``pass otherwise`` yields to an order that answers it."""
    last = state.last
    if last is None or seat not in turns.answerers(state):
        return None
    won = Happened(last.seat, last.action, state, Step(state, ()))
    whistled = any(_is_met(won, seat, order) for order in orders)
    return ("pass",) if UNTIL_TURN in orders or (OTHERWISE in orders and not whistled) else None


def asked_in_turn(happened: Happened[State], seats: Sequence[int]) -> list[int]:
    """Return these seats in the order of play, beginning after the seat that acted and ending with that seat."""
    state = happened.step.state
    return sorted(seats, key=lambda seat: (state.direction * (seat - happened.seat) - 1) % state.seats)


def _is_met(happened: Happened[State], seat: int, order: Order) -> bool:
    """Whether an order answers a step. It does not matter here whether the seat holds its card."""
    state, held = happened.step.state, order[0]
    if state.winning and (held == "u-turn" or state.winning[0] == seat):
        return False
    last = _answerable(happened, seat, held)
    match order[1:]:
        case ("plays", card_id):
            prolonged = held == "u-turn" and card_id in _PROLONGING and happened.seat != seat
            return (last is not None and last.card == card_id) or (prolonged and happened.action == ("play", card_id))
        case ("wins", whom) if last is not None:
            return _is_among(whom, state.winning[:1])
        case ("scores", whom) if last is not None:
            return _is_among(whom, _scorers(state, last) - {seat})
        case ("moves", *named) if last is not None:
            return _moved_without_scoring(state, last, seat, tuple(named))
    return False


def _answerable(happened: Happened[State], seat: int, held: CardId) -> LastAction | None:
    """Return the action, just taken by another seat, that a card can answer. A Whistle may follow another player's order."""
    last = happened.step.state.last
    if last is None or last.seat == seat:
        return None
    taken = happened.origin if held == "whistle" and happened.origin is not None else happened
    return last if (last.seat, last.action) == (taken.seat, taken.action) else None


def _is_among(whom: str, players: Collection[int]) -> bool:
    return bool(players) if whom == "anyone" else whom in {COLOURS[player] for player in players}


def _scorers(state: State, last: LastAction) -> set[int]:
    """Return the seats still in the game whose pucks the last action brought into a goal."""
    scored = (state.pieces[i] for i in _displacements(state, last) if state.table.places[i] == SCORED)
    return {state.owners.of(puck.colour) for puck in scored} - {*state.out}


def _moved_without_scoring(state: State, last: LastAction, seat: int, named: Order) -> bool:
    """Whether an action moved a `named` piece of a seat ("any", "red m1"), but brought no puck of that seat into a goal."""
    if seat in _scorers(state, last):
        return False
    moved = [state.pieces[i] for i in _displacements(state, last) if i in state.pieces_of(seat)]
    return any(named in {("any",), (piece.word,), (piece.shade, piece.word)} for piece in moved)


def _displacements(state: State, last: LastAction) -> list[int]:
    """Return the pieces that are now in another place on their mats, or on other mats, than before an action."""
    then = last.before.places
    return [i for i, place in enumerate(state.table.places) if place != then[i]]
