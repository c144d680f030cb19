"""Stats computed from a person's games on a server, as pure functions of rows.

A game that counts for the ratings has its rated result (see `bot.core.table.players`), and any other game has its own. Games
without a result, and games that were played alone, are left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import Final

from bot.core.table.players import counting_party, counts_for, losses, rated_winners, staying_seats, without_result
from bot.core.table.snapshot import Snapshot
from storage.schema.records import Departure, Level, Seat

FORM: Final = 10
"""How many of the latest results make up the form."""
STRENGTH: Final = tuple(Level)
"""The levels of computers, the weakest first."""
RIVALS: Final = 4
"""The most rivals shown."""


class GameResult(StrEnum):
    """The result of a game for one person."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A person's finished game, with their points afterwards if it was rated, and the people and computers that they met."""

    table_id: int
    game: str
    result: GameResult
    rating: int | None
    opponents: tuple[Seat | Departure, ...]
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Rival:
    """Another person, and the results of a person's games against them."""

    user_id: int
    name: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """The number of games against the rival."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Feat:
    """A number to be proud of, and the table where it was reached. For a run, this is the table of the last game."""

    value: int
    table_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a person's games show, the oldest first where there is an order. Mappings are by game id.

    Attributes:
        form: the latest results against people, at most `FORM`.
        ratings: the ratings after each rated game.
        rivals: the people whom the person has played most, at most `RIVALS`.
        run: the longest run of at least two wins against people.
        peak: the highest rating, if at least two rated games were played.
        upset: the highest rating of a person whom they beat one against one in a rated game.
        badges: the strongest level of computer beaten in a game against computers alone.
    """

    form: tuple[GameResult, ...] = ()
    ratings: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    rivals: tuple[Rival, ...] = ()
    run: Feat | None = None
    peak: Mapping[str, Feat] = field(default_factory=dict)
    upset: Feat | None = None
    badges: Mapping[str, Level] = field(default_factory=dict)


def stats_of(finished: Iterable[Snapshot], user_id: int) -> Stats:
    """Compute the stats from a person's finished games, given in the order in which they ended."""
    games = [game for game in (game_of(snapshot, user_id) for snapshot in finished) if game is not None]
    social = [game for game in games if game.opponents]
    rated = sorted((game for game in games if game.rating is not None), key=lambda game: game.game)
    histories = {game_id: list(same) for game_id, same in groupby(rated, key=lambda game: game.game)}
    best = {one: max(same, key=lambda game: game.rating or 0) for one, same in histories.items() if len(same) > 1}
    return Stats(
        form=tuple(game.result for game in social[-FORM:]),
        ratings={game_id: tuple(game.rating or 0 for game in same) for game_id, same in histories.items()},
        rivals=_rivals(social),
        run=_longest_run(social),
        peak={game_id: Feat(game.rating or 0, game.table_id) for game_id, game in best.items()},
        upset=max(_upsets(social), key=lambda moment: moment.value, default=None),
        badges=_badges(games),
    )


def game_of(snapshot: Snapshot, user_id: int) -> FinishedGame | None:
    """Return a finished game as one person experienced it, without its log, or None if it says nothing about them."""
    seat = _seat_of(snapshot, user_id)
    if seat is None or len(snapshot.players) < 2 or without_result(snapshot):
        return None
    rated = snapshot.table.rated and counts_for(snapshot, user_id)
    mine = counting_party(snapshot, seat) if rated else snapshot.players[seat]
    others = [place for place in range(len(snapshot.players)) if place != seat]
    people = [counting_party(snapshot, place) if rated else snapshot.players[place] for place in others]
    levels = [snapshot.players[place].computer for place in others]
    return FinishedGame(
        table_id=snapshot.table.id,
        game=snapshot.table.game,
        result=_result(snapshot, seat, user_id, rated=rated),
        rating=mine.rating_after if rated else None,
        opponents=tuple(one for one, level in zip(people, levels, strict=True) if level is None),
        levels=tuple(level for level in levels if level is not None),
    )


def _seat_of(snapshot: Snapshot, user_id: int) -> int | None:
    """Return the seat whose result is a person's: one that they lost by leaving, or else their own. None without either."""
    left = next((seat for seat, loss in losses(snapshot).items() if loss.user_id == user_id), None)
    if left is not None:
        return left
    return next((seat for seat, one in enumerate(snapshot.players) if user_id in {one.user_id, one.rated_as}), None)


def _result(snapshot: Snapshot, seat: int, user_id: int, *, rated: bool) -> GameResult:
    loss = losses(snapshot).get(seat)
    if loss is not None and loss.user_id == user_id:
        return GameResult.LOST
    ended = snapshot.table.outcome
    assert ended is not None, "it has a result"
    winners, there = (rated_winners(snapshot), staying_seats(snapshot)) if rated else (ended.winners, snapshot.present)
    if seat in winners:
        return GameResult.WON
    return GameResult.DRAWN if not winners and seat in there and len(there) > 1 else GameResult.LOST


def _rivals(games: Sequence[FinishedGame]) -> tuple[Rival, ...]:
    """Return the people whom a person has played most. In a larger game, the person's result counts against everybody else."""
    names: dict[int, str] = {}
    counts: dict[int, Counter[GameResult]] = {}
    for game in games:
        for other in game.opponents:
            if other.user_id > 0:
                names[other.user_id] = other.name
                counts.setdefault(other.user_id, Counter())[game.result] += 1
    rivals = [
        Rival(who, names[who], found[GameResult.WON], found[GameResult.DRAWN], found[GameResult.LOST])
        for who, found in counts.items()
    ]
    return tuple(sorted(rivals, key=lambda rival: (-rival.games, -rival.won, rival.user_id))[:RIVALS])


def _longest_run(games: Sequence[FinishedGame]) -> Feat | None:
    best: Feat | None = None
    length = 0
    for game in games:
        length = length + 1 if game.result is GameResult.WON else 0
        if length > 1 and (best is None or length > best.value):
            best = Feat(length, game.table_id)
    return best


def _upsets(games: Iterable[FinishedGame]) -> Iterable[Feat]:
    """Yield the ratings of people who were beaten one against one."""
    for game in games:
        if game.result is GameResult.WON and game.rating is not None and len(game.opponents) == 1:
            before = game.opponents[0].rating_before
            if before is not None:
                yield Feat(before, game.table_id)


def _badges(games: Iterable[FinishedGame]) -> Mapping[str, Level]:
    found: dict[str, Level] = {}
    for game in games:
        if game.result is GameResult.WON and game.levels and not game.opponents:
            weakest = min(game.levels, key=STRENGTH.index)
            found[game.game] = max(found.get(game.game, weakest), weakest, key=STRENGTH.index)
    return found
