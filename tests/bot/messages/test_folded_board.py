"""Folded boards: one line that says who did what."""

from dataclasses import replace

import pytest

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language
from bot.messages.builder import MessageBuilder
from bot.messages.folded_board import LEAST, ROOM, folded_board
from storage.schema.records import Level
from tests.bot.stories import LONG_NAMES, STORIES, Story
from tests.renderers.samples.pucks import SCRUM

NAMES = ("Ann", "Ben", "Cleo", "Dan")


def line(snapshot: Snapshot, code: str = "en") -> str:
    return text(folded_board(snapshot, language(code), snapshot.playing.version))


def text(builder: MessageBuilder) -> str:
    (item,) = builder.items
    return str(item.content)  # type: ignore[attr-defined]  # it is a text


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["short names", "long names"])
@pytest.mark.parametrize("code", ["en", "de"])
def test_a_folded_board_is_one_small_line_without_a_frame(name: str, names: tuple[str, ...], code: str) -> None:
    builder = folded_board(STORIES[name].snapshot(names), language(code), len(STORIES[name].actions))
    assert text(builder).startswith("-# #7 · ")
    assert "\n" not in text(builder)
    assert len(text(builder)) <= ROOM + LEAST + 8 * 4, "marks and asterisks are not counted"
    assert len(builder.layout().to_components()) == 1
    assert builder.layout().to_components()[0]["type"] == 10, "a text, not in a container"


def test_the_line_tells_the_turn_before_and_not_all_that_its_board_told() -> None:
    told = line(STORIES["three turns of BOUNCE"].snapshot(NAMES))
    assert "**Dan** " in told
    assert not any(f"**{name}**" in told for name in NAMES[:3])


def test_what_matters_most_stays_when_there_is_no_room_for_all() -> None:
    told = line(STORIES["five actions of Puck Bumpers"].snapshot(NAMES))
    assert told == "-# #7 · 🔴 **Ann** plays Take 5: 5 actions a turn from now on, scores Cleo’s puck 3: 2 of 4 for Cleo"


def test_a_long_path_loses_its_middle_and_keeps_what_it_captured() -> None:
    told = line(STORIES["twelve captures of Bouncers"].snapshot(LONG_NAMES))
    assert told.startswith("-# #7 · 🔴 **Maximiliane von und zu Hohenfels** moves the king f6 → … → ")
    assert "capturing 12 pieces" in told


def test_equal_events_are_told_once_with_a_number() -> None:
    position = {**SCRUM, "taken": 2, "hands": [["quick-draw", "quick-draw"], *SCRUM["hands"][1:]]}
    turn = ("play quick-draw", "play quick-draw", "m1 up", "end")
    twice = Story("pucks", 4, position, tuple((0, action) for action in turn), 1)
    assert line(twice.snapshot(NAMES)).startswith("-# #7 · 🔴 **Ann** plays Quick Draw and draws 2 cards (×2), moves ")


def test_an_event_too_long_by_itself_is_cut() -> None:
    told = line(STORIES["twelve captures of Bouncers"].snapshot(("Ann " * 24, *NAMES[1:])))
    assert told.endswith("…")


def test_the_board_of_the_first_turn_says_who_begins() -> None:
    snapshot = STORIES["twelve captures of Bouncers"].snapshot(NAMES)
    assert text(folded_board(snapshot, language("en"), 0)) == "-# #7 · 🔴 **Ann** begins"
    assert text(folded_board(snapshot, language("de"), 0)) == "-# #7 · 🔴 **Ann** beginnt"


def against_computers(seats: int, seed: int = 0) -> Snapshot:
    """A round of BOUNCE in which one person and computers have rolled on their way up."""
    tokens = [{"spot": 2 + seat, "facing": "up", "jumps": 2} for seat in range(seats)]
    position = {"to_move": 0, "tokens": tokens}
    story = Story("trampoline", seats, position, tuple((seat, "roll") for seat in range(seats)), 0, seed)
    snapshot = story.snapshot(NAMES[:seats])
    computers = (
        replace(player, user_id=4_000_000 + seat, computer=Level.HARD) if seat else player
        for seat, player in enumerate(snapshot.people)
    )
    return replace(snapshot, people=tuple(computers))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("code", ["en", "de"])
def test_everybody_who_acted_in_the_turn_is_named_with_the_main_fact(seats: int, code: str) -> None:
    for seed in range(20):
        snapshot = against_computers(seats, seed)
        if snapshot.playing.outcome is not None:
            continue  # somebody has landed
        told = line(snapshot, code)
        assert len(told) <= ROOM + (LEAST + 12) * (seats - 1)
        for seat, logged in enumerate(snapshot.playing.log):
            _, named, own = told.partition(f"**{NAMES[seat]}** ")
            assert named
            dice = " + ".join(map(str, logged.events[0].detail.dice))
            assert dice in own.partition(" · ")[0], "the roll is the first fact, and no bump takes its place"


def test_a_name_cannot_break_the_line() -> None:
    told = line(STORIES["twelve captures of Bouncers"].snapshot(("**A**\n# B", *NAMES[1:])))
    assert told.startswith(r"-# #7 · 🔴 **\*\*A\*\* # B** moves the king")
    assert "\n" not in told
