"""The state of a game of Bounce Bunny Bounce, questions about it, and the state as JSON."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from engines.bunny.field import COLUMNS, DIRECTIONS, SHUFFLED, SPACES, Card, Field, Space, card_on, next_card
from engines.chance import UNSEEDED, Chance
from engines.game import stream_of
from engines.text import say, seat_name

Phase = Literal["move", "swap", "spy", "shock"]
CARROTS_TO_WIN: Final = 3
SHOCKS: Final = 3
QUIET_TURNS: Final = 80
_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)


@dataclasses.dataclass(frozen=True, slots=True)
class BunnyState:
    """A game of Bounce Bunny Bounce.

    Attributes:
        field: the card on each space, in the order of `SPACES`.
        face_up: the spaces whose cards lie face up. Carrots always do.
        bunnies: for each seat, the space of its Bunny, or None if the Bunny is off the field.
        to_choose: the seat that must choose: the one in turn, or the other if its Bunny was sent onto a Swap or a Spy.
        phase: the kind of choice. Once Carrots or quiet turns have ended the game, it is "move".
        quiet_turns: the number of turns in a row without a Carrot. It changes at the end of each turn.
        carrot_taken: whether a Carrot was taken this turn.
        spied: for each seat, the present space of the card that its Spy saw, or None. The next movement clears both.
        left: the seat that has left the game, or None.
        chance: the stream from which the deal was drawn. Comparing states ignores it.
    """

    field: Field
    face_up: frozenset[Space]
    bunnies: tuple[Space | None, Space | None] = (None, None)
    shocks: tuple[int, int] = (SHOCKS, SHOCKS)
    carrots: tuple[int, int] = (0, 0)
    turn: int = 1
    to_choose: int = 1
    phase: Phase = "move"
    quiet_turns: int = 0
    carrot_taken: bool = False
    spied: tuple[Space | None, Space | None] = (None, None)
    left: int | None = None
    chance: Chance = dataclasses.field(default=UNSEEDED, compare=False, repr=False)


def is_over(state: BunnyState) -> bool:
    """Whether the game is over: by three Carrots, 80 quiet turns, or because a player left."""
    return max(state.carrots) >= CARROTS_TO_WIN or state.quiet_turns >= QUIET_TURNS or state.left is not None


def may_shock(state: BunnyState) -> bool:
    """Whether the seat in turn could spend a Universal Shock now."""
    return state.shocks[state.turn] > 0 and state.bunnies[1 - state.turn] is not None


def face(state: BunnyState, space: Space) -> Card | None:
    """Return the public face of a space: its card, "empty", or None if its card lies face down."""
    card = card_on(state.field, space)
    return card if card == "empty" or space in state.face_up else None


def swappable(state: BunnyState) -> list[Space]:
    """Return the spaces whose cards can be swapped: all except empty ones and those under a Bunny."""
    return [space for space in SPACES if card_on(state.field, space) != "empty" and space not in state.bunnies]


def hidden_spaces(state: BunnyState) -> list[Space]:
    """Return the spaces whose cards lie face down."""
    return [space for space in SPACES if card_on(state.field, space) != "empty" and space not in state.face_up]


def write_position(state: BunnyState, *, secret: bool) -> dict[str, Any]:
    """Return the state as plain JSON. If `secret`, it includes the random stream under "chance".

    The keys are ``"field"``, the card on each space by its name, or "empty"; ``"face_up"``, the spaces whose cards lie face up;
    ``"bunnies"``, ``"shocks"`` and ``"carrots"``, with a value for each seat; ``"turn"``, the seat in turn; ``"to_act"``, the
    seat that must choose; ``"phase"``; and ``"quiet_turns"``. Three more are written only when they apply: ``"carrot_taken"``,
    true if a Carrot was taken earlier this turn; ``"spied"``, which has, for each seat, the space of the card that its Spy saw
    this turn, or null; and ``"left"``, the seat that has left.
    """
    written: dict[str, Any] = {
        "field": dict(zip(SPACES, state.field, strict=True)),
        "face_up": [space for space in SPACES if space in state.face_up],
        "bunnies": list(state.bunnies),
        "shocks": list(state.shocks),
        "carrots": list(state.carrots),
        "to_act": state.to_choose,
        "phase": state.phase,
        "turn": state.turn,
        "quiet_turns": state.quiet_turns,
    }
    if state.carrot_taken:
        written["carrot_taken"] = True
    if state.spied != (None, None):
        written["spied"] = list(state.spied)
    if state.left is not None:
        written["left"] = state.left
    if secret:
        written["chance"] = state.chance.to_json()
    return written


def read_position(position: Mapping[str, Any], chance: Chance | None) -> BunnyState:
    """Return the state that `write_position` wrote. Raises ValueError, saying what is wrong, if there is no such state.

    ``"face_up"`` may leave out the Carrots, and ``"quiet_turns"`` is optional. Any cards are accepted, as long as play can go
    on.
    """
    cards = _field(position.get("field"))
    carrots = _pair(position, "carrots", CARROTS_TO_WIN)
    _check_cards(cards)
    face_up = position.get("face_up")
    if not isinstance(face_up, list) or not all(space in SPACES and card_on(cards, space) != "empty" for space in face_up):
        raise ValueError(say("“face_up” must list spaces that have a card, not {value}.", value=face_up))
    left = position.get("left")
    taken = position.get("carrot_taken", False)
    if not isinstance(taken, bool):
        raise ValueError(say("“carrot_taken” must be true or false, not {value}.", value=taken))
    state = BunnyState(
        field=cards,
        face_up=frozenset(face_up) | {space for space in SPACES if card_on(cards, space) == "carrot"},
        bunnies=_spaces(position, "bunnies"),
        shocks=_pair(position, "shocks", SHOCKS),
        carrots=carrots,
        turn=_number(position, "turn", 1),
        to_choose=_number(position, "to_act", 1),
        phase=_phase(position.get("phase")),
        quiet_turns=_number({"quiet_turns": 0, **position}, "quiet_turns", QUIET_TURNS),
        carrot_taken=taken,
        spied=_spaces({"spied": [None, None], **position}, "spied"),
        left=None if left is None else _number(position, "left", 1),
        chance=stream_of(position, chance),
    )
    _check_bunnies(state)
    _check_phase(state)
    return state


def _number(position: Mapping[str, Any], key: str, highest: int) -> int:
    value = position.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= highest:
        raise ValueError(say("“{key}” must be 0 to {highest}, not {value}.", key=key, highest=highest, value=value))
    return value


def _pair(position: Mapping[str, Any], key: str, highest: int) -> tuple[int, int]:
    value = position.get(key)
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(say("“{key}” must have a value for each of the two seats, not {value}.", key=key, value=value))
    return _number({key: value[0]}, key, highest), _number({key: value[1]}, key, highest)


def _spaces(position: Mapping[str, Any], key: str) -> tuple[Space | None, Space | None]:
    value = position.get(key)
    if not isinstance(value, list) or len(value) != 2 or not all(space is None or space in SPACES for space in value):
        raise ValueError(say("“{key}” must have a space or null for each of the two seats, not {value}.", key=key, value=value))
    return value[0], value[1]


def _phase(value: object) -> Phase:
    for phase in _PHASES:
        if phase == value:
            return phase
    raise ValueError(say("“phase” must be move, swap, spy or shock, not {value}.", value=value))


def _field(value: object) -> Field:
    if not isinstance(value, Mapping) or set(value) != set(SPACES):
        raise ValueError(say("“field” must say what lies on each of the 35 spaces a1 to g5."))
    for space in SPACES:
        if not isinstance(value[space], str):
            raise ValueError(say("What lies on {space} isn’t a card: {card}.", space=space, card=value[space]))
    return tuple(value[space] for space in SPACES)


def _check_cards(cards: Field) -> None:
    """Raise ValueError for a card that does not exist, or if a Bunny off the field could not always enter."""
    strange = sorted(set(cards) - {*SHUFFLED, "carrot", "empty"})
    if strange:
        raise ValueError(say("There is no card {card}.", card=strange[0]))
    if sum(card != "empty" for card in cards[: len(COLUMNS)]) < 2:
        raise ValueError(say("Row 1 must have a card for each Bunny."))


def _check_bunnies(state: BunnyState) -> None:
    if state.bunnies[0] is not None and state.bunnies[0] == state.bunnies[1]:
        raise ValueError(say("The Bunnies can’t both be on {space}.", space=state.bunnies[0]))
    for seat, space in enumerate(state.bunnies):
        if space is None:
            continue
        if card_on(state.field, space) == "carrot":
            raise ValueError(
                say("{who}’s Bunny can’t stay on {space}: there’s a carrot there.", who=seat_name(seat), space=space)
            )
        if not any(next_card(state.field, space, direction) for direction in DIRECTIONS):
            raise ValueError(say("{who}’s Bunny has nowhere to go from {space}.", who=seat_name(seat), space=space))
    for seat, space in enumerate(state.spied):
        if space is not None and card_on(state.field, space) in {"carrot", "empty"}:
            raise ValueError(say("{who}’s Spy can’t have seen a card on {space}.", who=seat_name(seat), space=space))


def _check_phase(state: BunnyState) -> None:
    """Raise ValueError if the phase leaves nothing to choose in this state."""
    space = state.bunnies[state.to_choose]
    good = {
        "move": state.to_choose == state.turn,
        "shock": state.to_choose == state.turn and may_shock(state),
        "swap": space is not None and card_on(state.field, space) == "swap",
        "spy": space is not None and card_on(state.field, space) == "spy" and bool(hidden_spaces(state)),
    }
    if not good[state.phase]:
        who = seat_name(state.to_choose)
        raise ValueError(say("{who} can’t be the one to choose in the phase “{phase}”.", who=who, phase=state.phase))
    if is_over(state) and state.left is None and state.phase != "move":
        raise ValueError(say("The game is over, so its phase must be “move”."))
