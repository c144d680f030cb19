"""The questions to a seat: at first what a spectator may know, then one after each token of the seat's action."""

from typing import Final

from engines.game import Action
from engines.pucks.board.names import called_by, colour_name, relation_name
from engines.pucks.board.pieces import COLOURS, Owners
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase, PucksView
from engines.pucks.cards.cards import can_play_any, playable_cards
from engines.pucks.cards.quick import name_of
from engines.pucks.play import moves, placing
from engines.pucks.play.turns import may_end, to_act
from engines.text import Text, say, say_n, seat_name


def question(view: PucksView, seat: int) -> Text:
    """Return the question to a seat for which the game waits, in words that others may read, after a name and a comma."""
    if view.winning is not None:
        return say("{who} is about to win. Whistle, or let it stand?", who=seat_name(view.winning))
    match view.phase:
        case Phase.PLACE:
            colours = view.colours_of(seat)
            if all(placed.piece.colour not in colours for placed in view.pieces):
                return say("which piece do you place first?")
            left = sum(piece.colour in colours for piece in view.beside)
            return say_n("place your last piece.", "which piece is next? You have {n} left.", left)
        case Phase.DRAW:
            return say_n("draw {n} card to start your turn.", "draw {n} cards to start your turn.", view.draw_rule)
        case Phase.DISCARD:
            over = view.hand_sizes[seat] - view.hand_limit
            return say_n("your hand is too full: discard {n} card.", "your hand is too full: discard {n} cards.", over)
        case Phase.ACT:
            return _acting(view)


def _acting(view: PucksView) -> Text:
    left = view.allowed - view.taken
    if not view.whole:
        return say("how do you put the mats back together?")
    if left <= 0:
        return say("no actions left. Play a card, or end your turn?")
    return say_n("what’s your move? {n} action left.", "what’s your move? {n} actions left.", left)


def prompt(state: State, seat: int, prefix: Action) -> Text | None:
    """Return the question to a seat after these tokens, or None while `question` still stands. It reveals no other hand."""
    if not prefix:
        return _at_first(state, seat) if seat in to_act(state) else say("Play a quick card?")
    first, rest = prefix[0], prefix[1:]
    if first == "play":
        return _with_card(state, rest[0], rest[1:]) if rest else _which_card(state, seat)
    if first == "discard":
        return say("Discard this card?") if rest else say("Which card do you discard?")
    if first == "place":
        return _placing(state, seat, rest)
    if first in {"auto", "draw", "end", "pass"}:
        return say("Play it?")
    return _moving(state, seat, prefix)


def _at_first(state: State, seat: int) -> Text | None:
    """Return that a seat can only end its turn, and why, or None if it can do anything else."""
    if state.phase is not Phase.ACT or state.winning or not may_end(state) or can_play_any(state, seat):
        return None
    if state.taken >= state.allowed:
        return say("No actions left: none of your cards can be played now.")
    return say("No piece can move, and none of your cards can be played now.")


def _which_card(state: State, seat: int) -> Text:
    if state.last is not None and playable_cards(state, seat) == ["whistle"]:
        return say("Undo {action}?", action=name_of(state, state.last))
    return say("Which card?")


def _placing(state: State, seat: int, rest: Action) -> Text:
    colour, named = placing.split(state, seat, rest)
    if colour is None:
        return say("Which colour do you place?")
    if not named:
        return say("Which piece do you place?")
    if len(named) == 1:
        piece = state.pieces[state.of_colour(colour)[named[0]]]
        return say("Where does {piece} go?", piece=called_by(state.owners, seat, piece))
    return say("Place it there?")


def _moving(state: State, seat: int, prefix: Action) -> Text:
    colour, rest = moves.split(state, prefix)
    if not rest or colour is None:
        return _of_which(state.owners, COLOURS.index(prefix[0]))
    if len(rest) == 1:
        piece = state.pieces[state.of_colour(colour)[rest[0]]]
        return say("Which way does {piece} go?", piece=called_by(state.owners, seat, piece))
    return say("Play it?")


def _of_which(owners: Owners, colour: int) -> Text:
    if owners.each > 1:
        return say("Which {colour} piece?", colour=colour_name(colour))
    return say("Which of {who}’s pieces?", who=seat_name(colour))


def _with_card(state: State, card_id: str, named: Action) -> Text:
    match card_id, *named:
        case "shift", *_:
            asked = _shifting(named)
        case "mix", *_:
            asked = _mixing(named)
        case "faceoff", *_:
            asked = _facing_off(state, named)
        case "swap", letter:
            asked = say("Which mat do you swap mat {letter} with?", letter=letter)
        case "twist", letter:
            asked = say("How far do you turn mat {letter}?", letter=letter)
        case "review", _:
            asked = say("Where does the puck go?")
        case _:
            asked = None if named else _FIRST_TARGET.get(card_id)
    return say("Play it?") if asked is None else asked


_FIRST_TARGET: Final = {
    "swap": say("Which mat do you swap?"),
    "twist": say("Which mat do you turn?"),
    "borrow": say("Whose pieces do you like more?"),
    "salvage": say("Which card do you take?"),
    "review": say("Whose puck comes back?"),
    "net-off": say("Which goal do you close?"),
}


def _shifting(named: Action) -> Text | None:
    if not named:
        return say("Which mat do you move?")
    if len(named) == 1:
        return say("Where does mat {letter} go?", letter=named[0])
    if len(named) == 2:
        return say("Mat {letter} goes {where} which mat?", letter=named[0], where=relation_name(named[1]))
    return None


def _mixing(named: Action) -> Text | None:
    done, begun = divmod(len(named), 3)
    if named[-1:] == ("done",):
        return None
    if begun:
        return _shifting(named[3 * done :])
    return say("Move another mat, or done?") if done else say("Which mat do you move first?")


def _facing_off(state: State, named: Action) -> Text | None:
    if not named:
        return say("Whose puck first?")
    if len(named) in {1, 3}:
        return _which_puck(state.owners, state.to_move, COLOURS.index(named[-1]))
    if len(named) == 2:
        first = state.pieces[state.of_colour(COLOURS.index(named[0]))[named[1]]]
        return say("Whose puck do you swap {puck} with?", puck=called_by(state.owners, state.to_move, first))
    return None


def _which_puck(owners: Owners, seat: int, colour: int) -> Text:
    if owners.each > 1:
        return say("Which {colour} puck?", colour=colour_name(colour))
    if colour == seat:
        return say("Which of your pucks?")
    return say("Which of {who}’s pucks?", who=seat_name(colour))
