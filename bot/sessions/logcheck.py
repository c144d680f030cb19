"""Checking a log that somebody has kept: everything about it that can be checked without the bot's database."""

from collections.abc import Iterator

from bot.sessions.history import BrokenLog
from bot.sessions.logbook import examined
from bot.sessions.verify import contradictions


def problems_of(text: str) -> Iterator[str]:
    """Yields a sentence for each problem of a log: hashes, key, chain, draws, the rules, and how the game ended."""
    try:
        log, faults = examined(text)
    except BrokenLog as error:
        yield _sentence(str(error.args[0]))
        return
    yield from map(_sentence, faults)
    if log.history is not None:
        yield from contradictions(log.table, log.history)


def newest_link(text: str) -> str | None:
    """The newest link of a log, to be compared with the last board; None in a log of version 1. Raises BrokenLog."""
    return examined(text)[0].link


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")
