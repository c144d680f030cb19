"""The questions to worker processes: functions of plain values, which can be handed from process to process."""

from typing import Any

from opponents import Memory, Thought, opponent


def choose(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """Return the choice of a computer; see `Opponent.choose`."""
    return opponent(game_id, level, rules).choose(state, seat, memory=memory, stream=stream)


def interrupt(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought | None:
    """Return the action of a computer out of turn, or None; see `Opponent.interrupt`."""
    return opponent(game_id, level, rules).interrupt(state, seat, memory=memory, stream=stream)


def weigh(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """Return how a computer's game stands: the action it would play if it has to act, otherwise its chance alone."""
    who = opponent(game_id, level, rules)
    if seat in who.game.to_act(state):
        return who.choose(state, seat, memory=memory, stream=stream)
    return Thought((), who.assess(state, stream=stream)[seat])
