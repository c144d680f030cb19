"""Where computers think: `thinking` asks, `Processes` are the workers that answer."""

from bot.thinking.place import Busy, Place, Processes, ThinkingFailed, thinking, thinking_in
from bot.thinking.queue import Priority

__all__ = ["Busy", "Place", "Priority", "Processes", "ThinkingFailed", "thinking", "thinking_in"]
