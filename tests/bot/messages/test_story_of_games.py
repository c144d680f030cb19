"""The story of any part of any game: what others did to the reader's pieces, score or cards is told, and nothing twice."""

import re
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n.language import language
from bot.messages.story import CHARACTERS, FOLDED, LINES, Length, whole, words
from engines.game import Event
from engines.pucks.board.views import Phase
from engines.text import Text, plain
from tests.engines.belongings import changed
from tests.engines.contract_games import CASES, Case, Turn, marked, played

ENGLISH = language("en")
NAMES = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Fay")
MARKS = ("●", "■", "▲", "◆", "✚", "★")
FOLD = re.compile(r" ?… and (\d+) more: (?:\*What happened\?\*|`/replay` shows them all)$")

every_game_for_several = pytest.mark.parametrize("case", marked(case for case in CASES if case.seats > 1))


def wording(event: Event) -> str:
    said = event.phrase or event.text
    assert isinstance(said, Text)
    return said.render(name=lambda seat: NAMES[seat]).replace("**", "")


def part_of(case: Case, data: st.DataObject) -> tuple[list[Turn], int]:
    """A part of a game, and a seat that acts in none of it, which a board would tell about it."""
    turns = played(case).turns
    reader = data.draw(st.integers(0, case.seats - 1), label="reader")
    spans = [list(group) for own, group in groupby(turns, lambda turn: turn.seat == reader) if not own]
    return spans[data.draw(st.integers(0, len(spans) - 1), label="part")] if spans else [], reader


@every_game_for_several
@given(st.data())
def test_events_about_the_readers_pieces_score_or_cards_are_always_told(case: Case, data: st.DataObject) -> None:
    turns, reader = part_of(case, data)
    events = [event for turn in turns for event in turn.step.events if event.private_to is None]
    told = words(events, ENGLISH, NAMES, MARKS, readers=(reader,))
    shown = told.replace("**", "")
    assert len(told.splitlines()) <= LINES
    owed = [event for event in events if reader in event.affects]
    if sum(len(wording(event)) + 30 for event in owed) < CHARACTERS:
        for event in owed:
            assert wording(event) in shown
        for turn in turns:
            if reader in changed(case, turn) and all(event.kind != "place" for event in turn.step.events):
                assert any(wording(event) in shown for event in turn.step.events if event.private_to is None)


@every_game_for_several
@given(st.data(), st.sampled_from([FOLDED, whole(3400)]))
def test_each_event_is_told_once_in_its_order_or_counted(case: Case, data: st.DataObject, length: Length) -> None:
    turns, reader = part_of(case, data)
    happened = [event for turn in turns for event in turn.step.events if event.private_to is None and event.text]
    events = [replace(event, said=plain(f"e{n}x {wording(event)}"), tally=None) for n, event in enumerate(happened)]
    told = words(events, ENGLISH, NAMES, MARKS, length, readers=(reader,))
    found = [int(number) for number in re.findall(r"\be(\d+)x ", told)]
    assert found == sorted(set(found))
    fold = FOLD.search(told)
    assert len(found) + (0 if fold is None else int(fold[1])) == len(events)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_placing_all_pieces_is_one_fact_a_player(seats: int) -> None:
    turns = [turn for turn in played(Case("pucks", "standard", seats)).turns if turn.before.phase is Phase.PLACE]
    events = [event for turn in turns for event in turn.step.events if event.kind in {"place", "auto"}]
    told = words(events, ENGLISH, NAMES, MARKS, whole(3400))
    assert told.count("places 8 pieces") == seats
    assert len(told.splitlines()) == seats
    assert len(words(events, ENGLISH, NAMES, MARKS).splitlines()) <= LINES
