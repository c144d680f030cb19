"""The questions that are put to worker processes, as functions that take and return plain values."""

from typing import Any

from opponents import Memory, Thought, opponent


def choose(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """Return the action that a computer chooses; see `Opponent.choose`."""
    return opponent(game_id, level, rules).choose(state, seat, memory=memory, stream=stream)


def interrupt(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought | None:
    """Return the action that a computer plays out of turn, or None if it plays none; see `Opponent.interrupt`."""
    return opponent(game_id, level, rules).interrupt(state, seat, memory=memory, stream=stream)


def weigh(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """Return how a game stands for a computer: the action that it would play, or only its chance to win if it need not act."""
    who = opponent(game_id, level, rules)
    if seat in who.game.to_act(state):
        return who.choose(state, seat, memory=memory, stream=stream)
    return Thought((), who.assess(state, stream=stream)[seat])
