"""Setting up: pieces are placed one at a time on start spaces of their kind, by hand or at random."""

from dataclasses import replace

from engines.game import Action, Choice, Event
from engines.pucks.board import space_name, space_of
from engines.pucks.motion import BESIDE
from engines.pucks.moves import piece_name
from engines.pucks.pieces import START_MARK
from engines.pucks.state import State, next_live
from engines.pucks.views import Phase, PiecePlaced
from engines.text import plain, say, seat_name


def unplaced(state: State, seat: int) -> tuple[int, ...]:
    """The pieces of a seat that lie beside the board."""
    return tuple(index for index in state.own(seat).values() if state.table.places[index] == BESIDE)


def free_starts(state: State, piece: int) -> tuple[int, ...]:
    """The empty start spaces of a piece's kind."""
    mark = START_MARK[state.pieces[piece].kind]
    standing = set(state.table.places)
    return tuple(space for space, found in enumerate(state.grid().marks) if found == mark and space not in standing)


def choices(state: State, prefix: Action) -> list[Choice]:
    """The tokens that may follow `prefix` in ``place <piece> <space>`` or ``auto``."""
    seat = state.to_move
    left = unplaced(state, seat)
    if not prefix:
        return [
            Choice("place", say("Place a piece"), final=False),
            Choice("auto", say("Place all my remaining pieces at random, each as my turn comes"), final=True),
        ]
    if prefix[0] != "place":
        return []
    if len(prefix) == 1:
        return [Choice(state.pieces[i].word, piece_name(state.pieces[i]), final=False) for i in left]
    piece = state.own(seat).get(prefix[1])
    if piece not in left or len(prefix) > 2:
        return []
    return [
        Choice(space_name(space), say("Onto {space}", space=space_name(space)), final=True)
        for space in free_starts(state, piece)
    ]


def play(state: State, action: Action, events: list[Event]) -> State:
    """The state after a legal action of setting up."""
    seat = state.to_move
    if action[0] == "auto":
        events.append(Event("auto", seat, say("{who} has the remaining pieces placed at random.", who=seat_name(seat))))
        return replace(state, auto=(*state.auto, seat))
    return _placed(state, state.own(seat)[action[1]], space_of(action[2], state.table.mats), events)


def place_at_random(state: State, events: list[Event]) -> State:
    """The state after the seat whose turn it is has placed a random piece of those left on a random start space of its kind."""
    left = unplaced(state, state.to_move)
    which, chance = state.chance.randbelow(len(left))
    spaces = free_starts(state, left[which])
    where, chance = chance.randbelow(len(spaces))
    return _placed(replace(state, chance=chance), left[which], spaces[where], events)


def _placed(state: State, piece: int, space: int, events: list[Event]) -> State:
    placed = state.pieces[piece]
    name = space_name(space)
    text = say("{who} places {word} on {space}.", who=seat_name(placed.seat), word=plain(placed.word), space=plain(name))
    detail = PiecePlaced(placed, name, state.grid().points[space])
    events.append(Event("place", placed.seat, text, detail=detail))
    places = state.table.places
    state = state.with_table(replace(state.table, places=(*places[:piece], space, *places[piece + 1 :])))
    return turn_to_next(state)


def turn_to_next(state: State) -> State:
    """Pass the turn to the next player to the right who has pieces left to place; if nobody has, seat 0 begins."""
    seat = state.to_move
    for step in range(1, state.seats + 1):
        other = (seat - step) % state.seats
        if other not in state.out and unplaced(state, other):
            return replace(state, to_move=other)
    first = 0 if 0 not in state.out else next_live(state, 0, 1)
    return replace(state, phase=Phase.DRAW, to_move=first, auto=())
