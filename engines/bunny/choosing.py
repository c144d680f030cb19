"""The choices in Bounce Bunny Bounce, and the prompts for them. None of them depends on a card that lies face down."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from engines.bunny.field import DIRECTIONS, ROWS, Card, Direction, Space, entrances, next_card, wraps
from engines.bunny.position import BunnyState, face, hidden_spaces, swappable
from engines.bunny.story import on_space, over_the_edge
from engines.bunny.views import BunnyView
from engines.game import Action, Choice, Shortcut, Token
from engines.text import Text, plain, say, seat_name

ARROWS: Final[dict[Direction, str]] = {"left": "⬅️", "right": "➡️", "up": "⬆️", "down": "⬇️"}


def choices(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    """Yield the tokens that may follow a prefix, for the seat that must choose."""
    return {"move": _movements, "swap": _swaps, "spy": _spies, "shock": _shocks}[state.phase](state, prefix)


_WAYS: Final[dict[Direction, Text]] = {"left": say("Left"), "right": say("Right"), "up": say("Up"), "down": say("Down")}


@cache
def _direction(direction: Direction, space: Space, shown: Card | None, bumped: int | None, *, wrapped: bool) -> Choice:
    """Return a direction as a choice, with the public face of the space to which it leads and the Bunny that it would bump."""
    way, there = _WAYS[direction], over_the_edge(on_space(space, shown)) if wrapped else on_space(space, shown)
    if bumped is None:
        label = say("{way} → {space}", way=way, space=there)
    else:
        label = say("{way} → {space}, bumps {who}", way=way, space=there, who=seat_name(bumped))
    return Choice(direction, label, final=True, symbol=ARROWS[direction])


@cache
def _space(token: Token, space: Space, shown: Card | None, *, final: bool) -> Choice:
    return Choice(token, on_space(space, shown), final)


def _directions(state: BunnyState, space: Space) -> Iterator[Choice]:
    for direction in DIRECTIONS:
        ahead = next_card(state.field, space, direction)
        if ahead is not None:
            bumped = next((seat for seat, there in enumerate(state.bunnies) if there == ahead), None)
            yield _direction(direction, ahead, face(state, ahead), bumped, wrapped=wraps(space, direction, ahead))


def _movements(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    seat = state.to_choose
    space = state.bunnies[seat]
    if space is not None:
        yield from () if prefix else _directions(state, space)
    elif not prefix:
        yield Choice("enter", say("Hop in"), final=False, deed=say("hop in"))
    elif prefix == ("enter",):
        for entrance in entrances(state.field, state.bunnies[1 - seat]):
            yield _space(entrance[0], entrance, face(state, entrance), final=True)


def _swaps(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    if not prefix:
        yield Choice("swap", say("Swap two cards"), final=False, deed=say("swap two cards"))
    elif prefix[0] == "swap" and len(prefix) <= 2:
        spaces = swappable(state)
        if len(prefix) == 1 or prefix[1] in spaces:
            for space in spaces:
                if space not in prefix:
                    yield _space(space, space, face(state, space), final=len(prefix) == 2)


def _spies(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    if not prefix:
        yield Choice("spy", say("Peek at a card"), final=False, deed=say("peek at a card"))
    elif prefix == ("spy",):
        yield from (_space(space, space, None, final=True) for space in hidden_spaces(state))


def _shocks(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    seat = 1 - state.turn
    other = state.bunnies[seat]
    if not prefix:
        yield Choice("shock", say("Spend a shock"), final=False, deed=say("spend a shock"))
        yield Choice("pass", _KEEP, final=True, deed=say("keep your shock"))
    elif prefix == ("shock",) and other is not None:
        yield from _directions(state, other)


_KEEP: Final = say("Keep it")


def shortcuts(view: BunnyView) -> tuple[Shortcut, ...]:
    """Return, as buttons, the directions in which a Bunny on the field can go or, in the shock phase, the choice to pass."""
    if not view.to_act:
        return ()
    space = view.bunnies[view.to_act[0]]
    if view.phase == "shock":
        return (Shortcut(("pass",), _KEEP),)
    if view.phase == "move" and space is not None:
        field = tuple(face for _, face in view.field)
        ways = [direction for direction in DIRECTIONS if next_card(field, space, direction)]
        return tuple(Shortcut((direction,), _WAYS[direction]) for direction in ways)
    return ()


def question(view: BunnyView, seat: int) -> Text:
    """Return the question to the seat that must choose, in words that follow its name and a comma."""
    match view.phase:
        case "move":
            return say("where does your Bunny hop in?") if view.bunnies[seat] is None else say("which way do you hop?")
        case "swap":
            return say("which two cards do you swap?")
        case "spy":
            return say("which card do you peek at?")
        case "shock":
            return say("shock {other}’s Bunny? Pick a direction, or keep your shock.", other=seat_name(1 - view.turn))


_ORDERS: Final[dict[Token, Text]] = {
    "left": say("Hop left"), "right": say("Hop right"), "up": say("Hop up"), "down": say("Hop down"),
    "pass": say("Keep the shock"),
}  # fmt: skip


def wording(state: BunnyState, action: Action) -> Text | None:
    """Return a legal action in words, or None if the labels of its tokens say it."""
    match action:
        case ("left" | "right" | "up" | "down" | "pass" as token,):
            return _ORDERS[token]
        case ("enter", column):
            return say("Hop in on {space}", space=plain(column + ROWS[0]))
        case ("swap", first, second):
            return say("Swap {first} and {second}", first=plain(first), second=plain(second))
        case ("spy", space):
            return say("Peek at {space}", space=plain(space))
        case ("shock", "left" | "right" | "up" | "down" as way):
            return say("Shock {other} {way}", other=seat_name(1 - state.turn), way=_TOWARDS[way])
    return None


_TOWARDS: Final[dict[Direction, Text]] = {"left": say("left"), "right": say("right"), "up": say("up"), "down": say("down")}


def prompt(state: BunnyState, prefix: Action) -> Text | None:
    """Return the prompt after these tokens, or None while the question still stands."""
    match prefix:
        case ("swap", first):
            return say("Which card do you swap {card} with?", card=plain(first))
        case ("shock",):
            return say("Which way does {other} hop?", other=seat_name(1 - state.turn))
    return None


def region_prompt(prefix: Action, region: Text | None) -> Text:
    """Return the prompt for picking a row or, once a row (`region`) is picked, a card in it."""
    if region is not None:
        return say("{region}: which card?", region=region)
    match prefix:
        case ("swap",):
            return say("First card: which row?")
        case ("swap", _):
            return say("Second card: which row?")
    return say("Which row is it in?")
