"""Time zones by the words that people use for them: "Munich", "München", "Germany" or "UTC+1", not "Europe/Berlin"."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from typing import Final
from zoneinfo import ZoneInfo

from bot.i18n.zone_names import Name, NameKind, Names, folded, spellings, winter_and_summer

SUGGESTED_AT_MOST: Final = 25
_READ_AT_MOST: Final = 100
"""The most characters of the typed text that are read."""

_CLEARLY_MOST: Final = 0.8
"""The share of a country's people whose clocks must agree if the country's name is to stand for their time zone."""

_ALIKE: Final = 0.75
"""How similar typed words must be to a name, according to `difflib`, for the name to be suggested."""
_GUESSED_AT_MOST: Final = 5

_OFFSET: Final = re.compile(
    r"(?:utc|gmt)?\s*(?P<sign>[-+−–])\s*(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?|utc|gmt", re.IGNORECASE
)
_FIXED: Final = re.compile(r"Etc/GMT(?P<sign>[-+])(?P<hours>\d+)")

_GROUP: Final = {
    NameKind.PLACE: 0,
    NameKind.COUNTRY: 0,
    NameKind.TIME: 1,
    NameKind.ABBREVIATION: 2,
    NameKind.IDENTIFIER: 3,
    NameKind.FORMER: 4,
}
"""The group of each kind of name. Matches within a group are ordered by the number of people that they are about."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A time zone, and the name by which it was found."""

    zone: str
    called: str

    @property
    def label(self) -> str:
        """The zone's city and present offset. The name by which the zone was found comes first, if it differs."""
        city = _city(self.zone)
        told = city if folded(self.called) in folded(self.zone) else f"{self.called} – {city}"
        return told if city == shown(self.zone) else f"{told} ({_offset_now(self.zone)})"


def suggest(typed: str) -> list[Suggestion]:
    """Return the time zones that fit what has been typed so far, best first."""
    typed = typed[:_READ_AT_MOST]
    if (offset := _offset_of(typed)) is not None:
        return [Suggestion(zone, shown(zone)) for zone in _with_offset(offset)[:SUGGESTED_AT_MOST]]
    return _index().beginning_with(folded(typed))


def nearest(typed: str) -> list[Suggestion]:
    """Return the time zones that may be meant: those whose names continue the typed text, or else are spelt almost like it."""
    return suggest(typed) or _index().nearly(folded(typed[:_READ_AT_MOST]))


def zones_called(words: str) -> list[str]:
    """Return the time zones with exactly this name. There are several for a country whose people's clocks disagree."""
    if words in _index().identifiers and "/" in words:
        return [words]  # unlike EST, which is a zone without summer time, but to people means New York's
    if (offset := _offset_of(words[:_READ_AT_MOST])) is not None:
        return _with_offset(offset)[:1]
    return _index().named(folded(words[:_READ_AT_MOST]))


def shown(zone: str) -> str:
    """Return a time zone as people read it: "UTC+2" for "Etc/GMT-2", whose sign is reversed, or else its identifier."""
    fixed = _FIXED.fullmatch(zone)
    return zone if fixed is None else f"UTC{'-' if fixed['sign'] == '+' else '+'}{fixed['hours']}"


def _city(zone: str) -> str:
    """Return the place that a zone is named after, such as "New York" or "Indiana: Tell City", or else its offset."""
    if "/" not in zone or _FIXED.fullmatch(zone):
        return shown(zone)
    return zone.partition("/")[2].replace("/", ": ").replace("_", " ")


def _offset_now(zone: str) -> str:
    """Return a zone's present offset as people read it: "UTC+5:30"."""
    minutes = int((datetime.now(ZoneInfo(zone)).utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def _offset_of(typed: str) -> timedelta | None:
    """Return the offset from UTC that was typed, or None if the text is no offset."""
    found = _OFFSET.fullmatch(typed.strip())
    if found is None:
        return None
    ahead = timedelta(hours=int(found["hours"] or 0), minutes=int(found["minutes"] or 0))
    return ahead if found["sign"] in {"+", None} else -ahead


def _with_offset(offset: timedelta) -> list[str]:
    """Return the zone that always has this offset, if there is one, and those that have it now."""
    hours, rest = divmod(offset, timedelta(hours=1))
    fixed = "UTC" if not offset else f"Etc/GMT{-hours:+d}"
    now = _by_offset(datetime.now(UTC).replace(minute=0, second=0, microsecond=0)).get(offset, [])
    always = [fixed] if not rest and fixed in _index().identifiers else []
    return [*always, *(zone for zone in now if zone not in always)]


@lru_cache(maxsize=2)
def _by_offset(moment: datetime) -> dict[timedelta, list[str]]:
    found: dict[timedelta, list[str]] = defaultdict(list)
    for zone in _index().zones:
        found[moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()].append(zone)
    return found


class _Index:
    """The names of all time zones, found by the beginning of any of their words. `zones` has the most populous zones first."""

    def __init__(self, names: Names) -> None:
        self.zones = names.zones
        self.identifiers = frozenset(names.newest)
        best: dict[tuple[str, str], Name] = {}
        for name in sorted(names, key=lambda name: (_GROUP[name.kind], -name.people)):
            for spelling in spellings(name.called):
                best.setdefault((spelling, name.zone), name)
        # A name's rank is its place when the best names come first. The keys are in alphabetical order.
        starts = sorted(_starts(best), key=lambda start: start[:-1])
        self._names = [name for *_, name in starts]
        keys = sorted((key, rank, not later) for rank, (later, _, _, _, key, _) in enumerate(starts))
        self._keys = [key for key, _, _ in keys]
        self._ranks = [rank for _, rank, _ in keys]
        self._are_whole = [is_whole for _, _, is_whole in keys]

    def beginning_with(self, words: str) -> list[Suggestion]:
        """Return the zones of names with a word that begins so, exact names first. Without words, return the most populous."""
        if not words:
            return [Suggestion(zone, zone) for zone in self.zones[:SUGGESTED_AT_MOST]]
        first, last = bisect_left(self._keys, words), bisect_left(self._keys, f"{words}\uffff")
        found: dict[str, Suggestion] = {}
        for rank in chain(self._exact(words), sorted(self._ranks[first:last])):
            name = self._names[rank]
            found.setdefault(name.zone, Suggestion(name.zone, name.called))
            if len(found) == SUGGESTED_AT_MOST:
                break
        return list(found.values())

    def nearly(self, words: str) -> list[Suggestion]:
        """Return the zones with a name that is spelt almost like these words and begins with the same letter."""
        first, last = bisect_left(self._keys, words[:1]), bisect_left(self._keys, f"{words[:1]}\uffff")
        names = [self._keys[at] for at in range(first, last) if self._are_whole[at]] if words else []
        found: dict[str, Suggestion] = {}
        for name in get_close_matches(words, dict.fromkeys(names), n=_GUESSED_AT_MOST, cutoff=_ALIKE):
            for rank in self._exact(name)[:1]:
                known = self._names[rank]
                found.setdefault(known.zone, Suggestion(known.zone, known.called))
        return list(found.values())

    def named(self, words: str) -> list[str]:
        """Return the zones with exactly this name: the best, or all of a country's zones if its people's clocks disagree."""
        names = [self._names[rank] for rank in self._exact(words)]
        there = [name for name in names if name.kind is names[0].kind is NameKind.COUNTRY]
        return [name.zone for name in (there if _clocks_disagree(there) else names[:1])]

    def _exact(self, words: str) -> list[int]:
        """Return the ranks of the names that are exactly these words."""
        first, last = bisect_left(self._keys, words), bisect_right(self._keys, words)
        return sorted(self._ranks[at] for at in range(first, last) if self._are_whole[at])


def _starts(names: dict[tuple[str, str], Name]) -> Iterator[tuple[int, int, int, str, str, Name]]:
    """Yield the rest of each name from each of its words, after the keys by which it is sorted.

    The keys are whether the word is not the first one, the name's group, and its number of people.
    """
    for (spelling, zone), name in names.items():
        for word in re.finditer(r"\S+", spelling):
            yield min(word.start(), 1), _GROUP[name.kind], -name.people, zone, spelling[word.start() :], name


def _clocks_disagree(names: list[Name]) -> bool:
    """Whether these zones of a country show different times, and no one time applies to nearly all of its people."""
    people: dict[tuple[object, ...], int] = defaultdict(int)
    for name in names:
        people[tuple(moment.astimezone(ZoneInfo(name.zone)).utcoffset() for moment in winter_and_summer())] += name.people
    return len(people) > 1 and max(people.values()) < _CLEARLY_MOST * sum(people.values())


@lru_cache(maxsize=1)
def _index() -> _Index:
    return _Index(Names())
