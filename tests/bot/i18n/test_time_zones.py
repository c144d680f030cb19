"""Time zones are found by the words that people have for them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n import time_zones
from bot.i18n.time_zones import SUGGESTED_AT_MOST, Suggestion, shown, suggest, zones_called

NAMES = {
    "New York": "America/New_York", "Los Angeles": "America/Los_Angeles", "los angeles": "America/Los_Angeles",
    "Mumbai": "Asia/Kolkata", "Bombay": "Asia/Kolkata", "Delhi": "Asia/Kolkata", "India": "Asia/Kolkata",
    "Indien": "Asia/Kolkata", "IST": "Asia/Kolkata", "San Francisco": "America/Los_Angeles", "Beijing": "Asia/Shanghai",
    "Peking": "Asia/Shanghai", "Munich": "Europe/Berlin", "München": "Europe/Berlin", "Munchen": "Europe/Berlin",
    "muenchen": "Europe/Berlin", "koeln": "Europe/Berlin", "Germany": "Europe/Berlin", "Deutschland": "Europe/Berlin",
    "CET": "Europe/Berlin", "CEST": "Europe/Berlin", "MESZ": "Europe/Berlin", "Mitteleuropäische Zeit": "Europe/Berlin",
    "Central European Time": "Europe/Berlin", "europe/berlin": "Europe/Berlin", "Wien": "Europe/Vienna",
    "Österreich": "Europe/Vienna", "oesterreich": "Europe/Vienna", "Kiev": "Europe/Kyiv", "Türkei": "Europe/Istanbul",
    "Turkey": "Europe/Istanbul", "BST": "Europe/London", "UK": "Europe/London", "EST": "America/New_York",
    "CST": "America/Chicago", "PST": "America/Los_Angeles", "Pacific Time": "America/Los_Angeles", "Spain": "Europe/Madrid",
    "Brasilien": "America/Sao_Paulo", "Sao Paulo": "America/Sao_Paulo", "Japan": "Asia/Tokyo", "Sydney": "Australia/Sydney",
    "UTC": "UTC", "gmt": "UTC", "UTC+0": "UTC", "UTC+2": "Etc/GMT-2", "GMT-5": "Etc/GMT+5", "utc −3": "Etc/GMT+3",
    "+2": "Etc/GMT-2", "+05:30": "Asia/Kolkata", "UTC+0530": "Asia/Kolkata",
}  # fmt: skip


@pytest.mark.parametrize(("words", "zone"), NAMES.items())
def test_the_zone_that_words_name_is_suggested_first_and_taken_when_they_are_typed_whole(words: str, zone: str) -> None:
    assert (suggest(words)[0].zone, zones_called(words)) == (zone, [zone])


@pytest.mark.parametrize(("typed", "first"), [
    ("Berl", "Berlin (UTC+"),
    ("new y", "New York (UTC-"),
    ("Indi", "India – Kolkata (UTC+5:30)"),
    ("Europe/Ber", "Berlin (UTC+"),
    ("mün", "München – Berlin (UTC+"),
    ("san f", "San Francisco – Los Angeles (UTC-"),
    ("UTC+2", "UTC+2"),
    ("US/P", "US/Pacific – Los Angeles (UTC-"),
    ("asia", "Shanghai (UTC+8)"),
])  # fmt: skip
def test_what_is_typed_so_far_finds_the_zone_and_says_by_which_name(typed: str, first: str) -> None:
    assert suggest(typed)[0].label.startswith(first)


@pytest.mark.parametrize(("zone", "label"), [
    ("UTC", "UTC"),
    ("Etc/GMT+3", "UTC-3"),
    ("America/Argentina/Buenos_Aires", "Argentina: Buenos Aires (UTC-3)"),
    ("Asia/Kolkata", "Kolkata (UTC+5:30)"),
])  # fmt: skip
def test_a_zone_that_is_called_nothing_else_is_suggested_by_its_city_and_offset(zone: str, label: str) -> None:
    assert Suggestion(zone, zone).label == label


@pytest.mark.parametrize("zone", sorted(zone for zone in available_timezones() if "/" in zone))
def test_each_identifier_stays_what_it_is(zone: str) -> None:
    assert zones_called(zone) == [zone]


@pytest.mark.parametrize("country", ["USA", "Vereinigte Staaten", "Russia", "Kanada", "Australia"])
def test_a_country_whose_clocks_disagree_names_no_single_zone(country: str) -> None:
    zones = zones_called(country)
    assert len(zones) > 1
    assert [one.zone for one in suggest(country)][: len(zones)] == zones[:SUGGESTED_AT_MOST]


@pytest.mark.parametrize("words", ["", " ", "Mars/Olympus", "UTC+25", "+99:00", "Berl", "x" * 10_000, "🦊", "\u3164"])
def test_nothing_else_names_a_zone(words: str) -> None:
    assert zones_called(words) == []


def test_an_offset_suggests_the_zone_that_always_has_it_then_those_that_have_it_now() -> None:
    fixed, *others = suggest("UTC+9")
    assert fixed.zone == "Etc/GMT-9"
    assert "Asia/Tokyo" in {one.zone for one in others}
    now = datetime.now(UTC)
    assert {now.astimezone(ZoneInfo(one.zone)).utcoffset() for one in others} == {timedelta(hours=9)}


@pytest.mark.parametrize(
    ("zone", "words"), [("Etc/GMT-2", "UTC+2"), ("Etc/GMT+11", "UTC-11"), ("Europe/Berlin", "Europe/Berlin")]
)
def test_a_fixed_offset_is_shown_with_the_sign_that_people_expect(zone: str, words: str) -> None:
    assert (shown(zone), zones_called(words)) == (words, [zone])


@pytest.mark.slow
@given(st.text(max_size=30) | st.text("abcdeimnorsu+-:0123456789 /", max_size=10))
def test_whatever_is_typed_suggests_a_few_different_zones_that_there_are(typed: str) -> None:
    found = [one.zone for one in suggest(typed)]
    assert len(found) == len(set(found)) <= SUGGESTED_AT_MOST
    assert available_timezones().issuperset(found)


def test_names_are_gathered_once_and_only_when_somebody_types() -> None:
    suggest("Berlin")
    made = time_zones._index.cache_info().misses
    suggest("Hamburg")
    zones_called("Munich")
    assert time_zones._index.cache_info().misses == made
