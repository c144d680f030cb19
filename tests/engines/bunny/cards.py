"""Fields of Bounce Bunny Bounce written as the cards that matter; the rest of the deck lies face down on the other spaces."""

from collections import Counter
from typing import Any

from engines.bunny import Bunny, BunnyState
from engines.bunny.field import CARROTS, SHUFFLED, SPACES
from engines.game import Step

GAME = Bunny()


def field(cards: dict[str, str], taken: int = 0) -> dict[str, str]:
    """A whole field: the given cards, and the rest of the deck on the other spaces, Carrots and empty spaces at the top."""
    rest = Counter({**Counter(SHUFFLED), "carrot": CARROTS - taken, "empty": taken})
    rest.subtract(cards.values())
    assert min(rest.values()) >= 0, "more cards than there are"
    order = [card for card in ("carrot", "empty", *dict.fromkeys(SHUFFLED)) for _ in range(rest[card])]
    free = [space for space in reversed(SPACES) if space not in cards]
    filled = {**cards, **dict(zip(free, order, strict=True))}
    return {space: filled[space] for space in SPACES}


def position(cards: dict[str, str], **changes: Any) -> dict[str, Any]:
    carrots = changes.get("carrots", [0, 0])
    turn = changes.get("turn", 0)
    return {
        "field": field(cards, sum(carrots)),
        "face_up": [],
        "bunnies": [None, None],
        "shocks": [3, 3],
        "carrots": carrots,
        "to_act": turn,
        "phase": "move",
        "turn": turn,
        "quiet_turns": 0,
        **changes,
    }


def table(cards: dict[str, str], **changes: Any) -> BunnyState:
    """Seat 0 (Red) is to move unless `changes` say otherwise."""
    return GAME.from_position(position(cards, **changes))


def play(state: BunnyState, *actions: str) -> Step[BunnyState]:
    """Play each action by whoever must choose; return the last step."""
    for action in actions:
        (seat,) = GAME.to_act(state)
        step = GAME.play(state, seat, tuple(action.split()))
        state = step.state
    return step


def offered(state: BunnyState, *prefix: str) -> list[str]:
    (seat,) = GAME.to_act(state)
    return [choice.token for choice in GAME.choices(state, seat, prefix)]


def told(step: Step[BunnyState]) -> list[str]:
    return [event.text for event in step.events]


def now(state: BunnyState) -> tuple[int, str, int]:
    """The seat in turn, the phase, and the seat to choose."""
    return state.turn, state.phase, state.to_choose


def shock_phase(cards: dict[str, str], other: str, **changes: Any) -> BunnyState:
    """Red has entered on a Stop on a1; Blue's Bunny is on `other`."""
    return table({"a1": "stop", other: "stop", **cards}, bunnies=["a1", other], phase="shock", **changes)
