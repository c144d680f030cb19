"""Folded boards: one line, which says who did what, and is no longer than a line."""

from dataclasses import replace

import pytest

from bot.i18n.language import language
from bot.messages.builder import MessageBuilder
from bot.messages.game.folded_board import LEAST, ROOM, folded_board
from bot.sessions import Snapshot
from storage.schema.records import Level
from tests.bot.stories import LONG_NAMES, STORIES

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
    assert told == "-# #7 · 🔴 **Ann** scores Cleo’s puck 3: 2 of 4 for Cleo, lays mat c to the right of mat d"


def test_a_long_path_loses_its_middle_and_keeps_what_it_captured() -> None:
    told = line(STORIES["twelve captures of Bouncers"].snapshot(LONG_NAMES))
    assert told.startswith("-# #7 · 🔴 **Maximiliane von und zu Hohenfels** moves the king f6 → … → ")
    assert "capturing 12 pieces" in told


def test_what_is_too_long_by_itself_is_cut() -> None:
    told = line(STORIES["twelve captures of Bouncers"].snapshot(("Ann " * 24, *NAMES[1:])))
    assert told.endswith("…")


def test_the_board_of_the_first_turn_names_the_players_and_the_levels_of_computers() -> None:
    snapshot = STORIES["twelve captures of Bouncers"].snapshot(NAMES)
    people = (snapshot.people[0], replace(snapshot.people[1], user_id=4_000_001, name="Pogo", computer=Level.HARD))
    began = text(folded_board(replace(snapshot, people=people), language("en"), 0))
    assert began == "-# #7 · The game begins: 🔴 Ann · 🔵🤖 Pogo (computer, hard)"


def test_a_name_cannot_break_the_line() -> None:
    told = line(STORIES["twelve captures of Bouncers"].snapshot(("**A**\n# B", *NAMES[1:])))
    assert told.startswith(r"-# #7 · 🔴 **\*\*A\*\* # B** moves the king")
    assert "\n" not in told
