"""The questions that are put to worker processes: functions of plain values."""

from typing import Any

from opponents import Memory, Thought, opponent


def choose(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """Return a computer's choice; see `Opponent.choose`."""
    return opponent(game_id, level, rules).choose(state, seat, memory=memory, stream=stream)


def interrupt(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought | None:
    """Return a computer's action out of turn, or None; see `Opponent.interrupt`."""
    return opponent(game_id, level, rules).interrupt(state, seat, memory=memory, stream=stream)


def weigh(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """Return how a computer's game stands: the action it would play if it has to act, otherwise only its chance."""
    who = opponent(game_id, level, rules)
    if seat in who.game.to_act(state):
        return who.choose(state, seat, memory=memory, stream=stream)
    return Thought((), who.assess(state, stream=stream)[seat])
