"""PRIVACY.md and TERMS.md say what the program does."""

import re
from pathlib import Path

from bot.core.clocks.membership import GRACE
from bot.core.pings import WINDOW
from bot.features.analysis.service import KEPT_FOR
from bot.features.matchmaking.wishes import DAYS
from storage.upkeep.backups import DAY, HOUR, KEPT, WEEK
from storage.upkeep.exporting import ABOUT_TABLE, AT_TABLE, PERSONAL
from tests.bot.kit import World

ROOT = Path(__file__).parents[2]
PRIVACY = (ROOT / "PRIVACY.md").read_text()
TERMS = (ROOT / "TERMS.md").read_text()

TOLD_BY = {
    "settings": "your settings",
    "ratings": "ratings",
    "analyses": "analyses",
    "puzzles": "puzzles you tried",
    "puzzle_ratings": "your rating at them",
    "pings_sent": "who pinged whom",
    "pings_received": "who pinged whom",
    "sought": "what you said you would like to play",
    "people_avoided": "whom you would rather not meet",
    "places_on_ladders": "places on ladders",
    "events_organised": "in the games, events and ladders you take part in",
    "asked_to_play_on_in_events": "invitations",
    "entries_for_events": "in the games, events and ladders you take part in",
    "badges_of_ladders": "badges",
    "opened": "in the games, events and ladders you take part in",
    "seat": "in the games, events and ladders you take part in",
    "result_of_a_seat_left_to_others": "results",
    "departures": "results",
    "actions": "every action in a game",
    "plans": "plans",
    "contributions": "every action in a game",
    "watches": "watches",
}
"""PRIVACY.md's words for each part of a person's data."""


def test_all_that_is_kept_about_a_person_is_told() -> None:
    assert {part.name for part in (*PERSONAL, *AT_TABLE)} == set(TOLD_BY), "tell of it in PRIVACY.md"
    assert ABOUT_TABLE
    for words in TOLD_BY.values():
        assert words in PRIVACY


def test_the_times_are_those_of_the_program() -> None:
    assert f"| {KEPT_FOR / DAY:.0f} days after you last used it |" in PRIVACY
    assert f"| {DAYS[-1]} days at most;" in PRIVACY
    assert f"| {WINDOW / 60:.0f} minutes, then removed with the next ping |" in PRIVACY
    assert f"its data is kept for {GRACE / DAY:.0f} days" in PRIVACY
    kept = dict(KEPT)
    assert f"the last {kept[HOUR]} hours, {kept[DAY]} days and {kept[WEEK]} weeks" in PRIVACY


def test_the_bot_asks_for_no_privileged_intent(world: World) -> None:
    asked = world.client.intents
    assert asked.guilds
    assert not any((asked.message_content, asked.members, asked.presences))


async def test_the_help_tells_the_version_and_how_to_export_and_to_be_forgotten(world: World) -> None:
    told = world.text(await world.ann.slash(world.channel, "help"))
    assert re.search(r"Springboard \d+\.\d+\.\d+ · I read no messages\.", told)
    assert PRIVACY.count(" in `/settings` ") == 2
    assert "</settings:" in told, "a command that can be pressed"


def test_every_link_between_the_policies_leads_somewhere() -> None:
    for text in (PRIVACY, TERMS):
        for target in re.findall(r"\]\((?!https://)([^)#]+)", text):
            assert (ROOT / target).is_file()
