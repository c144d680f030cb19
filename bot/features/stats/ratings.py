"""Ratings: how well people play a game on a server, updated whenever a rated game ends.

The model is openskill's PlackettLuce (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011,
algorithm 4), in which a skill is a normal distribution with mean mu and standard deviation sigma. The model handles two to six
players and shared ranks, and is the only one of openskill's five models to do so without inflating or deflating skill. In
simulated leagues it orders the players at least as accurately as the others (docs/opponents.md).

People are shown a single number, `rating_points`. A newcomer has 1000, and each point of mu adds or subtracts 40. Nothing is
deducted for uncertainty. Otherwise all numbers would rise by themselves, by more than 200 points in a simulated year.

The model alone would move a newcomer by more than 100 points in one game. Therefore a game that could move anybody by more than
`most_change` counts only in part (`ratings_after`). All players move by the same share, which preserves the mean, and nobody
leads a leaderboard after one lucky game. The share follows from whichever result could move somebody most, so there is nothing
to gain from meeting newcomers or from avoiding them.

Ratings cannot be farmed. A game counts only if everybody for whom it counts has acted. Of two people's games within
`MEETINGS_WITHIN`, the first `MEETINGS_IN_FULL` count in full, and the following ones count half, a quarter, and so on
(`meeting_share`). A game of more than two players counts as much as the mean of its pairs.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import mean
from typing import Final

import structlog

from bot.core.change import Change
from bot.core.pace import Pace, pace_of_person
from bot.core.parts import Part, Service
from bot.core.skill import MODEL, MOST_SKILL, provisional, rating_points, ratings_after
from bot.core.table.players import (
    counting_party,
    left_seats,
    losses,
    order_of_finish,
    rated_winners,
    seats_without_an_action,
    staying_seats,
    without_result,
)
from bot.core.table.snapshot import Snapshot
from bot.features.ladders import sql as ladders_sql
from bot.features.stats.stats import Stats, stats_of
from bot.features.tournaments import sql as tournaments_sql
from storage import queries
from storage.schema.errors import UnreadableRow
from storage.schema.ladder_records import LadderBadge
from storage.schema.records import Departure, Rating, Seat, Table
from storage.schema.tournament_records import StoredTournament
from storage.store import Reader, Writer

log = structlog.get_logger(__name__)


MOST_GAMES: Final = 10**9
"""A number of games that nobody ever reaches."""

LISTED_FROM: Final = 3
"""How many rated games a person must have played to be on the leaderboard."""
LOOKED_AT: Final = 1000
"""The most finished games that stats are computed from."""
LOOKED_UP: Final = 500
"""For how many people, the best first, the bot looks up whether they have left the server."""
BADGES: Final = 3
"""How many of the best players in an event keep a badge, as many as in a ladder season."""


MEETINGS_WITHIN: Final = 30 * 86400.0
"""For how many seconds a rated game between two people is taken into account when they meet again."""
MEETINGS_IN_FULL: Final = 3
"""How many of the games within this time count in full."""


@dataclass(frozen=True, slots=True)
class RankedRating:
    """A rating and its place among all `listed`. Equals share a place; people with fewer than `LISTED_FROM` games have none."""

    rating: Rating
    place: int | None
    listed: int

    @property
    def provisional(self) -> bool:
        """Whether the rating is based on few games."""
        return provisional(self.rating)


@dataclass(frozen=True, slots=True)
class Results:
    """A person's results on a server, as far as the person asking may look at the games, the newest first.

    The recent tables come without histories. They include games that were left to a stand-in, if those count. The stats are
    computed from at most the last `LOOKED_AT` games. The pace is None if there were too few turns.
    """

    standings: tuple[RankedRating, ...]
    recent: tuple[Snapshot, ...]
    stats: Stats
    pace: Pace | None = None
    ladders: tuple[LadderBadge, ...] = ()
    events: tuple[tuple[StoredTournament, int], ...] = ()


class Ratings(Service):
    """Looks up ratings and results."""

    async def leaderboard(self, guild_id: int, game: str, limit: int) -> tuple[RankedRating, ...]:
        """Return the best people at a game on a server, at most `limit`, without those who have left the server."""
        await self._look_up(guild_id, game)
        async with self._core.store.read() as reader:
            return (await _leaderboard(reader, guild_id, game, self._core.audience.former(guild_id)))[:limit]

    async def _look_up(self, guild_id: int, game: str) -> None:
        async with self._core.store.read() as reader:
            best = await queries.ratings.find(reader, guild_id=guild_id, game=game, limit=LOOKED_UP)
        await self._core.audience.look_up(guild_id, [rating.user_id for rating in best])

    async def results(self, guild_id: int, user_id: int, *, asked_by: int, game: str | None = None, recent: int = 8) -> Results:
        """Return a person's results in `game` or, without one, in all games. Lists `recent` tables that `asked_by` may see."""
        former = self._core.audience.former(guild_id)
        async with self._core.store.read() as reader:
            found = await queries.ratings.find(reader, guild_id=guild_id, user_id=user_id, game=game, played_at_least=1)
            own = [rating for rating in found if rating.game in self._core.games]
            standings = tuple([await _standing(reader, rating, former) for rating in own])
            tables = await queries.tables.results(
                reader, guild_id=guild_id, user_id=user_id, seen_by=asked_by, game=game, handed_over=True, limit=LOOKED_AT
            )
            people = await queries.seats.of_tables(reader, [table.id for table in tables])
            gone = await queries.seats.departures_of_tables(reader, [table.id for table in tables])
            pace = await pace_of_person(reader, guild_id, user_id, self._core.now(), seen_by=asked_by, game=game)
            badges = await ladders_sql.badges_of_person(reader, guild_id, user_id)
            places = await tournaments_sql.places_of_person(reader, guild_id, user_id, best=BADGES)
        snapshots = [
            Snapshot(table, people[table.id], departures=gone[table.id])
            for table in tables
            if table.id in people and table.game in self._core.games
        ]
        visible = [snapshot for snapshot in snapshots if snapshot.open_to(asked_by)]
        return Results(
            standings, tuple(visible[:recent]), stats_of(reversed(visible), user_id), pace,
            tuple(badge for badge in badges if game in {None, badge.game}),
            tuple((event, place) for event, place in places if game in {None, event.game}),
        )  # fmt: skip

    async def candidates(self, guild_id: int, game: str, limit: int) -> tuple[Rating, ...]:
        """Return the ratings of members with too few rated games for the leaderboard, those with the most games first."""
        await self._look_up(guild_id, game)
        former = self._core.audience.former(guild_id)
        async with self._core.store.read() as reader:
            found = await queries.ratings.find(reader, guild_id=guild_id, game=game, played_at_least=1)
        there = [rating for rating in found if rating.user_id not in former]
        few = [rating for rating in there if rating.played < LISTED_FROM and _usable(rating)]
        return tuple(sorted(few, key=lambda rating: -rating.played)[:limit])


async def _leaderboard(reader: Reader, guild_id: int, game: str, former: Collection[int]) -> tuple[RankedRating, ...]:
    """Return a leaderboard's standings, the best first, without `former` members of the server."""
    found = await queries.ratings.find(reader, guild_id=guild_id, game=game, played_at_least=LISTED_FROM)
    ratings = [rating for rating in found if _usable(rating) and rating.user_id not in former]
    standings: list[RankedRating] = []
    for number, rating in enumerate(ratings, 1):
        before = standings[-1] if standings else None
        shared = before is not None and rating_points(before.rating) == rating_points(rating)
        standings.append(RankedRating(rating, before.place if before and shared else number, len(ratings)))
    return tuple(standings)


async def _standing(reader: Reader, rating: Rating, former: Collection[int]) -> RankedRating:
    listed = await _leaderboard(reader, rating.guild_id, rating.game, former)
    found = next((standing for standing in listed if standing.rating.user_id == rating.user_id), None)
    return found or RankedRating(rating, None, len(listed))


# --- rating a finished game ------------------------------------------------------------------------------------------


async def rate(change: Change) -> None:
    """Update the ratings after a rated game that has just ended, and record the changes with its seats."""
    snapshot, table, now = change.snapshot, change.table, change.now
    if not table.rated or len(snapshot.players) < 2 or without_result(snapshot):
        return
    if seats_without_an_action(snapshot):
        await _count_in_part(change, 0.0)
        return
    winners, there = rated_winners(snapshot), staying_seats(snapshot)
    ranks = order_of_finish(len(snapshot.players), winners, left_seats(snapshot))
    takers = [counting_party(snapshot, seat) for seat in range(len(ranks))]
    before = [await _known_or_new(change.writer, table, rated_for(taker), taker.name, now) for taker in takers]
    unusable = [seat for seat, rating in enumerate(before) if not _usable(rating)]
    for seat in unusable:
        log.error("a rating cannot be used and is left as it is", table=table.id, user=before[seat].user_id)
        before[seat] = _newcomer(table, before[seat].user_id, before[seat].name, now)
    share = await _share_of_game(change, [rating.user_id for rating in before])
    if share < 1:
        await _count_in_part(change, share)
    after = ratings_after(before, ranks, share)
    for seat, (taker, rating, (mu, sigma)) in enumerate(zip(takers, before, after, strict=True)):
        if rating.user_id < 0 or seat in unusable:
            continue  # a forgotten player, about whom a rated placeholder would be data again
        won = seat in winners
        drawn = not winners and seat in there
        rated = replace(
            rating, name=taker.name if rated_for(taker) == taker.user_id else rating.name, mu=mu, sigma=sigma,
            played=rating.played + 1, won=rating.won + won, drawn=rating.drawn + drawn,
            lost=rating.lost + (not won and not drawn), updated_at=now,
        )  # fmt: skip
        await queries.ratings.put(change.writer, rated)
        noted = replace(taker, rating_before=rating_points(rating), rating_after=rating_points(rated))
        if isinstance(noted, Seat):
            await change.put_seat(noted)
        else:
            await change.put_departure(noted)


async def _count_in_part(change: Change, share: float) -> None:
    """Record how much of a finished game counts for the ratings."""
    assert change.table.outcome is not None, "the game is over"
    await change.amend(outcome=replace(change.table.outcome, rating_share=share))


async def _share_of_game(change: Change, people: Sequence[int]) -> float:
    """Return how much of a game counts, from 0 to 1, given how often these people have met."""
    table, since = change.table, change.now - MEETINGS_WITHIN
    known = [user_id for user_id in people if user_id > 0]
    met = await queries.ratings.rated_together(change.writer, table.guild_id, table.game, known, since)
    return mean(meeting_share(sum({one, other} <= game for game in met)) for one, other in combinations(people, 2))


def meeting_share(met: int) -> float:
    """Return how much a game between two people counts, from 0 to 1, after `met` rated games within `MEETINGS_WITHIN`."""
    return 0.5 ** max(0, met - MEETINGS_IN_FULL + 1)


def rated_for(taker: Seat | Departure) -> int:
    """Return the id of the user for whom a seat counts (see `bot.core.table.players`)."""
    return taker.user_id if isinstance(taker, Departure) or taker.rated_as is None else taker.rated_as


def counting_seat(snapshot: Snapshot, user_id: int) -> int | None:
    """Return the seat whose result counts for a user: one that they lost by leaving, or else their own. None without either."""
    lost = next((seat for seat, loss in losses(snapshot).items() if loss.user_id == user_id), None)
    own = snapshot.seat_of(user_id) if lost is None else lost
    if own is not None:
        return own
    return next((seat for seat, player in enumerate(snapshot.players) if player.rated_as == user_id), None)


async def _known_or_new(writer: Writer, table: Table, user_id: int, name: str, now: float) -> Rating:
    """Return a user's rating, or that of a newcomer. An unreadable rating is replaced by one that `_usable` rejects."""
    try:
        known = await queries.ratings.get(writer, table.guild_id, user_id, table.game)
    except UnreadableRow:
        return replace(_newcomer(table, user_id, name, now), sigma=-1.0)
    return known or _newcomer(table, user_id, name, now)


def _newcomer(table: Table, user_id: int, name: str, now: float) -> Rating:
    return Rating(
        guild_id=table.guild_id, user_id=user_id, game=table.game, name=name, mu=MODEL.mu, sigma=MODEL.sigma, updated_at=now
    )


def _usable(rating: Rating) -> bool:
    """Whether the model can use a rating. A damaged row must be neither used nor overwritten."""
    counts = (rating.played, rating.won, rating.drawn, rating.lost)
    skilled = 0 < rating.sigma <= MOST_SKILL and abs(rating.mu) <= MOST_SKILL
    return skilled and all(0 <= count < MOST_GAMES for count in counts)


PART: Final = Part(name="stats", ended=rate)
