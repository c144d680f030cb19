"""Checking a log file for everything that can be checked without the bot's database."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.core.table.chain import shown_digits
from bot.core.table.history import BrokenLog
from bot.features.verify.logbook import Log, read_and_check
from bot.features.verify.logproof import kept_links
from bot.features.verify.service import contradictions
from engines.position_codes import NoCode, position_code

MOST_BYTES: Final = 1_000_000
"""The size limit of a log file, which is ten times the size of a long game's log."""

LONGEST_SENTENCE: Final = 400
"""The most characters in a sentence about a log, which may quote part of the log."""

MOST_SENTENCES: Final = 10
"""The most problems of a log that are listed. Any others are only counted."""

IN_ORDER, WRONG, UNCHECKED = 0, 1, 3
"""The exit codes if all is in order, if something is wrong or unreadable, and if the key could not be checked."""


@dataclass(frozen=True, slots=True)
class Report:
    """The problems of a log, remarks for whoever reads the report, and whether the dice key could be recomputed."""

    problems: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    key_checked: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return WRONG if self.problems else IN_ORDER if self.key_checked else UNCHECKED


def text_of(file: Path) -> tuple[str | None, str]:
    """Return a file's text and an empty string, or None and a sentence that says why the file is not read."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            return None, f"{file} is longer than the log of any game: {MOST_BYTES} bytes are read."
        return content.decode(), ""
    except OSError as error:
        return None, f"{file} cannot be read: {error.strerror}."
    except UnicodeDecodeError as error:
        return None, f"{file} cannot be read: it is no text in UTF-8 ({error.reason} at byte {error.start})."


def examine(text: str, shown: str = "", kept: str | None = None) -> Report:
    """Check a log's hashes, key, chain and draws, whether it follows the rules, and how the game ended.

    `shown` is the newest link that the bot has shown, or the link's first digits. `kept` is the text of a file that *Verify*
    gave during the game.
    """
    try:
        log, faults = read_and_check(text)
        problems = [*map(_sentence, faults), *_link_problems(log, shown), *([] if kept is None else _kept_problems(log, kept))]
    except BrokenLog as error:
        return Report((_sentence(str(error.args[0])),))
    if log.history is not None:
        problems += [_sentence(str(problem)) for problem in contradictions(log.table, log.history)]
    checked = log.history is not None and not log.removed
    if len(problems) > MOST_SENTENCES:
        problems[MOST_SENTENCES:] = [f"There are {len(problems) - MOST_SENTENCES} more problems like these."]
    return Report(tuple(problems), tuple(_remarks(log, sound=not problems)), checked)


def _link_problems(log: Log, shown: str) -> Iterator[str]:
    if shown and log.link is None:
        yield "A log of version 1 has no hash chain, and no board shows a link of it."
    elif shown and log.link is not None and not log.link.startswith(shown.lower()):
        yield _sentence(f"the newest link is {shown_digits(log.link, log.table.chain)}, not {shown}")


def _kept_problems(log: Log, kept: str) -> Iterator[str]:
    """Yield a sentence about the first link of a log that differs from the kept ones. All later links then differ too."""
    for number, link in sorted(kept_links(kept).items()):
        if number >= len(log.links):
            yield f"The links that were kept go on to action {number}, but the log ends before it."
            return
        if log.links[number] != link:
            yield f"The link of action {number} is not the one that was kept: the log was changed up to there."
            return


def _remarks(log: Log, *, sound: bool) -> Iterator[str]:
    if log.misdated:
        yield (
            f"Warning: by the ids of the presses, action {log.misdated[0]} was pressed over a minute before an earlier press, "
            "or in the future" + (f", and so were {len(log.misdated) - 1} more." if log.misdated[1:] else ".")
        )
    if log.table.seed is None:
        yield (
            "The key could not be checked: the game was going on when this log was written. What can be checked so far is its "
            "hash chain."
        )
    elif log.removed:
        yield (
            f"The key could not be checked: {log.removed} of the contributions were removed because those who made them wanted "
            "to be forgotten. The dice follow from the key that the log tells, but whether that was mixed as it should be "
            "nobody can tell. docs/fair-dice.md says what that means."
        )
    elif sound:
        yield "All is in order."
    if sound and (log.table.seed is None or log.removed):
        yield "All else is in order."
    if sound and log.link is not None:
        yield f"The newest link is {shown_digits(log.link, log.table.chain)}. It has to be the one that the bot has shown last."
    if sound and log.history is not None:
        with suppress(NoCode):
            yield f"The code of the last position is {position_code(log.history.game, log.history.state)}."


def _sentence(words: str) -> str:
    """Return the words as a sentence of limited length without control characters, whatever they quote."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in words[:LONGEST_SENTENCE])
    return shown[:1].upper() + shown[1:] + ("…" if len(words) > LONGEST_SENTENCE else "" if words.endswith(".") else ".")
