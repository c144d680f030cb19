"""Tells a player why a typed action is impossible in Bounce Bunny Bounce. Never reveals a card that lies face down."""

from typing import Final

from engines.bunny.field import COLUMNS, DIRECTIONS, ROWS, SPACES, Direction, Space, card_on
from engines.bunny.position import BunnyState, hidden_spaces
from engines.game import Action, Token
from engines.text import Text, plain, say, seat_name

_PARTS: Final = {"enter", "swap", "spy", "shock", "pass", *DIRECTIONS, *COLUMNS, *SPACES}


def why_not(state: BunnyState, action: Action, index: int) -> Text | None:
    """Return why the token at `index` is impossible after those before it, or None if the reason is plain."""
    token = action[index]
    if index == 0:
        return _not_now(state, token) if token in _PARTS else None
    if (action[0], index) == ("swap", 2):
        return say("Swap {space} with another card.", space=plain(token)) if token == action[1] else _not_to_swap(state, token)
    follows = {"enter": _not_there, "shock": _not_that_way, "swap": _not_to_swap, "spy": _not_to_spy}.get(action[0])
    return None if follows is None or index > 1 else follows(state, token)


def _not_now(state: BunnyState, token: Token) -> Text | None:
    if state.phase == "move":
        return _not_to_move(state, token)
    if state.phase == "swap":
        return say("Your Bunny landed on a Swap: name two cards, as in `swap b3 e5`.")
    if state.phase == "spy":
        return say("Your Bunny landed on a Spy: name a card, as in `spy d2`.")
    if token in DIRECTIONS:
        other = seat_name(1 - state.turn)
        return say("Your Bunny has already hopped. `shock {way}` makes {other} hop.", way=plain(token), other=other)
    return say("Your Bunny has already hopped.")


def _not_to_move(state: BunnyState, token: Token) -> Text:
    space = state.bunnies[state.to_choose]
    if space is None and token[0] in COLUMNS and token[1:] in {"", ROWS[0]}:
        return say("To hop in on {space}, type `enter {column}`.", space=plain(token[0] + ROWS[0]), column=plain(token[0]))
    if space is None and token in DIRECTIONS:
        return say("Your Bunny isn’t on the field yet. It hops in on row 1: `enter c`.")
    if space is not None and token == "enter":
        return say("Your Bunny is already on the field.")
    if space is not None and token in DIRECTIONS:
        return _nowhere(space, token)
    return say("Your Bunny hops first; then you’ll see what its card lets you do.")


def _not_that_way(state: BunnyState, token: Token) -> Text | None:
    space = state.bunnies[1 - state.turn]
    return _nowhere(space, token) if space is not None and token in DIRECTIONS else None


def _nowhere(space: Space, way: Direction | Token) -> Text:
    if way in {"left", "right"}:
        return say("There’s no other card in row {row} to hop to.", row=plain(space[1]))
    return say("There’s no other card in column {column} to hop to.", column=plain(space[0]))


def _not_there(state: BunnyState, token: Token) -> Text | None:
    if token in SPACES and token[1] != ROWS[0]:
        return say("A Bunny can only hop in on row 1.")
    if token in SPACES:
        return say("Just the column will do: `enter {column}`.", column=plain(token[0]))
    if token not in COLUMNS:
        return say("The columns go from a to g.") if len(token) == 1 else None
    space, other = token + ROWS[0], 1 - state.to_choose
    if state.bunnies[other] == space:
        return say("{other} is already on {space}.", other=seat_name(other), space=plain(space))
    return _no_card(space)


def _not_to_swap(state: BunnyState, token: Token) -> Text | None:
    if token not in SPACES:
        return _off_field(token)
    if card_on(state.field, token) == "empty":
        return _no_card(token)
    return say("The card on {space} has a Bunny on it and stays where it is.", space=plain(token))


def _not_to_spy(state: BunnyState, token: Token) -> Text | None:
    if token not in SPACES:
        return _off_field(token)
    if card_on(state.field, token) == "empty":
        return _no_card(token)
    assert token not in hidden_spaces(state)
    return say("The card on {space} is already face up.", space=plain(token))


def _no_card(space: Space) -> Text:
    return say("There’s no card on {space} any more.", space=plain(space))


def _off_field(token: Token) -> Text | None:
    return say("The field goes from a1 to g5.") if len(token) == 2 and token[1].isdecimal() else None
