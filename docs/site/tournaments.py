"""Tournaments for the gallery, held by the real rules among people whose strength is known."""

from collections.abc import Sequence
from typing import Final

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.standings import standings
from bot.features.tournaments.rules.tournament import Tournament, start
from bot.features.tournaments.view import TournamentView
from engines import GAMES
from renderers.summaries.ladder import Ladder, Rung
from storage.schema.kinds import TournamentStatus
from storage.schema.tournament_records import StoredTournament, TournamentEntry

PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dev", "Émile", "田中", "Farid", "Дева")
"""Who takes part, the strongest first, with numbers from 1."""
_UPSETS: Final = {(1, 3), (4, 7)}
_DRAWS: Final = {(2, 4), (5, 6), (3, 8)}
"""Upsets: the stronger player loses (`_UPSETS`); and draws."""
_KEY: Final = bytes(32)
_DAY: Final = 86_400


def hold(format_id: str, name: str, game_id: str, players: int, rounds: int | None = None) -> TournamentView:
    """Return a finished tournament, or one in which the round after `rounds` has begun."""
    event = start(FORMATS[format_id], range(1, players + 1), _KEY)
    while not event.is_over and len(event.rounds) != rounds:
        event = _play(event.pair())
    if rounds is not None:
        event = event.pair()
    row = StoredTournament(
        guild_id=1, channel_id=1, name=name, game=game_id, variant=GAMES[game_id].variants[0], format=format_id, most=players,
        clock=_DAY, round_seconds=7 * _DAY, organiser_id=1, organiser_name=PEOPLE[0], key=_KEY, created_at=0, check_in_at=0,
        starts_at=0, status=TournamentStatus.FINISHED if event.is_over else TournamentStatus.RUNNING,
    )  # fmt: skip
    entries = (TournamentEntry(event_id=0, number=number, user_id=number, name=PEOPLE[number - 1]) for number in event.players)
    return TournamentView(row, tuple(entries), event, table=standings(event))


def _play(event: Tournament) -> Tournament:
    """Finish the games in progress, and those that become due."""
    while not event.is_round_over:
        for number, each in enumerate(event.rounds):
            for index, game in enumerate(each.games):
                if not game.is_over:
                    event = event.settle(number, index, game.finish(*_result(game.seats)))
        event = event.add_games_due()
    return event


def _result(seats: Sequence[int]) -> tuple[int, int]:
    """The places of two players, in the order of their seats."""
    pair = min(seats), max(seats)
    if pair in _DRAWS:
        return 1, 1
    return (1, 2) if (seats[0] < seats[1]) != (pair in _UPSETS) else (2, 1)


def ladder() -> Ladder:
    """A ladder of eight, on which the games of a season have been played."""
    games = ((7, 1), (5, 3), (6, 4), (3, 3), (4, 5), (2, 4), (3, 6), (1, 5))
    rungs = tuple(Rung(place, PEOPLE[place - 1], won, lost) for place, (won, lost) in enumerate(games, 1))
    return Ladder(
        title="Bouncers", subtitle="Ladder, season 4 of 2026", rungs=rungs, won="Won", lost="Lost", nameless="a player"
    )
