"""The course of the game: drawing, acting and discarding; when a turn is over; winning, a win that waits, and leaving."""

from engines.game import Event, Outcome, deed
from engines.pucks.board.state import LastAction, State, has_scored_enough, next_live, with_hand
from engines.pucks.board.views import Phase
from engines.pucks.cards import cards
from engines.pucks.cards.piles import draw_cards
from engines.pucks.cards.quick import mats_back
from engines.pucks.play import moves, placing
from engines.steps import others
from engines.text import Text, say, say_n, seat_name
from engines.values import replace


def answerers(state: State) -> tuple[int, ...]:
    """Return the seats that are asked whether they whistle a win back: all opponents who hold a card and have not passed.

    Any card counts, so that the question does not reveal who holds a Whistle. The seat that took the action is not asked, and
    in a game without any Whistle nobody is. The win is final when no seat is left to answer.
    """
    if not state.winning or state.last is None or "whistle" not in state.deck:
        return ()
    apart = {state.winning[0], state.last.seat, *state.passed}
    asked = tuple(seat for seat in state.live if seat not in apart)
    if state.looks_into_hands:
        return asked if any("whistle" in state.hands[seat] for seat in asked) else ()
    return tuple(seat for seat in asked if state.hands[seat])


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None while the game is going on."""
    if len(state.out) == state.seats - 1:
        gone = say("{who} has left.", who=seat_name(state.out[0])) if state.seats == 2 else say("Everyone else has left.")
        return Outcome(state.live, gone)
    if state.winning and not answerers(state):
        return Outcome((state.winning[0],), _enough(state))
    if state.stuck:
        return Outcome((), say("No piece can move any more."))
    return None


def _enough(state: State) -> Text:
    if state.needed < state.rules.pucks * state.colours:
        return say("{n} pucks are in, and that’s all it takes!", n=state.needed)
    return say_n("The only puck is in!", "All {n} pucks are in!", state.needed)


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats for which the game waits: the one in turn, or all that are asked whether they whistle a win back."""
    return () if outcome(state) is not None else answerers(state) or (state.to_move,)


def winners(state: State) -> tuple[int, ...]:
    """Return the seats that have scored as many pucks as they need: first the player in turn, then in the order of play."""
    order = [(state.to_move + state.direction * step) % state.seats for step in range(state.seats)]
    return tuple(seat for seat in order if seat not in state.out and has_scored_enough(state, seat))


def after_action(state: State, last: LastAction, costs: int, events: list[Event]) -> State:
    """Return the state after an action: the action is counted, can be whistled back, and may have won."""
    settled = None
    if not state.whole:
        settled = last.before.settled or tuple(mat.at for mat in last.before.mats)
    state = state.with_table(replace(state.table, settled=settled))
    state = replace(state, taken=state.taken + costs, last=last if state.rules.cards else None, passed=())
    state = replace(state, winning=winners(state))
    if answerers(state):
        winner = state.winning[0]
        phrase, affected = say("wins unless somebody whistles"), others((winner,), last.seat)
        events.append(replace(deed("win", winner, phrase, decisive=True, affects=affected), pending=True))
    return state


def has_action(state: State) -> bool:
    """Whether the player in turn can take an action: one more is allowed, and one is legal."""
    if state.taken >= state.allowed:
        return False
    return moves.can_move_a_piece(state) or cards.can_play_for_action(state, state.to_move)


def may_end(state: State) -> bool:
    """Whether the player may end the turn: no action can be taken any more, no win waits, and the mats are connected."""
    return state.phase is Phase.ACT and not state.winning and state.whole and not has_action(state)


def _turn_is_over(state: State) -> bool:
    """Whether the turn ends by itself: it is `closed`, or its player can take no more action and holds no card at all."""
    if state.looks_into_hands:
        return state.closed or (may_end(state) and not cards.can_play_for_free(state, state.to_move))
    return state.closed or (not state.hands[state.to_move] and may_end(state))


def end_actions(state: State) -> State:
    """Return the state in which the player in turn goes on to discarding."""
    return replace(state, phase=Phase.DISCARD)


def begin_turn(state: State, events: list[Event]) -> State:
    """Return the state after the next player has drawn. From then on, no action of the turn before can be answered."""
    state = replace(
        state, phase=Phase.ACT, turn_of=state.to_move, taken=0, extra=0, doubled=0, closed=False, last=None, winning=(),
        passed=(),
    )  # fmt: skip
    return draw_cards(state, state.to_move, state.table.draw_rule, events) if state.rules.cards else state


def advance(state: State, events: list[Event]) -> State:
    """Play on until a seat has a decision to make, or the game is over."""
    idle = 0
    while outcome(state) is None and not state.winning:
        seat = state.to_move
        if state.phase is Phase.PLACE:
            if seat not in state.auto:
                return state
            state = placing.place_at_random(state, events)
        elif state.phase is Phase.DRAW:
            if state.rules.cards:
                return state
            state = begin_turn(state, events)
        elif state.phase is Phase.ACT:
            if not _turn_is_over(state):
                return state
            # Without cards a round without a move changes nothing: after it no player can move any more.
            idle = 0 if state.taken or state.rules.cards else idle + 1
            if idle > len(state.live):
                return replace(state, stuck=True)
            state = _end_of_actions(state, events)
        else:
            if len(state.hand(seat)) > state.hand_limit:
                return state
            table = replace(state.table, borrowed=(), previous=None)
            state = replace(state, table=table, phase=Phase.DRAW, to_move=next_live(state, seat, state.direction))
    return state


def _end_of_actions(state: State, events: list[Event]) -> State:
    seat = state.to_move
    if state.taken < state.allowed and not state.closed:
        events.append(deed("skip", seat, say("has no moves left this turn"), routine=True))
    over = len(state.hand(seat)) - state.hand_limit
    if over > 0:
        events.append(deed("limit", seat, say_n("has {n} card too many", "has {n} cards too many", over), routine=True))
    return end_actions(state)


def withdraw(state: State, seat: int, events: list[Event]) -> State:
    """Return the state after a seat has left. Nobody owns its pieces and cards. Raises ValueError as `Game.withdraw` does."""
    if seat not in range(state.seats):
        raise ValueError(f"there is no seat {seat}")
    if seat in state.out or outcome(state) is not None:
        raise ValueError(say("{who} has left the game.", who=seat_name(seat)))
    events.append(deed("leave", seat, say("leaves the game; the pieces stay on the board")))
    if state.looks_into_hands:
        state = replace(with_hand(state, seat, ()), discard=(*state.discard, *state.hands[seat]))
    state = replace(
        state,
        out=(*state.out, seat),
        auto=tuple(other for other in state.auto if other != seat),
        winning=tuple(other for other in state.winning if other != seat),
        table=replace(state.table, borrowed=tuple(other for other in state.table.borrowed if other != seat)),
    )
    if not state.winning:
        state = replace(state, passed=())
    if len(state.live) == 1:
        return state
    if state.phase is Phase.PLACE:
        return advance(placing.turn_to_next(state) if seat == state.to_move else state, events)
    if seat == state.turn_of:
        state = replace(state, closed=True)
        if not state.whole:
            state = mats_back(state, events)
    if seat == state.to_move and state.phase is Phase.DRAW:
        state = replace(state, to_move=next_live(state, seat, state.direction))
    return advance(state, events)
