"""The findings of the doctor."""

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """How serious a finding is."""

    GOOD = "ok"
    NOTE = "--"
    """Worth knowing; nothing is wrong."""
    POOR = "??"
    """The bot would start, but something would not work, or not for long."""
    BAD = "!!"
    """The bot would not start."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the doctor's report. A fault comes with its remedy."""

    mark: Mark
    text: str


def good(text: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(Mark.GOOD, text)


def note(text: str) -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(Mark.NOTE, text)


def poor(text: str) -> Finding:
    """Return a finding that something would not work."""
    return Finding(Mark.POOR, text)


def bad(text: str) -> Finding:
    """Return a finding that the bot would not start."""
    return Finding(Mark.BAD, text)
