"""Why a token is not possible, in sentences to the player who tried it. None depends on cards that the player does not know."""

import re
from typing import Final

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS, NOWHERE, Barrier, space_name
from engines.pucks.board.motion import SCORED, Rink, move
from engines.pucks.board.names import called_by, colour_name, colour_of, piece_name
from engines.pucks.board.pieces import COLOURS, Piece, PieceKind
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.pucks.play import moves, placing
from engines.pucks.play.turns import answerers, has_action
from engines.pucks.words import whynot_cards
from engines.text import Text, plain, say, say_n, seat_name

_PIECE: Final = re.compile(r"[mip][1-9]")
_ALONE: Final = {"draw", "end", "pass", "auto"}


def why_not(state: State, seat: int, action: Action, index: int) -> Text | None:
    """Return why the token at `index` is not possible after those before it, or None if there is nothing better to say."""
    token, before = action[index], action[:index]
    if not before:
        return _at_first(state, seat, token)
    if before[0] == "place":
        return _not_placed(state, seat, before[1:], token)
    if before[0] in {"play", "discard"}:
        return _no_such_card(state, seat, before, token)
    if before[0] in _ALONE:
        return None
    return _not_moved(state, seat, before, token)


def _no_such_card(state: State, seat: int, before: Action, token: str) -> Text | None:
    if before == ("play",):
        return whynot_cards.not_playable(state, seat, token)
    if before == ("discard",):
        return whynot_cards.not_held(state, seat, token)
    return whynot_cards.not_named(state, seat, before[1], before[2:], token) if before[0] == "play" else None


def _at_first(state: State, seat: int, token: str) -> Text | None:
    known = {"play", "pass", "place", "auto", "draw", "end", "discard"}
    if token not in known and colour_of(token, state.owners) is None and not _PIECE.fullmatch(token):
        return None
    if token == "play":
        return _no_card(state, seat)
    if token == "pass":
        return _no_pass(state, seat)
    return _not_your_turn(state, seat) or _not_this_phase(state, token) or _not_now(state, seat, token)


def _not_your_turn(state: State, seat: int) -> Text | None:
    if state.winning:
        return say("{who} wins unless somebody whistles.", who=seat_name(state.winning[0]))
    if seat != state.to_move:
        return say("It’s {who}’s turn. You can only play quick cards.", who=seat_name(state.to_move))
    return None


def _not_this_phase(state: State, token: str) -> Text | None:
    if state.phase is Phase.PLACE:
        return say("All pieces have to be placed first.")
    if token in {"place", "auto"}:
        return say("All pieces are already placed.")
    if state.phase is Phase.DRAW:
        return say("Draw first.")
    if state.phase is Phase.DISCARD:
        return say("You’ve had your actions. Discard down to {limit} cards.", limit=state.hand_limit)
    return None


def _no_card(state: State, seat: int) -> Text:
    if not state.rules.cards:
        return say("Old school is played without cards.")
    if state.phase is Phase.PLACE:
        return say("You can’t play cards until all pieces are placed.")
    if not state.hands[seat]:
        return say("Your hand is empty.")
    return say("You can’t play any of your cards now.")


def _no_pass(state: State, seat: int) -> Text:
    if not state.winning:
        return say("There’s no win to let stand.")
    if seat in state.passed and seat not in answerers(state):
        return say("You’ve already let it stand.")
    return say("You don’t get a say in this win.")


def _not_now(state: State, seat: int, token: str) -> Text | None:
    if token in {"draw", "discard"} and not state.rules.cards:
        return say("Old school is played without cards.")
    if token == "draw":
        return say("You’ve already drawn.")
    if token == "discard":
        return say("You discard at the end of your turn.")
    if token == "end":
        return _no_end(state)
    if token in COLOURS:
        return _no_colour(state, seat, COLOURS.index(token))
    return _no_move(state, seat, seat, token) if state.owners.each == 1 else _colour_first(state, seat, token)


def _no_colour(state: State, seat: int, colour: int) -> Text:
    owners = state.owners
    owner = owners.of(colour)
    if owner == seat and owners.each == 1:
        return say("Name your own pieces without a colour.")
    if owner not in moves.movers(state):
        return say("You haven’t borrowed {who}’s pieces.", who=seat_name(owner))
    if (reason := _no_piece_moves(state)) is not None:
        return reason
    if owners.each > 1:
        return say("None of the {colour} pieces can move.", colour=colour_name(colour))
    return say("None of {who}’s pieces can move.", who=seat_name(colour))


def _colour_first(state: State, seat: int, word: str) -> Text | None:
    """Return that the piece's colour has to be named, or None if no piece has that name."""
    colours = state.owners.colours_of(seat)
    if not _PIECE.fullmatch(word):
        return None
    if word not in state.of_colour(seat):
        return say("There’s no piece called {word}.", word=plain(word))
    one, other = (plain(f"{COLOURS[colour]} {word}") for colour in colours)
    return say("Say which colour first: {one} or {other}.", one=one, other=other)


def _no_end(state: State) -> Text | None:
    if not state.whole:
        return say("The mats must all be connected before your turn can end.")
    if has_action(state):
        left = state.allowed - state.taken
        return say_n("You still have {n} action to take.", "You still have {n} actions to take.", left)
    return None


def _no_piece_moves(state: State) -> Text | None:
    """Return why no piece at all can be moved now, or None if some can."""
    if state.taken >= state.allowed:
        return say("You have no actions left.")
    if not state.whole:
        return say("No piece can move until the mats are all connected.")
    return None


def _not_moved(state: State, seat: int, before: Action, token: str) -> Text | None:
    colour, rest = moves.split(state, before)
    if colour is None or len(rest) > 1:
        return None
    return _why_blocked(state, seat, colour, rest[0], token) if rest else _no_move(state, seat, colour, token)


def _no_move(state: State, seat: int, colour: int, word: str) -> Text | None:
    if not _PIECE.fullmatch(word):
        return None
    index = state.of_colour(colour).get(word)
    if index is None:
        return say("There’s no piece called {word}.", word=plain(word))
    return _off_board(state, seat, index) or _no_piece_moves(state) or _why_stuck(state, seat, index)


def _off_board(state: State, seat: int, index: int) -> Text | None:
    name = called_by(state.owners, seat, state.pieces[index])
    if state.table.places[index] == SCORED:
        return say("You can’t move {piece}: it’s scored.", piece=name)
    return None if state.table.places[index] >= 0 else say("You can’t move {piece}: it isn’t on the board.", piece=name)


def _why_stuck(state: State, seat: int, index: int) -> Text:
    name, rink = called_by(state.owners, seat, state.pieces[index]), state.rink()
    if any(move(rink, state.table.places, index, direction) for direction in range(4)):
        return say("You can’t move {piece}: that would undo your previous move.", piece=name)
    if state.pieces[index].kind is PieceKind.MEEPLE:
        return say("You can’t move {piece}: there’s no open space next to it, and nothing it can bump.", piece=name)
    return say("You can’t move {piece}: there’s no open space next to it.", piece=name)


def _why_blocked(state: State, seat: int, colour: int, word: str, token: str) -> Text | None:
    if token not in DIRECTIONS:
        return None
    rink, direction = state.rink(), DIRECTIONS.index(token)
    index = state.of_colour(colour)[word]
    if move(rink, state.table.places, index, direction) is not None:
        return say("That would undo your previous move.")
    space = state.table.places[index]
    ahead = rink.grid.neighbours[4 * space + direction]
    if ahead == NOWHERE:
        return _why_barred(rink, space, direction)
    other = state.pieces[state.table.places.index(ahead)]
    return _in_the_way(state.pieces[index], other, called_by(state.owners, seat, other))


def _in_the_way(mover: Piece, other: Piece, who: Text) -> Text:
    if mover.kind is not PieceKind.MEEPLE:
        return say("The space next to it isn’t open: {piece} is there.", piece=who)
    if other.kind is PieceKind.MEEPLE:
        return say("Meeples can’t be bumped, and {piece} is there.", piece=who)
    return say("You can’t bump {piece}: the space behind it isn’t open.", piece=who)


def _why_barred(rink: Rink, space: int, direction: int) -> Text:
    barrier = rink.grid.barriers[4 * space + direction]
    name = space_name(space)
    if barrier is Barrier.WALL:
        return say("There’s a wall next to {space}.", space=name)
    if barrier is Barrier.POOL:
        return say("There’s a pool next to {space}.", space=name)
    if barrier is Barrier.NET:
        return say("Net Off has closed that goal.")
    return say("The board ends at {space}.", space=name)


def _not_placed(state: State, seat: int, rest: Action, token: str) -> Text | None:
    colour, named = placing.split(state, seat, rest)
    if colour is None:
        return _no_colour_placed(state, seat, token)
    if not named:
        index = state.of_colour(colour).get(token)
        if index is None or index in placing.unplaced_pieces(state, seat):
            return None
        return say("You’ve already placed {piece}.", piece=piece_name(state.owners, state.pieces[index]))
    kind = state.pieces[state.of_colour(colour)[named[0]]].kind
    return placing.not_free(state, kind, token) if len(named) == 1 else None


def _no_colour_placed(state: State, seat: int, token: str) -> Text | None:
    colour = colour_of(token, state.owners)
    if colour is None:
        return _colour_first(state, seat, token)
    owner = state.owners.of(colour)
    if owner != seat:
        return say("Those are {who}’s pieces.", who=seat_name(owner))
    return say("All {colour} pieces are already placed.", colour=colour_name(colour))
