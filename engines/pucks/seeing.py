"""What a seat may know of a state."""

from engines.pucks import turns
from engines.pucks.board import space_name
from engines.pucks.house import board_code
from engines.pucks.motion import BESIDE, SCORED
from engines.pucks.state import State, scored_by
from engines.pucks.views import Phase, Placed, PucksView
from engines.text import say


def seen(state: State, seat: int | None) -> PucksView:
    """The board, a seat's own hand (None: no hand), and the sizes of all other hands and of the draw pile."""
    points = state.grid().points
    table = state.table
    where = list(zip(state.pieces, table.places, strict=True))
    acting, needed = state.phase is Phase.ACT, state.needed
    return PucksView(
        variant=state.variant,
        seats=state.seats,
        seat=seat,
        to_act=turns.to_act(state),
        out=state.out,
        scores=tuple(say("{n} of {needed}", n=scored_by(state, other), needed=needed) for other in range(state.seats)),
        outcome=turns.outcome(state),
        colours=state.colours,
        board=board_code(state.house, state.seats * state.colours),
        without=state.house.without,
        mats=table.mats,
        pieces=tuple(Placed(piece, space_name(space), points[space]) for piece, space in where if space >= 0),
        beside=tuple(piece for piece, space in where if space == BESIDE),
        scored=tuple(piece for piece, space in where if space == SCORED),
        needed=needed,
        hand_sizes=tuple(len(state.hand(other)) for other in range(state.seats)),
        hand=() if seat is None else state.hand(seat),
        hand_limit=state.hand_limit,
        draw_pile=len(state.draw_pile),
        discard=state.discard,
        edge=state.edge,
        draw_rule=table.draw_rule,
        action_rule=table.action_rule,
        ongoing=table.ongoing,
        net_off=table.net_off,
        borrowed=table.borrowed,
        to_move=state.to_move,
        phase=state.phase,
        taken=state.taken if acting else 0,
        allowed=state.allowed if acting else 0,
        direction=state.direction,
        whole=state.whole,
        winning=state.winning[0] if state.winning else None,
        passed=state.passed,
        answerable=None if state.last is None else state.last.seat,
    )
