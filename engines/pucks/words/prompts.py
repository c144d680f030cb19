"""The questions to a seat after its first token; before that, the one of `questions` stands."""

from engines.game import Action
from engines.pucks.board.names import called_by, colour_name, relation_name
from engines.pucks.board.pieces import COLOURS, Owners
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.pucks.cards.cards import can_play_any, playable_cards
from engines.pucks.cards.quick import name_of
from engines.pucks.play import moves, placing
from engines.pucks.play.turns import may_end, to_act
from engines.text import Text, say, seat_name


def prompt(state: State, seat: int, prefix: Action) -> Text | None:
    """Return the question to a seat after these tokens, or None while the earlier question still stands.

    Depends on public facts and the seat's own hand alone.
    """
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
    """Return why a seat can only end its turn, or None if it can do anything else."""
    if state.phase is not Phase.ACT or state.winning or not may_end(state) or can_play_any(state, seat):
        return None
    if state.taken >= state.allowed:
        return say("No actions left: none of your cards can be played now.")
    return say("No piece can move, and none of your cards can be played now.")


def _which_card(state: State, seat: int) -> Text:
    """Ask which card, or, if it can only be a Whistle, whether to undo that action."""
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
    """Return the question about the targets of a card."""
    asked = {
        "shift": _shifting,
        "mix": _mixing,
        "swap": _swapping,
        "twist": _twisting,
        "borrow": _borrowing,
        "salvage": _salvaging,
        "faceoff": _facing_off,
        "review": _reviewing,
        "net-off": _closing,
    }.get(card_id)
    found = asked(state, named) if asked else None
    return say("Play it?") if found is None else found


def _shifting(_state: State, named: Action) -> Text | None:
    if not named:
        return say("Which mat do you move?")
    if len(named) == 1:
        return say("Where does mat {letter} go?", letter=named[0])
    if len(named) == 2:
        return say("Mat {letter} goes {where} which mat?", letter=named[0], where=relation_name(named[1]))
    return None


def _mixing(state: State, named: Action) -> Text | None:
    done, begun = divmod(len(named), 3)
    if named[-1:] == ("done",):
        return None
    if begun:
        return _shifting(state, named[3 * done :])
    return say("Move another mat, or done?") if done else say("Which mat do you move first?")


def _swapping(_state: State, named: Action) -> Text | None:
    if not named:
        return say("Which mat do you swap?")
    return say("Which mat do you swap mat {letter} with?", letter=named[0]) if len(named) == 1 else None


def _twisting(_state: State, named: Action) -> Text | None:
    if not named:
        return say("Which mat do you turn?")
    return say("How far do you turn mat {letter}?", letter=named[0]) if len(named) == 1 else None


def _borrowing(_state: State, named: Action) -> Text | None:
    return None if named else say("Whose pieces do you like more?")


def _salvaging(_state: State, named: Action) -> Text | None:
    return None if named else say("Which card do you take?")


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


def _reviewing(_state: State, named: Action) -> Text | None:
    if not named:
        return say("Whose puck comes back?")
    return say("Where does the puck go?") if len(named) == 1 else None


def _closing(_state: State, named: Action) -> Text | None:
    return None if named else say("Which goal do you close?")
