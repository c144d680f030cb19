"""Knockouts: the bracket, byes, and matches of two games, a third, and lots."""

from random import Random

import pytest

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.pairing.knockout import bracket, seed_places
from bot.features.tournaments.rules.standings import standings
from bot.features.tournaments.rules.tournament import Tournament, start
from engines.chance import draw_lots
from tests.bot.features.tournaments.rules.playing import KEY, finish_round, play

KNOCKOUT = FORMATS["knockout"]


def test_the_seeds_have_the_usual_places() -> None:
    assert seed_places([1, 2, 3, 4, 5, 6, 7, 8]) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert seed_places([1, 2, 3, 4, 5]) == (1, None, 4, 5, 2, None, 3, None)
    assert seed_places([1, 2]) == (1, 2)


@pytest.mark.parametrize("players", range(3, 40))
def test_the_first_seeds_meet_as_late_as_they_can(players: int) -> None:
    places = seed_places(range(1, players + 1))
    assert sorted(place for place in places if place) == list(range(1, players + 1))
    byes = {one or other for one, other in zip(places[::2], places[1::2], strict=True) if not (one and other)}
    assert byes == set(range(1, len(places) - players + 1)), "the byes are those of the highest seeds"
    size, seeds = len(places), 1
    while size > 1:
        parts = [places[begin : begin + size] for begin in range(0, len(places), size)]
        assert all(sum(place is not None and place <= seeds for place in part) == 1 for part in parts)
        size, seeds = size // 2, seeds * 2


def settle_all(event: Tournament, *places: int) -> Tournament:
    """The event after (1, 2) lets the lower number win, (2, 1) the higher, (1, 1) neither."""
    for number, each in enumerate(event.rounds):
        for index, game in enumerate(each.games):
            if not game.is_over:
                low = game.seats[0] < game.seats[1]
                event = event.settle(number, index, game.finish(*(places if low else places[::-1])))
    return event


def test_two_games_with_the_seats_swapped_decide() -> None:
    event = start(KNOCKOUT, [1, 2, 3, 4], KEY).pair()
    assert [game.seats for game in event.rounds[0].games] == [(1, 4), (4, 1), (2, 3), (3, 2)]
    event = settle_all(event, 1, 2).pair()
    assert [game.seats for game in event.rounds[1].games] == [(1, 2), (2, 1)]
    event = settle_all(event, 2, 1)
    assert event.is_over
    assert [(line.player, line.place) for line in standings(event)] == [(2, 1), (1, 2), (3, 3), (4, 3)]


def test_one_more_game_decides_a_level_match_and_then_the_lots_do() -> None:
    event = settle_all(start(KNOCKOUT, [1, 2, 3, 4], KEY).pair(), 1, 1)
    assert not event.is_round_over
    with pytest.raises(ValueError, match="no round"):
        event.pair()
    assert len(event.games_due) == 2
    event = event.add_games_due()
    assert event.games_due == ()
    won = settle_all(event, 2, 1)
    assert [match.winner for match in bracket(won.players, won.rounds, KEY)[0]] == [4, 3]
    drawn = settle_all(event, 1, 1)
    assert drawn.is_round_over
    winners = [match.winner for match in bracket(drawn.players, drawn.rounds, KEY)[0]]
    assert winners == [(1, 4)[draw_lots(KEY, "match:1:1", (0, 1))[0]], (2, 3)[draw_lots(KEY, "match:1:2", (0, 1))[0]]]
    assert [game.seats for game in drawn.pair().rounds[1].games] == [tuple(winners), tuple(winners[::-1])]


def test_substituting_a_player_changes_no_lots() -> None:
    event = settle_all(start(KNOCKOUT, range(1, 9), KEY).pair(), 1, 1).add_games_due()
    event = settle_all(event, 1, 1).pair()
    for player in event.players:
        changed = event.substitute(player, 100)
        before, after = (bracket(each.players, each.rounds, KEY)[0] for each in (event, changed))
        assert [match.winner for match in after] == [100 if match.winner == player else match.winner for match in before]


def test_one_win_each_is_level() -> None:
    event = start(KNOCKOUT, [1, 2, 3], KEY).pair()
    assert event.rounds[0].byes == (1,)
    for index, game in enumerate(event.rounds[0].games):
        event = event.settle(0, index, game.finish(1, 2))
    assert len(event.games_due) == 1


def test_leaving_loses_the_match_even_after_a_win() -> None:
    event = start(KNOCKOUT, [1, 2, 3, 4], KEY).pair()
    event = event.settle(0, 0, event.rounds[0].games[0].finish(1, 2)).withdraw(1)
    assert bracket(event.players, event.rounds, KEY)[0][0].winner == 4
    event = settle_all(event, 1, 2).withdraw(2).pair()
    assert event.is_over, "both games of the final are forfeited at once"
    assert standings(event)[0].player == 4


def test_the_higher_seed_wins_if_both_leave() -> None:
    final = settle_all(start(KNOCKOUT, [1, 2, 3, 4], KEY).pair(), 2, 1).withdraw(3).withdraw(4).pair()
    assert [match.players for match in bracket(final.players, final.rounds, KEY)[1]] == [(4, 3)]
    assert standings(final)[0].player == 3


def test_an_event_that_everybody_leaves_ends() -> None:
    event = start(KNOCKOUT, range(1, 8), KEY).pair()
    for player in event.players:
        event = event.withdraw(player)
    while not event.is_over:
        event = event.pair()
    assert len(event.rounds) == 3


@pytest.mark.parametrize("players", [3, 4, 5, 7, 8, 16, 33, 64])
def test_an_event_has_one_winner(players: int) -> None:
    event = play(KNOCKOUT, players, Random(players))
    assert len(event.rounds) == (players - 1).bit_length()
    lines = standings(event)
    assert [line.place for line in lines][:3] == [1, 2, 3]
    stages = bracket(event.players, event.rounds, KEY)
    assert sum(match.loser is not None for stage in stages for match in stage) == players - 1
    assert finish_round(event, Random(0)) == event
