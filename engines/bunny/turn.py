"""The parts of a turn of Bounce Bunny Bounce: movement, action and shock, and the effect of each card."""

from engines.bunny.field import DIRECTIONS, ROWS, Direction, Space, bounce, card_on, next_card, with_card
from engines.bunny.position import SHOCKS, BunnyState, face, hidden_spaces, is_over, may_shock, swappable
from engines.bunny.story import Swapped, bounce_events, pass_event, spy_events, swap_event
from engines.game import Action, Step, Token
from engines.values import replace


def move(state: BunnyState, action: Action) -> Step[BunnyState]:
    """Play the movement: the Bunny of the seat in turn bounces once, or enters. Cards seen by Spies last turn are forgotten."""
    state = replace(state, spied=(None, None))
    if action[0] == "enter":
        return _land(state, state.turn, action[1] + ROWS[0], None)
    return _bounce(state, state.turn, action[0])


def shock(state: BunnyState, way: Token) -> Step[BunnyState]:
    """Spend a Universal Shock, so that the other Bunny bounces once. The card where it lands acts for that Bunny's owner."""
    spent = replace(state, shocks=_add(state.shocks, state.turn, -1))
    return _bounce(spent, 1 - state.turn, way)


def pass_by(state: BunnyState) -> Step[BunnyState]:
    """Pass instead of spending a Universal Shock, which ends the turn."""
    return Step(_end_turn(state), (pass_event(state.turn),))


def swap(state: BunnyState, first: Space, second: Space) -> Step[BunnyState]:
    """Exchange two cards, as a Swap allows. Each stays face up or face down, and a card seen by a Spy stays known."""
    places = {first: second, second: first}
    field = with_card(state.field, first, card_on(state.field, second))
    swapped = replace(
        state,
        field=with_card(field, second, card_on(state.field, first)),
        face_up=frozenset(places.get(space, space) for space in state.face_up),
        spied=(_new_space(state.spied[0], places), _new_space(state.spied[1], places)),
    )
    event = swap_event(Swapped(state.to_choose, first, second, face(state, first), face(state, second)))
    return Step(_after_action(swapped, state.to_choose), (event,))


def look(state: BunnyState, space: Space) -> Step[BunnyState]:
    """Look at a card that lies face down, as a Spy allows. Only the Spy's player sees it."""
    seat = state.to_choose
    seen = replace(state, spied=(space, state.spied[1]) if seat == 0 else (state.spied[0], space))
    return Step(_after_action(seen, seat), spy_events(seat, space, card_on(state.field, space)))


def _bounce(state: BunnyState, bunny: int, way: Token) -> Step[BunnyState]:
    """Let a Bunny on the field bounce once in a direction in which there is a card, with all effects."""
    direction = next(known for known in DIRECTIONS if known == way)
    space = state.bunnies[bunny]
    assert space is not None
    first = next_card(state.field, space, direction)
    assert first is not None
    return _land(state, bunny, first, direction)


def _land(state: BunnyState, bunny: int, first: Space, direction: Direction | None) -> Step[BunnyState]:
    """Let a Bunny land on a card, with the chain of shocks, a bump, and the action of the card where it stops."""
    start, other = state.bunnies[bunny], state.bunnies[1 - bunny]
    done = bounce(state.field, start, first, direction, bunny=bunny, by=state.turn, other=other)
    stays = None if done.bumped else other
    after = replace(
        state,
        bunnies=(done.end, stays) if bunny == 0 else (stays, done.end),
        face_up=state.face_up - {landing.space for landing in done.landings if landing.card in DIRECTIONS},
    )
    if done.end is not None:
        after = _act(after, bunny, done.end)
    events = bounce_events(done, carrots=after.carrots[bunny], shocks_before=state.shocks[bunny])
    if is_over(after):
        return Step(replace(after, phase="move", to_choose=state.turn), events)
    if after.phase in {"swap", "spy"}:
        return Step(after, events)
    return Step(_after_action(after, bunny), events)


def _act(state: BunnyState, bunny: int, space: Space) -> BunnyState:
    """Apply the card on which a Bunny has stopped. If a Swap or a Spy can be used, that becomes the next phase."""
    card = card_on(state.field, space)
    if card == "carrot":
        return replace(
            state, field=with_card(state.field, space, "empty"), face_up=state.face_up - {space},
            carrots=_add(state.carrots, bunny, 1), carrot_taken=True,
        )  # fmt: skip
    state = replace(state, face_up=state.face_up | {space})
    if card == "bonus" and state.shocks[bunny] < SHOCKS:
        return replace(state, shocks=_add(state.shocks, bunny, 1))
    if card == "swap" and len(swappable(state)) >= 2:
        return replace(state, phase="swap", to_choose=bunny)
    if card == "spy" and hidden_spaces(state):
        return replace(state, phase="spy", to_choose=bunny)
    return state


def _after_action(state: BunnyState, bunny: int) -> BunnyState:
    """Return the state after a Bunny's action: the shock phase, if its player is in turn and can shock, or the next turn."""
    if bunny == state.turn and may_shock(state):
        return replace(state, phase="shock", to_choose=state.turn)
    return _end_turn(state)


def _end_turn(state: BunnyState) -> BunnyState:
    """Begin the next turn, with the Stops turned face down again."""
    return replace(
        state,
        face_up=frozenset(space for space in state.face_up if card_on(state.field, space) != "stop"),
        turn=1 - state.turn,
        to_choose=1 - state.turn,
        phase="move",
        quiet_turns=0 if state.carrot_taken else state.quiet_turns + 1,
        carrot_taken=False,
    )


def _add(pair: tuple[int, int], seat: int, change: int) -> tuple[int, int]:
    return (pair[0] + change, pair[1]) if seat == 0 else (pair[0], pair[1] + change)


def _new_space(space: Space | None, places: dict[Space, Space]) -> Space | None:
    return None if space is None else places.get(space, space)
