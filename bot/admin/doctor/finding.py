"""The doctor's findings."""

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """How serious a finding is."""

    GOOD = "ok"
    NOTE = "--"
    """This is worth knowing, but nothing is wrong."""
    POOR = "??"
    """The bot would start, but something would not work, or not for long."""
    BAD = "!!"
    """The bot would not start."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the doctor's report. If it is a fault, the line includes its remedy."""

    mark: Mark
    text: str


def good(text: str) -> Finding:
    """Return a finding that something is well."""
    return Finding(Mark.GOOD, text)


def note(text: str) -> Finding:
    """Return a finding that something is worth knowing."""
    return Finding(Mark.NOTE, text)


def poor(text: str) -> Finding:
    """Return a finding that something would not work."""
    return Finding(Mark.POOR, text)


def bad(text: str) -> Finding:
    """Return a finding that the bot would not start."""
    return Finding(Mark.BAD, text)
