"""Setting up: pieces are placed one at a time on start spaces of their kind, by hand or at random."""

from engines.game import Action, Choice, Event, deed
from engines.pucks.board.board import space_name, space_of
from engines.pucks.board.motion import BESIDE
from engines.pucks.board.names import colour_of, piece_label, piece_name, pieces_of
from engines.pucks.board.pieces import COLOURS, START_MARK, Owners, PieceKind
from engines.pucks.board.state import State, next_live
from engines.pucks.board.views import Phase, PiecePlaced, PiecesPlaced
from engines.steps import Tally, later
from engines.text import Text, plain, say, say_n
from engines.values import replace


def unplaced_pieces(state: State, seat: int) -> tuple[int, ...]:
    """Return the pieces of a seat that lie beside the board."""
    return tuple(index for index in state.pieces_of(seat) if state.table.places[index] == BESIDE)


def free_starts(state: State, piece: int) -> tuple[int, ...]:
    """Return the empty start spaces of a piece's kind."""
    mark = START_MARK[state.pieces[piece].kind]
    standing = set(state.table.places)
    return tuple(space for space, found in enumerate(state.grid().marks) if found == mark and space not in standing)


def not_free(state: State, kind: PieceKind, space: str) -> Text | None:
    """Return why a space is not one of a kind's `free_starts`, or None if there is no such space."""
    try:
        mark = state.grid().marks[space_of(space, state.table.mats)]
    except ValueError:
        return None
    if mark == START_MARK[kind]:
        return say("{space} is taken.", space=plain(space))
    if kind is PieceKind.MEEPLE:
        return say("{space} isn’t a start space for meeples.", space=plain(space))
    if kind is PieceKind.ICE:
        return say("{space} isn’t a start space for ice blocks.", space=plain(space))
    return say("{space} isn’t a start space for pucks.", space=plain(space))


def choices(state: State, prefix: Action) -> list[Choice]:
    """Return the tokens that may follow `prefix` in ``place <piece> <space>`` or ``auto``. Of two colours, one comes first."""
    seat = state.to_move
    left = unplaced_pieces(state, seat)
    if not prefix:
        return [
            Choice("place", say("Place a piece"), final=False, deed=say("place a piece")),
            Choice("auto", say("Place all at random"), final=True, symbol="🎲", deed=say("place all at random")),
        ]
    if prefix[0] != "place":
        return []
    colour, named = split(state, seat, prefix[1:])
    if colour is None:
        colours = dict.fromkeys(state.pieces[i].colour for i in left) if not named else ()
        return [Choice(COLOURS[own], pieces_of(state.owners, seat, own), final=False) for own in colours]
    if not named:
        pieces = [state.pieces[i] for i in left if state.pieces[i].colour == colour]
        return [Choice(piece.word, piece_label(piece), final=False) for piece in pieces]
    index = state.of_colour(colour).get(named[0])
    if index not in left or len(named) > 1:
        return []
    return [Choice(name, plain(name), final=True) for name in map(space_name, free_starts(state, index))]


def split(state: State, seat: int, named: Action) -> tuple[int | None, Action]:
    """Return the colour of the piece that a seat places (None if it has two and names neither), and the tokens after it."""
    owners = state.owners
    if owners.each == 1:
        return seat, named
    colour = colour_of(named[0], owners) if named else None
    return (colour, named[1:]) if colour in owners.colours_of(seat) else (None, named)


def play(state: State, action: Action, events: list[Event]) -> State:
    """Return the state after a legal action during the setup."""
    seat = state.to_move
    if action[0] == "auto":
        events.append(deed("auto", seat, say("places at random"), tally=Tally(_places, 0)))
        return replace(state, auto=(*state.auto, seat))
    colour, (word, space) = split(state, seat, action[1:])
    assert colour is not None, "the action is legal"
    after, placed = _place(state, state.of_colour(colour)[word], space_of(space, state.table.mats))
    events.append(_placing(state.owners, seat, placed))
    return after


def place_at_random(state: State, events: list[Event]) -> State:
    """Place all pieces of the `State.auto` seats until it is another seat's turn. There is one event for each player."""
    placed: dict[int, list[PiecePlaced]] = {}
    while state.phase is Phase.PLACE and state.to_move in state.auto:
        seat = state.to_move
        state, one = _random_piece(state)
        placed.setdefault(seat, []).append(one)
    for seat, details in placed.items():
        count = len(details)
        if count == 1:
            events.append(_placing(state.owners, seat, details[0]))
        else:
            detail, phrase = PiecesPlaced(tuple(details)), later(_places, count)
            events.append(deed("place", seat, phrase, detail=detail, tally=Tally(_places, count)))
    return state


def _places(count: int) -> Text:
    return say_n("places {n} piece", "places {n} pieces", count)


def _random_piece(state: State) -> tuple[State, PiecePlaced]:
    """Place a remaining piece of the seat to move on a start space of the piece's kind. Both are drawn at random."""
    left = unplaced_pieces(state, state.to_move)
    which, chance = state.chance.randbelow(len(left))
    spaces = free_starts(state, left[which])
    where, chance = chance.randbelow(len(spaces))
    return _place(replace(state, chance=chance), left[which], spaces[where])


def _placing(owners: Owners, seat: int, placed: PiecePlaced) -> Event:
    phrase = say("places {piece} on {space}", piece=piece_name(owners, placed.piece), space=plain(placed.space))
    return deed("place", seat, phrase, detail=placed, tally=Tally(_places))


def _place(state: State, piece: int, space: int) -> tuple[State, PiecePlaced]:
    places = state.table.places
    detail = PiecePlaced(state.pieces[piece], space_name(space), state.grid().points[space])
    table = replace(state.table, places=(*places[:piece], space, *places[piece + 1 :]))
    return turn_to_next(state.with_table(table)), detail


def turn_to_next(state: State) -> State:
    """Pass the turn to the next player to the right who has pieces left to place. If there is none, seat 0 begins the game."""
    seat = state.to_move
    for step in range(1, state.seats + 1):
        other = (seat - step) % state.seats
        if other not in state.out and unplaced_pieces(state, other):
            return replace(state, to_move=other)
    first = 0 if 0 not in state.out else next_live(state, 0, 1)
    return replace(state, phase=Phase.DRAW, to_move=first, auto=())
