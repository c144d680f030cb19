"""The game changer cards: mats are shifted, swapped and turned, pieces are borrowed and moved about, and effects go on.

A card with targets has two functions. ``<card>_choices`` returns the tokens that may follow ``play <card>`` and the tokens
given so far, and ``play_<card>`` returns the table after the card. What all cards share, their piles and costs, is in cards.py.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from engines.game import Action, Choice, Event, deed
from engines.pucks.board import layouts
from engines.pucks.board.board import Mats, space_name, space_of
from engines.pucks.board.layouts import RELATIONS, Place, Shape, beside, places_of, shape_of
from engines.pucks.board.motion import SCORED
from engines.pucks.board.names import (
    ARROWS,
    TURNS,
    called_by,
    colour_name,
    piece_label,
    pieces_of,
    pucks_of,
    relation_label,
    relation_name,
    turn_label,
    turn_name,
)
from engines.pucks.board.pieces import COLOURS, Owners, PieceKind
from engines.pucks.board.state import (
    State,
    Table,
    can_mend,
    owners_carried,
    owners_of_pieces,
    pucks_on_board,
    scored_in,
    without,
)
from engines.pucks.board.views import PiecePlaced, PucksSwapped, mats_moved
from engines.steps import others
from engines.text import Text, plain, say, seat_name
from engines.values import replace

MIX_SHIFTS = 3


def mat_label(mats: Mats, letter: str) -> Text:
    """Return the label of a mat."""
    return _label(mats[layouts.mat_index(letter)].kind, letter)


@cache
def _label(kind: str, letter: str) -> Text:
    if kind == "goal":
        return say("Mat {letter} (goal)", letter=letter)
    if kind == "pool":
        return say("Mat {letter} (pool)", letter=letter)
    return say("Mat {letter}", letter=letter)


def _mats(mats: Mats, letters: Iterable[str], final: bool = False) -> Iterator[Choice]:
    return (Choice(letter, mat_label(mats, letter), final) for letter in letters)


def _shift_choices(mats: Mats, rest: Action, shifts_after: int, final: bool) -> Iterable[Choice]:
    """Yield the next token of one shift: the mat, then the relation, then the mat beside which it is laid."""
    shape, place = shape_of(mats), places_of(mats)
    if not rest:
        return _mats(mats, (letter for letter in place if layouts.has_target(shape, place[letter], shifts_after)))
    if rest[0] not in place:
        return []
    named = _named_targets(shape, place, rest[0], shifts_after)
    if len(rest) == 1:
        return [
            Choice(relation, relation_label(relation), final=False, symbol=ARROWS[i])
            for i, relation in enumerate(RELATIONS)
            if named[relation]
        ]
    if len(rest) == 2 and rest[1] in RELATIONS:
        return _mats(mats, named[rest[1]], final)
    return []


def _named_targets(shape: Shape, place: dict[str, Place], letter: str, shifts_after: int) -> dict[str, list[str]]:
    """Return, for each relation, the mats beside which the shifted mat may be laid. One place may have several such names."""
    good = layouts.targets(shape, place[letter], shifts_after)
    return {
        relation: [other for other in place if other != letter and beside(place[other], relation) & good]
        for relation in RELATIONS
    }


def _shift(state: State, mats: Mats, tokens: Action, events: list[Event], seat: int) -> Mats:
    letter, relation, other = tokens
    after = layouts.shift_mat(mats, letter, relation, other)
    phrase = say("moves mat {letter} {where} mat {other}", letter=letter, where=relation_name(relation), other=other)
    affected = others(owners_carried(state.with_table(replace(state.table, mats=mats)), after), seat)
    events.append(deed("shift", seat, phrase, detail=mats_moved(mats, after), affects=affected))
    return after


def shift_choices(state: State, seat: int, rest: Action) -> Iterable[Choice]:
    """Yield a mat and a place for Board Shift. If the hand can shift again, the layout may be illegal in between."""
    hand = without(state.hands[seat], "shift")
    shifts_after = 1 if can_mend(state, hand, state.taken + 1) else 0
    return _shift_choices(state.table.mats, rest, shifts_after, final=True)


def play_shift(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Lay the mat at its new place, with everything on it."""
    return replace(state.table, mats=_shift(state, state.table.mats, rest, events, seat))


def mix_choices(state: State, _seat: int, rest: Action) -> Iterable[Choice]:
    """Yield the choices for Let’s Mix Things Up: up to three shifts, then "done", which must leave a legal layout."""
    mats = state.table.mats
    for done in range(MIX_SHIFTS):
        shift = rest[3 * done : 3 * done + 3]
        shifts_after = MIX_SHIFTS - 1 - done
        if len(shift) < 3:
            offered = _shift_choices(mats, shift, shifts_after, final=False)
            return [*offered, *_end_choice(mats)] if done and not shift else offered
        offered = _shift_choices(mats, shift[:2], shifts_after, final=False)
        if shift[2] not in {choice.token for choice in offered}:
            return []
        mats = apply_shifts(mats, shift)
    return [] if rest[3 * MIX_SHIFTS :] else _end_choice(mats)


def _end_choice(mats: Mats) -> list[Choice]:
    """Return the choice to shift no more mats. There is none while mats are unconnected, as the card cannot end then."""
    return (
        [Choice("done", say("Done"), final=True, symbol="✅", deed=say("leave it at that"))]
        if layouts.whole(shape_of(mats))
        else []
    )


def play_mix(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Move each named mat to its new place, in order, with an event for each. A mat has three tokens, and "done" comes last."""
    mats = state.table.mats
    for start in range(0, len(rest) - 1, 3):
        mats = _shift(state, mats, rest[start : start + 3], events, seat)
    return replace(state.table, mats=mats)


def apply_shifts(mats: Mats, shifts: Action) -> Mats:
    """Return the mats after whole shifts, three tokens each."""
    for start in range(0, len(shifts), 3):
        mats = layouts.shift_mat(mats, *shifts[start : start + 3])
    return mats


def swap_choices(state: State, _seat: int, rest: Action) -> Iterable[Choice]:
    """Yield the choices for Board Swap: two movable mats. The layout stays as legal as it was, since no place changes."""
    mats = state.table.mats
    letters = layouts.movable_mats(mats)
    if len(letters) < 2 or len(rest) > 1 or not set(rest) <= set(letters):
        return []
    return _mats(mats, (letter for letter in letters if letter not in rest), final=bool(rest))


def play_swap(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Let the two mats change places with everything on them, without turning them."""
    before = state.table.mats
    after = layouts.swap_mats(before, rest[0], rest[1])
    phrase = say("swaps mats {first} and {second}", first=rest[0], second=rest[1])
    affected = others(owners_carried(state, after), seat)
    events.append(deed("swap", seat, phrase, detail=mats_moved(before, after), affects=affected))
    return replace(state.table, mats=after)


def twist_choices(state: State, _seat: int, rest: Action) -> Iterable[Choice]:
    """Yield the choices for Board Twist: any mat, by 90, 180 or 270 degrees."""
    mats = state.table.mats
    letters = [mat.id for mat in mats]
    if not rest:
        return _mats(mats, letters)
    if len(rest) > 1 or rest[0] not in letters:
        return []
    return [Choice(degrees, turn_label(degrees), final=True) for degrees in TURNS]


def play_twist(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Turn the mat clockwise where it lies, with everything on it."""
    before = state.table.mats
    after = layouts.twist_mat(before, rest[0], int(rest[1]))
    phrase = say("gives mat {letter} {way}", letter=rest[0], way=turn_name(rest[1]))
    affected = others(owners_carried(state, after), seat)
    events.append(deed("twist", seat, phrase, detail=mats_moved(before, after), affects=affected))
    return replace(state.table, mats=after)


def borrow_choices(state: State, seat: int, rest: Action) -> list[Choice]:
    """Return the choices for I Like Your Pieces More: the colours of the other players whose pieces are not borrowed yet."""
    if rest:
        return []
    return [
        Choice(COLOURS[colour], _loan_label(state.owners, seat, colour), final=True)
        for other in state.live
        if other != seat and other not in state.table.borrowed
        for colour in state.owners.colours_of(other)
    ]


def _loan_label(owners: Owners, seat: int, colour: int) -> Text:
    others = [other for other in owners.colours_of(owners.of(colour)) if other != colour]
    if not others:
        return pieces_of(owners, seat, colour)
    known = {"colour": colour_name(colour), "other": colour_name(others[0])}
    return say("{who}’s pieces, {colour} and {other}", who=seat_name(owners.of(colour)), **known)


def play_borrow(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Let the player in turn also move the named player's pieces."""
    other = state.owners.of(COLOURS.index(rest[0]))
    phrase = say("may move {other}’s pieces too this turn", other=seat_name(other))
    events.append(deed("borrow", seat, phrase, affects=(other,)))
    return replace(state.table, borrowed=(*state.table.borrowed, other))


def faceoff_choices(state: State, _seat: int, rest: Action) -> list[Choice]:
    """Return the choices for Face-Off: two pucks on the board, each named by its colour and its word."""
    if not state.whole:
        return []
    pucks = [state.pieces[index] for index in pucks_on_board(state)]
    if len(pucks) < 2:
        return []
    if len(rest) >= 2:
        first = [puck for puck in pucks if (puck.shade, puck.word) == rest[:2]]
        if not first:
            return []
        pucks.remove(first[0])
    later = rest[2:] if len(rest) >= 2 else rest
    if not later:
        colours = sorted({puck.colour for puck in pucks})
        return [Choice(COLOURS[colour], pucks_of(state.owners, colour), final=False) for colour in colours]
    if len(later) > 1:
        return []
    return [Choice(puck.word, piece_label(puck), final=len(rest) == 3) for puck in pucks if puck.shade == later[0]]


def play_faceoff(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Let the two pucks change places."""
    first, second = (state.of_colour(COLOURS.index(rest[i]))[rest[i + 1]] for i in (0, 2))
    places = list(state.table.places)
    points = state.grid().points
    before = points[places[first]], points[places[second]]
    places[first], places[second] = places[second], places[first]
    one, two = state.pieces[first], state.pieces[second]
    known = {"one": called_by(state.owners, seat, one), "two": called_by(state.owners, seat, two)}
    phrase = say("swaps {one} with {two}", **known)
    affected = others(owners_of_pieces(state, (one, two)), seat)
    events.append(deed("faceoff", seat, phrase, detail=PucksSwapped(one, two, before), affects=affected))
    return replace(state.table, places=tuple(places))


def review_choices(state: State, seat: int, rest: Action) -> list[Choice]:
    """Return the choices for Video Review: an opponent's colour that has a scored puck, then an empty start space for pucks."""
    if not state.whole or len(rest) > 1:
        return []
    standing = set(state.table.places)
    empty = [s for s, mark in enumerate(state.grid().marks) if mark == "P" and s not in standing]
    colours = reviewable(state, seat) if empty else ()
    if not rest:
        return [Choice(COLOURS[colour], pucks_of(state.owners, colour), final=False) for colour in colours]
    if rest[0] not in {COLOURS[colour] for colour in colours}:
        return []
    return [Choice(name, plain(name), final=True) for name in map(space_name, empty)]


def reviewable(state: State, seat: int) -> tuple[int, ...]:
    """Return the colours of a seat's opponents with a scored puck."""
    owners = state.owners
    theirs = [colour for colour in range(owners.colours) if owners.of(colour) != seat and owners.of(colour) in state.live]
    return tuple(colour for colour in theirs if scored_in(state, colour))


def play_review(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Put a scored puck back on the start space. If there are several, it is the one with the lowest number."""
    own = state.of_colour(COLOURS.index(rest[0]))
    index = next(i for i in own.values() if state.pieces[i].kind is PieceKind.PUCK and state.table.places[i] == SCORED)
    space = space_of(rest[1], state.table.mats)
    puck = state.pieces[index]
    phrase = say("puts {puck} back on {space}", puck=called_by(state.owners, seat, puck), space=plain(rest[1]))
    detail = PiecePlaced(puck, rest[1], state.grid().points[space])
    affected = owners_of_pieces(state, (puck,))
    events.append(deed("review", seat, phrase, detail=detail, major=True, affects=affected))
    places = state.table.places
    return replace(state.table, places=(*places[:index], space, *places[index + 1 :]))


def play_ongoing(state: State, card_id: str) -> Table:
    """Let Thin Ice or Slush replace the ongoing card in force."""
    return replace(state.table, ongoing=card_id, net_off=None)


def net_off_choices(state: State, _seat: int, rest: Action) -> Iterable[Choice]:
    """Yield the choices for Net Off: the mats with a goal."""
    if rest:
        return []
    mats = state.table.mats
    return _mats(mats, (mat.id for mat in mats if mat.face.front is not None), final=True)


def play_net_off(state: State, seat: int, rest: Action, events: list[Event]) -> Table:
    """Close the goal of the named mat. The card replaces the ongoing card in force."""
    phrase = say("closes the goal on mat {letter}", letter=rest[0])
    events.append(deed("net-off", seat, phrase, major=True, affects=others(state.live, seat)))
    return replace(state.table, ongoing="net-off", net_off=rest[0])
