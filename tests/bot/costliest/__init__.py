"""Every button, menu, form and command with its costliest legal input: a walk in chapters (`walk.CHAPTERS`)."""

from tests.bot.costliest import busy_server, competing, learning, looking_back, opening, playing

__all__ = ["busy_server", "competing", "learning", "looking_back", "opening", "playing"]
