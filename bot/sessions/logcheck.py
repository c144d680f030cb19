"""Checking a log that somebody has kept: everything about it that can be checked without the bot's database."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.sessions.chain import SHOWN
from bot.sessions.history import BrokenLog
from bot.sessions.logbook import Log, examined
from bot.sessions.verify import contradictions


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about a log.

    Attributes:
        problems: what is wrong, a sentence each; empty if all is well.
        remarks: what a reader should know besides, a sentence each.
    """

    problems: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def examine(text: str, shown: str = "") -> Report:
    """Check hashes, key, chain, draws, the rules, and how the game ended.

    Args:
        text: the log.
        shown: the link that stands under the last board, or its first digits; nothing: it is not compared.
    """
    try:
        log, faults = examined(text)
    except BrokenLog as error:
        return Report((_sentence(str(error.args[0])),))
    problems = [*map(_sentence, faults), *_misplaced(log, shown)]
    if log.history is not None:
        problems += [str(problem) for problem in contradictions(log.table, log.history)]
    return Report(tuple(problems), tuple(_remarks(log, sound=not problems)))


def _misplaced(log: Log, shown: str) -> Iterator[str]:
    if shown and log.link is None:
        yield "A log of version 1 has no hash chain, and no board shows a link of it."
    elif shown and log.link is not None and not log.link.startswith(shown.lower()):
        yield f"The newest link is {log.link[:SHOWN]}, not {shown}."


def _remarks(log: Log, *, sound: bool) -> Iterator[str]:
    if log.removed:
        yield (
            f"{log.removed} of the contributions were removed because those who made them wanted to be forgotten, so the key "
            "cannot be computed any more. The dice follow from the key that the log tells."
        )
    if log.history is None:
        yield "The game was going on when this log was written: what can be checked so far is its hash chain."
    if sound:
        yield "All is in order."
    if sound and log.link is not None:
        yield f"The newest link is {log.link[:SHOWN]}. It has to stand after “log” under the last board."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")
