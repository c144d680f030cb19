"""Moving a piece as an action: the pieces that a player may move, the directions, and the effects."""

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from engines.game import Action, Choice
from engines.pucks.board.board import DIRECTIONS, space_name
from engines.pucks.board.motion import Leg, Motion, Rink, can_move, move
from engines.pucks.board.names import (
    ARROWS,
    called_by,
    direction_label,
    direction_name,
    piece_label,
    piece_name,
    pieces_of,
    whose,
)
from engines.pucks.board.pieces import COLOURS, Owners, Piece
from engines.pucks.board.state import State, Table, owners_of_pieces, points_of, scored_by
from engines.pucks.board.views import Moved, Scored, Stop
from engines.steps import Event, deed, later, others
from engines.text import Text, say, seat_name
from engines.values import replace


def may_move_pieces(state: State) -> bool:
    """Whether the player in turn may move pieces now, provided that any can be moved."""
    return state.taken < state.allowed and state.whole


def movers(state: State) -> tuple[int, ...]:
    """Return the seats whose pieces the player in turn may move: their own, then those whose pieces are borrowed."""
    return (state.to_move, *state.table.borrowed)


def motions(state: State, rink: Rink, piece: int) -> list[tuple[int, Motion]]:
    """Return the directions in which a piece may be moved, each with its motion. Taking back the last move is left out."""
    found = []
    for direction in range(4):
        motion = move(rink, state.table.places, piece, direction)
        if motion is not None and not takes_back(state, rink, piece, motion):
            found.append((direction, motion))
    return found


def can_be_moved(state: State, rink: Rink, piece: int) -> bool:
    """Whether a piece may be moved in any direction."""
    places = state.table.places
    if not was_moved(state, rink, piece):
        return any(can_move(rink, places, piece, direction) for direction in range(4))
    return bool(motions(state, rink, piece))


def was_moved(state: State, rink: Rink, piece: int) -> bool:
    """Whether a piece on the board stood on another space before the previous move of this turn."""
    previous, space = state.table.previous, state.table.places[piece]
    return previous is not None and space >= 0 and previous[piece] != rink.grid.points[space]


def takes_back(state: State, rink: Rink, piece: int, motion: Motion) -> bool:
    """Whether a motion puts every piece back where it was before the previous move of the same turn, which is illegal."""
    previous = state.table.previous
    if previous is None or not was_moved(state, rink, piece):
        return False
    points = rink.grid.points
    return all((points[space] if space >= 0 else None) == before for space, before in zip(motion.places, previous, strict=True))


def can_move_a_piece(state: State) -> bool:
    """Whether the player in turn has any legal move of a piece."""
    if not may_move_pieces(state):
        return False
    rink = state.rink()
    return any(can_be_moved(state, rink, piece) for seat in movers(state) for piece in state.pieces_of(seat))


def first_choices(state: State) -> list[Choice]:
    """Return the player's own movable pieces (or colours, if there are two), then the colours of borrowed pieces."""
    if not may_move_pieces(state):
        return []
    rink, owners, seat = state.rink(), state.owners, state.to_move
    return [
        *(_pieces(state, rink, seat) if owners.each == 1 else ()),
        *(
            Choice(COLOURS[colour], pieces_of(owners, seat, colour), final=False)
            for colour in named_colours(state)
            if any(can_be_moved(state, rink, piece) for piece in state.of_colour(colour).values())
        ),
    ]


def choices(state: State, prefix: Action) -> list[Choice]:
    """Return the tokens that may follow the beginning of a move. There are none if `prefix` does not begin one."""
    if not may_move_pieces(state):
        return []
    rink = state.rink()
    colour, rest = split(state, prefix)
    if colour is None:
        return []
    if not rest:
        return _pieces(state, rink, colour)
    piece = state.of_colour(colour).get(rest[0])
    if piece is None or len(rest) > 1:
        return []
    return [
        Choice(
            DIRECTIONS[direction],
            _label(state, rink, piece, direction, motion),
            final=True,
            symbol=ARROWS[direction],
            brief=_brief(state, rink, direction, motion),
        )
        for direction, motion in motions(state, rink, piece)
    ]


def _brief(state: State, rink: Rink, direction: int, motion: Motion) -> Text:
    """Return a direction in a word or two, for a button beside a picture that shows where it leads."""
    way, own = direction_label(direction), state.owners.colours_of(state.to_move)
    scores = any(leg.stop is Stop.GOAL and rink.pieces[leg.piece].colour in own for leg in motion.legs)
    return say("{way}: goal!", way=way) if scores else way


def _label(state: State, rink: Rink, mover: int, direction: int, motion: Motion) -> Text:
    """Return the label for a direction, with what the move leads to: a goal, a bump, or the end of the piece's way."""
    way, owners, seat = direction_label(direction), state.owners, state.to_move
    own = next(leg for leg in motion.legs if leg.piece == mover)
    if own.stop is Stop.GOAL:
        return say("{way}, into the goal!", way=way)
    bumped = [leg for leg in motion.legs if leg.piece != mover]
    if scoring := [leg for leg in bumped if leg.stop is Stop.GOAL]:
        puck = called_by(owners, seat, rink.pieces[scoring[0].piece])
        return say("{way}, sending {puck} into the goal!", way=way, puck=puck)
    if bumped:
        return say("{way}, bumping {piece}", way=way, piece=called_by(owners, seat, rink.pieces[bumped[0].piece]))
    there = _end(owners, seat, _went(rink, own), ())
    if there is None or (own.stop is Stop.STEP and space_name(own.spaces[0])[0] == space_name(own.spaces[-1])[0]):
        return way
    return say("{way}, {there}", way=way, there=there)


def named_colours(state: State) -> tuple[int, ...]:
    """Return the colours that the player in turn has to name to move a piece: borrowed ones and, of two colours, their own."""
    seats = movers(state) if state.owners.each > 1 else state.table.borrowed
    return tuple(colour for seat in seats for colour in state.owners.colours_of(seat))


def split(state: State, prefix: Action) -> tuple[int | None, Action]:
    """Return the colour of the piece to move (None if it has to be named, or may not be moved), and the tokens after it."""
    if prefix[0] not in COLOURS:
        return (state.to_move if state.owners.each == 1 else None), prefix
    colour = COLOURS.index(prefix[0])
    return (colour if colour in named_colours(state) else None), prefix[1:]


def _pieces(state: State, rink: Rink, colour: int) -> list[Choice]:
    return [
        Choice(word, piece_label(state.pieces[index]), final=False)
        for word, index in state.of_colour(colour).items()
        if can_be_moved(state, rink, index)
    ]


def play(state: State, action: Action, events: list[Event]) -> Table:
    """Return the table after a legal move of a piece."""
    rink = state.rink()
    colour, (word, direction) = split(state, action)
    assert colour is not None, "the move is legal"
    mover = state.of_colour(colour)[word]
    motion = move(rink, state.table.places, mover, DIRECTIONS.index(direction))
    assert motion is not None, "the move is legal"
    seat, ways = state.to_move, motion.ways(rink)
    went = tuple(_went(rink, leg) for leg in motion.legs)
    phrase = later(_did, state.owners, seat, rink.pieces[mover], direction, went)
    affected = others(owners_of_pieces(state, (way.piece for way in ways)), seat)
    steps = all(leg.stop is Stop.STEP for leg in motion.legs)
    events.append(deed("move", seat, phrase, detail=Moved(ways), routine=steps, affects=affected))
    table = replace(state.table, places=motion.places, previous=points_of(state.table))
    events += [_scores(state.with_table(table), seat, way.piece) for way in ways if way.scored]
    return table


class _Went(NamedTuple):
    """The way of a piece in a move, for its words: the spaces where it began and ended, and the piece that stopped it."""

    piece: Piece
    start: int
    end: int
    stop: Stop
    hit: Piece | None
    slid: bool


def _went(rink: Rink, leg: Leg) -> _Went:
    hit = None if leg.hit is None else rink.pieces[leg.hit]
    return _Went(rink.pieces[leg.piece], leg.spaces[0], leg.spaces[-1], leg.stop, hit, leg.slid)


def _did(owners: Owners, seat: int, mover: Piece, direction: str, went: tuple[_Went, ...]) -> Text:
    """Return a move as a phrase: the piece, what stopped it, and what it moved. A goal is left out, having its own event."""
    own = next(leg for leg in went if leg.piece == mover)
    bumped = [leg for leg in went if leg.piece != mover]
    moved = {leg.piece for leg in went}
    known = {"piece": called_by(owners, seat, mover), "way": direction_name(direction)}
    there = None if bumped and own.stop is Stop.STEP else _end(owners, seat, own, moved)
    if there is None:
        did = say("slides {piece} {way}", **known) if own.slid else say("moves {piece} {way}", **known)
    elif own.slid:
        did = say("slides {piece} {way} {there}", there=there, **known)
    else:
        did = say("moves {piece} {way} {there}", there=there, **known)
    for number, leg in enumerate(bumped):
        did = _bumping(did, number, called_by(owners, seat, leg.piece), _end(owners, seat, leg, moved))
    return did


def _bumping(did: Text, number: int, other: Text, there: Text | None) -> Text:
    if there is None:
        if number:
            return say("{did}, then {other}", did=did, other=other)
        return say("{did}, bumping {other}", did=did, other=other)
    if number:
        return say("{did}, then {other} {there}", did=did, other=other, there=there)
    return say("{did}, bumping {other} {there}", did=did, other=other, there=there)


def _end(owners: Owners, seat: int, leg: _Went, moved: Collection[Piece]) -> Text | None:
    """Return, in words, where a piece's way ends, or None if it ends in a goal or at a piece that was moved itself."""
    mat = space_name(leg.end)[0]
    if leg.stop is Stop.STEP:
        stays = mat == space_name(leg.start)[0]
        return say("on mat {letter}", letter=mat) if stays else say("to mat {letter}", letter=mat)
    if leg.hit is not None:
        return None if leg.hit in moved else say("against {piece}", piece=called_by(owners, seat, leg.hit))
    return _obstacle(leg.stop, mat)


@cache
def _obstacle(stop: Stop, mat: str) -> Text | None:
    """Return, in words, what ended a way that was not ended by a piece, or None for a goal."""
    match stop:
        case Stop.EDGE:
            return say("to the edge of mat {letter}", letter=mat)
        case Stop.WALL:
            return say("against a wall on mat {letter}", letter=mat)
        case Stop.POOL:
            return say("to the pool on mat {letter}", letter=mat)
        case Stop.NET:
            return say("against the closed goal on mat {letter}", letter=mat)
        case Stop.SLUSH:
            return say("into the slush on mat {letter}", letter=mat)
    return None


def _scores(state: State, seat: int, puck: Piece) -> Event:
    owners, owner = state.owners, state.owners.of(puck.colour)
    count = {"scored": scored_by(state, owner), "needed": state.needed}
    if owner == seat:
        phrase = say("scores {puck}: {scored} of {needed}", puck=piece_name(owners, puck), **count)
    else:
        known = {"puck": whose(owners, puck), "owner": seat_name(owner)}
        phrase = say("scores {puck}: {scored} of {needed} for {owner}", **known, **count)
    decisive = count["scored"] >= count["needed"]
    affected = others((owner,), seat)
    return deed("score", seat, phrase, detail=Scored(puck), major=True, decisive=decisive, affects=affected)
