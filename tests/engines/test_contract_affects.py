"""In every game, the events of a step name all seats whose pieces, score or cards another seat has changed."""

import pytest

from tests.engines.belongings import changed
from tests.engines.contract_games import every_case, played


@every_case
@pytest.mark.parametrize("leaving", [False, True])
def test_whoever_loses_or_gets_something_by_another_seat_is_affected_by_an_event(case, leaving):
    for turn in played(case, leaving).turns:
        affected = {seat for event in turn.step.events if event.private_to is None for seat in event.affects}
        placed = {event.seat for event in turn.step.events if event.kind == "place"}  # by chance, as they wished
        assert changed(case, turn) - placed <= affected, (turn.seat, turn.action, [event.text for event in turn.step.events])
        own = [event for event in turn.step.events if event.seat is not None and turn.seat in event.affects]
        assert not own, "those who act know it"


@every_case
def test_only_the_seats_of_the_game_are_affected_and_each_is_named_once(case):
    for turn in played(case).turns:
        for event in turn.step.events:
            assert set(event.affects) <= set(range(case.seats))
            assert len(set(event.affects)) == len(event.affects)


@every_case
def test_a_hand_that_another_seat_changes_is_told_of(case):
    """As the seat itself sees it: which cards, not only how many."""
    for turn in played(case).turns:
        affected = {seat for event in turn.step.events for seat in event.affects}
        for seat in set(range(case.seats)) - {turn.seat} - affected:
            before, after = (case.game.view(state, seat) for state in (turn.before, turn.step.state))
            assert getattr(before, "hand", None) == getattr(after, "hand", None)


@every_case
def test_what_decides_the_game_is_a_line_to_read(case):
    for turn in played(case).turns:
        assert all(event.major for event in turn.step.events if event.decisive)
