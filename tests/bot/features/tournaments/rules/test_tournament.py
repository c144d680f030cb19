"""Events: who may enter, leave, come back and be replaced, and how many rounds there are."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.rounds import Ending, RoundGame
from bot.features.tournaments.rules.standings import standings
from bot.features.tournaments.rules.tournament import start
from engines.chance import draw_lots
from tests.bot.features.tournaments.rules.playing import KEY, finish_round


def test_the_number_of_rounds() -> None:
    rounds = {name: [chosen.system.rounds(players) for players in (3, 7, 8, 9, 16, 17, 64)] for name, chosen in FORMATS.items()}
    assert rounds == {
        "round_robin": [3, 7, 7, 9, 15, 17, 63], "swiss": [3, 4, 4, 5, 5, 6, 7], "knockout": [2, 3, 3, 4, 4, 5, 6],
        "pods": [2, 3, 3, 3, 4, 4, 5],
    }  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_its_limits(name: str) -> None:
    chosen = FORMATS[name]
    assert chosen.id == name
    for wrong in (range(chosen.fewest - 1), range(chosen.most + 1), [1] * chosen.fewest):
        with pytest.raises(ValueError, match="this format is for"):
            start(chosen, wrong, KEY)
    assert start(chosen, range(chosen.most), KEY).pair()
    with pytest.raises(ValueError, match="cannot enter"):
        start(chosen, range(chosen.most), KEY).enter(99)


@pytest.mark.parametrize(("name", "rounds"), [("swiss", 2), ("pods", 2), ("knockout", 0)])
def test_late_entry_is_possible_until_half_is_over(name: str, rounds: int) -> None:
    event = start(FORMATS[name], range(1, 11), KEY)
    length = event.length
    for number in range(length):
        if number <= rounds:
            entered = event.enter(99)
            assert (entered.length, entered.entries[-1].missed) == (length, number) or number == 0
            assert entered.scores.points[99] == Fraction(number, 2)
            assert 99 in entered.pair().rounds[-1].players
        else:
            with pytest.raises(ValueError, match="cannot enter"):
                event.enter(99)
        event = finish_round(event.pair(), Random(number))


def test_leavers_forfeit_and_their_opponents_get_a_byes_points() -> None:
    event = start(FORMATS["swiss"], range(1, 9), KEY).pair()
    leaver, other = event.rounds[0].games[0].seats
    event = event.withdraw(leaver)
    assert event.rounds[0].games[0].ending is Ending.FORFEITED
    assert event.scores.points[other] == 1
    assert leaver not in finish_round(event, Random(1)).pair().rounds[1].players
    back = finish_round(event, Random(1)).come_back(leaver).pair()
    assert leaver in back.rounds[1].players
    with pytest.raises(ValueError, match="not in the event"):
        event.withdraw(99)


def test_in_a_game_of_several_leavers_keep_their_seat() -> None:
    event = start(FORMATS["pods"], range(1, 5), KEY).pair().withdraw(2)
    assert not event.rounds[0].games[0].is_over
    assert event.active == (1, 3, 4)
    with pytest.raises(ValueError, match="game of two"):
        event.rounds[0].games[0].forfeit(2)


def test_an_event_ends_early_when_too_few_are_left() -> None:
    event = finish_round(start(FORMATS["pods"], range(1, 6), KEY).pair(), Random(1))
    assert not event.withdraw(1).withdraw(2).is_over
    over = event.withdraw(1).withdraw(2).withdraw(3)
    assert over.is_over
    with pytest.raises(ValueError, match="no round"):
        over.pair()
    assert not over.come_back(1).is_over


@pytest.mark.parametrize("name", ["round_robin", "swiss", "pods"])
def test_an_event_that_everybody_leaves_before_the_start_is_over(name: str) -> None:
    event = start(FORMATS[name], range(1, 8), KEY)
    assert not event.is_over
    for player in event.players:
        event = event.withdraw(player)
    assert event.is_over
    assert [line.place for line in standings(event)] == list(range(1, 8))


def test_a_substitute_takes_a_players_games_and_results() -> None:
    event = finish_round(start(FORMATS["swiss"], range(1, 8), KEY).pair(), Random(2))
    replaced, points = event.substitute(7, 70), {line.player: line.points for line in standings(event)}
    assert {line.player: line.points for line in standings(replaced)} == {
        70 if player == 7 else player: value for player, value in points.items()
    }
    assert 7 not in replaced.players
    assert 7 not in replaced.rounds[0].players
    for wrong in ((9, 70), (1, 2)):
        with pytest.raises(ValueError, match="takes the place"):
            event.substitute(*wrong)


def test_a_result_can_be_changed_by_hand_for_its_players() -> None:
    event = start(FORMATS["swiss"], range(1, 9), KEY).pair()
    game = event.rounds[0].games[0]
    first, second = game.seats
    won = event.settle(0, 0, game.finish(1, 2))
    assert won.scores.points[first] == 1
    assert won.settle(0, 0, game.finish(2, 1)).scores.points[second] == 1
    assert won.settle(0, 0, replace(game, places=())) == event
    with pytest.raises(ValueError, match="players of the game"):
        event.settle(0, 0, RoundGame((98, 99), (1, 2)))


def test_a_game_has_different_players_and_whole_results() -> None:
    for seats, places in (((1, 1), ()), ((1,), ()), ((1, 2), (1,))):
        with pytest.raises(ValueError, match=r"different players|for each seat"):
            RoundGame(seats, places)


def test_lots_depend_on_the_key_and_the_purpose_alone() -> None:
    drawn = draw_lots(KEY, "tie", range(50))
    assert draw_lots(KEY, "tie", (player for player in reversed(range(50)) if player % 2)) == tuple(
        player for player in drawn if player % 2
    )
    assert len({drawn, draw_lots(KEY, "seats", range(50)), draw_lots(b"other", "tie", range(50)), tuple(range(50))}) == 4
