"""Moving a piece as an action: which pieces a player may move, in which directions, and what that does."""

from dataclasses import replace

from engines.game import Action, Choice, Event
from engines.pucks.board import DIRECTIONS, space_name
from engines.pucks.motion import Motion, Rink, move
from engines.pucks.pieces import COLOURS, Piece, PieceKind
from engines.pucks.state import State, Table, points_of
from engines.pucks.views import Moved, Scored, Stop
from engines.text import Text, plain, say, seat_name


def may_move_pieces(state: State) -> bool:
    """Whether the player whose turn it is may move pieces now, provided that any can be moved."""
    return state.taken < state.allowed and state.whole


def movers(state: State) -> tuple[int, ...]:
    """The seats whose pieces the player whose turn it is may move: first their own, then borrowed ones."""
    return (state.to_move, *state.table.borrowed)


def motions(state: State, rink: Rink, piece: int) -> list[tuple[int, Motion]]:
    """The directions in which a piece may be moved, and what each does. A move straight back is left out."""
    found = []
    for direction in range(4):
        motion = move(rink, state.table.places, piece, direction)
        if motion is not None and not takes_back(state, rink, motion):
            found.append((direction, motion))
    return found


def takes_back(state: State, rink: Rink, motion: Motion) -> bool:
    """Whether a motion puts every piece where it was before the previous move of the same turn, which is illegal."""
    previous = state.table.previous
    if previous is None:
        return False
    points = rink.grid.points
    return all((points[space] if space >= 0 else None) == before for space, before in zip(motion.places, previous, strict=True))


def can_move_a_piece(state: State) -> bool:
    """Whether the player whose turn it is has any legal move of a piece."""
    if not may_move_pieces(state):
        return False
    rink = state.rink()
    return any(motions(state, rink, piece) for seat in movers(state) for piece in state.own(seat).values())


# --- choices ---------------------------------------------------------------------------------------------------------


def first_choices(state: State) -> list[Choice]:
    """The player's own pieces that can be moved, then the colours of borrowed pieces that can."""
    if not may_move_pieces(state):
        return []
    rink = state.rink()
    found = _pieces(state, rink, state.to_move)
    for seat in state.table.borrowed:
        if _pieces(state, rink, seat):
            found.append(Choice(COLOURS[seat], say("The pieces of {who}", who=seat_name(seat)), final=False))
    return found


def choices(state: State, prefix: Action) -> list[Choice]:
    """The tokens that may follow the beginning of a move; empty if `prefix` does not begin one."""
    if not may_move_pieces(state):
        return []
    rink = state.rink()
    seat, rest = _split(state, prefix)
    if seat is None:
        return []
    if not rest:
        return _pieces(state, rink, seat)
    piece = state.own(seat).get(rest[0])
    if piece is None or len(rest) > 1:
        return []
    return [
        Choice(DIRECTIONS[direction], _label(rink, direction, motion), final=True)
        for direction, motion in motions(state, rink, piece)
    ]


def _split(state: State, prefix: Action) -> tuple[int | None, Action]:
    """The seat whose piece an action names (None if its pieces are not borrowed), and the tokens after the colour."""
    if prefix[0] not in COLOURS:
        return state.to_move, prefix
    seat = COLOURS.index(prefix[0])
    return (seat if seat in state.table.borrowed else None), prefix[1:]


def _pieces(state: State, rink: Rink, seat: int) -> list[Choice]:
    return [
        Choice(word, say("{piece} on {space}", piece=piece_name(piece), space=space), final=False)
        for word, index in state.own(seat).items()
        if motions(state, rink, index)
        for piece, space in [(state.pieces[index], space_name(state.table.places[index]))]
    ]


def piece_name(piece: Piece) -> Text:
    """A piece as its owner calls it: "Puck 1"."""
    if piece.kind is PieceKind.MEEPLE:
        return say("Meeple {n}", n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("Ice block {n}", n=piece.number)
    return say("Puck {n}", n=piece.number)


def whose(piece: Piece) -> Text:
    """A piece for use in a sentence: "puck p1 of Red"."""
    owner, word = seat_name(piece.seat), plain(piece.word)
    if piece.kind is PieceKind.MEEPLE:
        return say("meeple {word} of {owner}", word=word, owner=owner)
    if piece.kind is PieceKind.ICE:
        return say("ice block {word} of {owner}", word=word, owner=owner)
    return say("puck {word} of {owner}", word=word, owner=owner)


def direction_name(direction: int) -> Text:
    """The label of a direction."""
    return (say("Up"), say("Right"), say("Down"), say("Left"))[direction]


def _label(rink: Rink, direction: int, motion: Motion) -> Text:
    """The label of a move: the direction, where the piece ends up, and what it sets moving."""
    way = direction_name(direction)
    first, last = motion.legs[0], motion.legs[-1]
    if not last.slid and len(motion.legs) > 1:
        return say("{way}: bumps the {piece}", way=way, piece=whose(rink.pieces[first.piece]))
    if first.stop is Stop.GOAL:
        return say("{way}: into the goal", way=way)
    target = space_name(first.spaces[-1])
    if len(motion.legs) > 1:
        return say("{way}: to {space}, hits the {piece}", way=way, space=target, piece=whose(rink.pieces[motion.legs[1].piece]))
    return say("{way}: to {space}", way=way, space=target)


# --- playing ---------------------------------------------------------------------------------------------------------


def play(state: State, action: Action, events: list[Event]) -> Table:
    """The table after a legal move of a piece."""
    rink = state.rink()
    seat, (word, direction) = _split(state, action)
    assert seat is not None, "the move is legal"
    motion = move(rink, state.table.places, state.own(seat)[word], DIRECTIONS.index(direction))
    assert motion is not None, "the move is legal"
    ways = motion.ways(rink)
    mover = state.own(seat)[word]
    events.append(Event("move", state.to_move, _told(state.to_move, rink, mover, direction, motion), detail=Moved(ways)))
    for way in ways:
        if way.scored:
            text = say("The {piece} is scored.", piece=whose(way.piece))
            events.append(Event("score", way.piece.seat, text, detail=Scored(way.piece)))
    return replace(state.table, places=motion.places, previous=points_of(state.table))


def _told(seat: int, rink: Rink, mover: int, direction: str, motion: Motion) -> Text:
    """What a move did, in words: where the piece went, and where everything that it set moving went."""
    moved = rink.pieces[mover]
    others = [(whose(rink.pieces[leg.piece]), _goes_to(leg.spaces[-1], leg.stop)) for leg in motion.legs if leg.piece != mover]
    own = next(leg for leg in motion.legs if leg.piece == mover)
    known = {
        "who": seat_name(seat),
        "piece": plain(moved.word) if moved.seat == seat else whose(moved),
        "way": _adverb(direction),
        "there": _goes_to(own.spaces[-1], own.stop),
    }
    if not others:
        return say("{who} moves {piece} {way} {there}.", **known)
    known |= {"other": others[0][0], "beyond": others[0][1]}
    if motion.legs[0] == own:
        told = say("{who} moves {piece} {way} {there}, which sends the {other} {beyond}.", **known)
    else:
        told = say("{who} moves {piece} {way} {there} and bumps the {other} {beyond}.", **known)
    for other, beyond in others[1:]:
        told = say("{before} That sends the {other} {beyond}.", before=told, other=other, beyond=beyond)
    return told


def _goes_to(space: int, stop: Stop) -> Text:
    return say("into the goal") if stop is Stop.GOAL else say("to {space}", space=space_name(space))


def _adverb(direction: str) -> Text:
    return (say("up"), say("right"), say("down"), say("left"))[DIRECTIONS.index(direction)]
