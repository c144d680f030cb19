"""Computers think off the event loop: `thinking` asks, the workers of `Processes` answer."""

from bot.thinking.pool import Backend, Busy, Processes, ThinkingFailed, thinking, thinking_in
from bot.thinking.queue import Priority

__all__ = ["Backend", "Busy", "Priority", "Processes", "ThinkingFailed", "thinking", "thinking_in"]
