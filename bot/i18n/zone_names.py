"""The names that people have for time zones: cities, countries, abbreviations, and names of times.

They come from the time zone database, from CLDR in each of the bot's languages, and from lists of large cities and of other
names for countries.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum, auto
from functools import cached_property
from importlib import resources
from itertools import chain
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from bot.i18n.language import languages

_ZONES_OF_A_TIME: Final = 6
"""The number of zones for which a name such as "Central European Time" stands. Those with most people are chosen."""

_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that are more than a plain letter with a mark, with the plain letters that people type instead."""
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class NameKind(IntEnum):
    """What a name refers to. Among equally good matches, the kinds listed first come first."""

    PLACE = auto()
    """A city, or whatever else a zone is named after."""
    COUNTRY = auto()
    TIME = auto()
    """A time such as "Central European Time", or CLDR's abbreviation for it."""
    ABBREVIATION = auto()
    """An abbreviation from the time zone database."""
    IDENTIFIER = auto()
    """A zone's identifier with its region: "Europe/Berlin"."""
    FORMER = auto()
    """An identifier other than the zone's newest one, such as "US/Pacific"."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a time zone, the zone's newest identifier, and how many thousands of people live there, as far as is known."""

    called: str
    zone: str
    kind: NameKind
    people: int


def folded(words: str) -> str:
    """Return words in the form in which they are compared: lower case without marks, and single spaces for everything else."""
    plain = unicodedata.normalize("NFKD", words.casefold()).translate(_LETTERS)
    return " ".join("".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c)).split())


def spellings(words: str) -> set[str]:
    """Return the ways to type a name, such as "munchen" and "muenchen"."""
    return {folded(words), folded(unicodedata.normalize("NFC", words.casefold()).translate(_UMLAUTS))}


def winter_and_summer() -> tuple[datetime, datetime]:
    """Return a time in January and one in July. In every zone that has summer time, one of the two falls into it."""
    year = datetime.now(UTC).year
    return datetime(year, 1, 15, tzinfo=UTC), datetime(year, 7, 15, tzinfo=UTC)


class Names:
    """All names of all zones.

    Attributes:
        newest: the newest identifier for each identifier there is or was, or "" for one that is not used anywhere.
        zones: the newest identifiers, those with most people first.
    """

    def __init__(self) -> None:
        from babel.core import Locale, get_global  # noqa: PLC0415 - 60 ms, for which the first picture of a process need not wait

        self._locales = [Locale.parse(code, sep="-") for code in languages()]
        self._aliases: Mapping[str, str] = get_global("zone_aliases")
        self._times: Mapping[str, str] = get_global("meta_zones")
        self._main_zones: Mapping[str, str] = get_global("windows_zone_mapping")  # by the English name of a time
        self._countries = _countries()
        newest = {*chain.from_iterable(self._countries.values()), "UTC"}
        by_alias = {self._in_cldr(zone): zone for zone in sorted(newest)}
        self.newest = {
            zone: zone if zone in newest else by_alias.get(self._in_cldr(zone), "") for zone in available_timezones()
        }
        self._cities = [(people, self.newest.get(zone, ""), called) for people, zone, called in _cities()]
        self._people: dict[str, int] = defaultdict(int)
        for people, zone, _ in self._cities:
            self._people[zone] += people
        self.zones = sorted(newest, key=lambda zone: (-self._people[zone], zone))

    def __iter__(self) -> Iterator[Name]:
        for people, zone, names in self._cities:
            if zone:
                yield from (Name(name, zone, NameKind.PLACE, people) for name in names)
        for zone in self.zones:
            yield from self._of_zone(zone)
        for identifier, zone in self.newest.items():
            if zone:
                yield Name(identifier, zone, NameKind.IDENTIFIER if identifier == zone else NameKind.FORMER, self._people[zone])
        yield from self._of_countries()
        yield from self._of_times()

    def _in_cldr(self, zone: str) -> str:
        """Return CLDR's identifier for a zone, which never changes."""
        return self._aliases.get(zone, zone)

    @cached_property
    def _sizes(self) -> dict[tuple[str, str], int]:
        """The population of each listed city, by zone and name."""
        return {(zone, folded(called[0])): people for people, zone, called in reversed(self._cities)}

    def _of_zone(self, zone: str) -> Iterator[Name]:
        """Yield the city that a zone is named after, in each of the bot's languages, and the zone's usual abbreviations."""
        own = zone.rpartition("/")[2].replace("_", " ")
        people = self._sizes.get((zone, folded(own)), 0)
        told: list[Any] = [locale.time_zones.get(self._in_cldr(zone), {}).get("city") for locale in self._locales]
        yield from (Name(city, zone, NameKind.PLACE, people) for city in (own, *told) if city)
        for moment in winter_and_summer():
            short = moment.astimezone(ZoneInfo(zone)).tzname() or ""
            if short.isalpha():
                yield Name(short, zone, NameKind.ABBREVIATION, self._people[zone])

    def _of_countries(self) -> Iterator[Name]:
        also = {code: names for code, *names in _lines("bot.i18n", "countries.txt")}
        for code, zones in self._countries.items():
            told = [locale.territories.get(code, code) for locale in self._locales]
            for called in (*told, *also.get(code, ())):
                yield from (Name(called, zone, NameKind.COUNTRY, self._people[zone]) for zone in zones)

    def _of_times(self) -> Iterator[Name]:
        zones: dict[str, list[str]] = defaultdict(list)
        for zone in self.zones:
            if time := self._times.get(self._in_cldr(zone)):
                zones[time].append(zone)
        for time, there in zones.items():
            told: list[Any] = [locale.meta_zones.get(time, {}) for locale in self._locales]
            words = {
                called for own in told for length in ("long", "short") for called in own.get(length, {}).values() if called
            }
            main = self._main_zone(time)
            for zone in sorted(there, key=lambda zone: zone != main)[:_ZONES_OF_A_TIME]:
                people = sum(self._people[one] for one in there) if zone == main else self._people[zone]
                yield from (Name(called, zone, NameKind.TIME, people) for called in words)

    def _main_zone(self, time: str) -> str:
        """Return the zone that people mean by a time that English abbreviates: by CST, Chicago's rather than Mexico's."""
        words: Any = next(locale.meta_zones.get(time, {}) for locale in self._locales if locale.language == "en")
        return self.newest.get(self._main_zones.get(words["long"].get("standard", ""), ""), "") if "short" in words else ""


def _countries() -> dict[str, list[str]]:
    """Return each country's zones, by the country's code, from the time zone database."""
    known, found = available_timezones(), defaultdict(list)
    for code, _, zone, *_ in _lines("tzdata", "zoneinfo", "zone.tab"):
        if zone in known:
            found[code].append(zone)
    return found


def _cities() -> Iterator[tuple[int, str, list[str]]]:
    """Return the large cities, largest first, each with its population in thousands, its zone, and its names."""
    return ((int(people), zone, names) for people, zone, *names in _lines("bot.i18n", "cities.txt"))


def _lines(package: str, *path: str) -> Iterator[list[str]]:
    """Yield the lines of a table in a package, without comments, each divided into its columns."""
    for line in resources.files(package).joinpath(*path).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
