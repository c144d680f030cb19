"""Ratings: how good people are at a game on a server, updated whenever a rated game ends.

The model is openskill's PlackettLuce (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011,
algorithm 4). A player's skill is a normal distribution with mean mu and standard deviation sigma. The model handles games of
two to six players and shared ranks: a draw moves two unequal players together, leaves two equal ones where they are, and makes
all of them more certain. It is the only one of openskill's five models that does so without inflating or deflating skill. Where
one of several players wins and the rest share the last place, the others either push the ratings up or down as a whole (the two
"Part" models and ThurstoneMostellerFull), or count the game as several games and become too certain after a few of them
(BradleyTerryFull). In simulated leagues, PlackettLuce also orders the players as accurately as any of the others, or more so,
after 300 games and after 1500 (docs/opponents.md has the figures).

People are shown a single number, `rating_points`: 1000 for a newcomer, and 40 for each point of mu above or below theirs.
Nothing is taken off for uncertainty: as everybody becomes more certain, all numbers would rise by themselves, by more than
200 points on average in a simulated year. This number keeps its mean, and orders the players more accurately.

The model alone would move a newcomer by more than 100 points with one game. So a game that could move somebody by more than
`most_change` counts in part: every mu and sigma goes only a share of its way, the same share for all players (`ratings_after`),
and nobody leads a leaderboard after one lucky game. Equal shares keep the mean of all ratings where it is. The share is the one
of whatever result could move somebody most, so that it is the same for a win as for a loss against the same opponents: it pays
neither to meet newcomers nor to avoid them, and to beat a stronger player is worth more. In the simulated leagues, the order is
as accurate as without.

Ratings are not worth farming. A game counts once everybody for whom it would count has acted in it, so one that is given away
without a move changes nothing. And friends who let one of them win again and again get less and less for it: the games of two
people within `MEETINGS_WITHIN` count in full `MEETINGS_IN_FULL` times, then by a half, a quarter, and so on (`meeting_share`).
In a game of several, it is the mean of what those of all pairs would count.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import mean
from typing import Final

import structlog

from bot.core.change import Change
from bot.core.core import Core
from bot.core.pace import Pace, pace_of_person
from bot.core.parts import Part
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
"""More games than anybody plays."""

LISTED_FROM: Final = 3
"""How many rated games a person must have played to be on the leaderboard."""
LOOKED_AT: Final = 1000
"""The greatest number of finished games that stats are drawn from."""
LOOKED_UP: Final = 500
"""Of how many people it is looked up at most, the best first, whether they have left the server."""
BADGES: Final = 3
"""How many of the first in an event keep a badge, as those of a season of a ladder do."""


MEETINGS_WITHIN: Final = 30 * 86400.0
"""The seconds in which the rated games that two people have played against each other are counted."""
MEETINGS_IN_FULL: Final = 3
"""How many of them count in full."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating and its place on the leaderboard.

    Attributes:
        rating: the rating.
        place: from 1; equal ratings share a place. None for fewer than `LISTED_FROM` games.
        listed: how many people are on the leaderboard.
    """

    rating: Rating
    place: int | None
    listed: int

    @property
    def provisional(self) -> bool:
        """Whether the rating is based on few games."""
        return provisional(self.rating)


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a person on a server.

    Attributes:
        standings: their standings at each game they have a rating for, the best first.
        recent: the tables that they finished last, newest first, without their games; those too that they left to a stand-in
            and that count for them.
        stats: the conclusions from all of those that the user who asks may look at, but at most the last `LOOKED_AT`.
        pace: how soon they have taken their turns lately, in games with a clock that the user who asks may look at; None if
            these were few.
        ladders: their badges of ladders, the newest season first.
        events: the finished events in which they were among the first three, with their places, the newest first.
    """

    standings: tuple[Standing, ...]
    recent: tuple[Snapshot, ...]
    stats: Stats
    pace: Pace | None = None
    ladders: tuple[LadderBadge, ...] = ()
    events: tuple[tuple[StoredTournament, int], ...] = ()


class Ratings:
    """Queries about ratings and results."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def leaderboard(self, guild_id: int, game: str, limit: int) -> tuple[Standing, ...]:
        """Return the leaderboard of a server at a game, with at most `limit` people; without those who have left the server."""
        await self._look_up(guild_id, game)
        async with self._core.store.read() as reader:
            return (await _leaderboard(reader, guild_id, game, self._core.audience.former(guild_id)))[:limit]

    async def _look_up(self, guild_id: int, game: str) -> None:
        """Learn who of the best at a game has left the server."""
        async with self._core.store.read() as reader:
            best = await queries.ratings.find(reader, guild_id=guild_id, game=game, limit=LOOKED_UP)
        await self._core.audience.look_up(guild_id, [rating.user_id for rating in best])

    async def results(self, guild_id: int, user_id: int, *, asked_by: int, game: str | None = None, recent: int = 8) -> Results:
        """Return the results of a person on a server, at one game or at all games.

        Args:
            guild_id: the server.
            user_id: the person.
            asked_by: the user who asks; private tables that they may not look at are left out.
            game: the id of a game; None: all games.
            recent: the maximum number of tables that are named.
        """
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
        """Return the ratings of people who have played too few rated games for the leaderboard, with the most games first.

        Those who have left the server are not among them.
        """
        await self._look_up(guild_id, game)
        former = self._core.audience.former(guild_id)
        async with self._core.store.read() as reader:
            found = await queries.ratings.find(reader, guild_id=guild_id, game=game, played_at_least=1)
        there = [rating for rating in found if rating.user_id not in former]
        few = [rating for rating in there if rating.played < LISTED_FROM and _usable(rating)]
        return tuple(sorted(few, key=lambda rating: -rating.played)[:limit])


async def _leaderboard(reader: Reader, guild_id: int, game: str, former: Collection[int]) -> tuple[Standing, ...]:
    """Return all standings on a leaderboard, the best first. `former`: those who have left the server, and are not counted."""
    found = await queries.ratings.find(reader, guild_id=guild_id, game=game, played_at_least=LISTED_FROM)
    ratings = [rating for rating in found if _usable(rating) and rating.user_id not in former]
    standings: list[Standing] = []
    for number, rating in enumerate(ratings, 1):
        before = standings[-1] if standings else None
        shared = before is not None and rating_points(before.rating) == rating_points(rating)
        standings.append(Standing(rating, before.place if before and shared else number, len(ratings)))
    return tuple(standings)


async def _standing(reader: Reader, rating: Rating, former: Collection[int]) -> Standing:
    listed = await _leaderboard(reader, rating.guild_id, rating.game, former)
    found = next((standing for standing in listed if standing.rating.user_id == rating.user_id), None)
    return found or Standing(rating, None, len(listed))


# --- rating a finished game ------------------------------------------------------------------------------------------


async def rate(change: Change) -> None:
    """Update the ratings for a game that has just ended, and note the change beside its seats, if the game is rated."""
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
            continue  # a forgotten player: a rating of the placeholder would again be data about them
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
    """Note how much of a finished game counts for the ratings."""
    assert change.table.outcome is not None, "the game is over"
    await change.amend(outcome=replace(change.table.outcome, rating_share=share))


async def _share_of_game(change: Change, people: Sequence[int]) -> float:
    """Return how much of a game between these people counts, 0 to 1, by how often they have met."""
    table, since = change.table, change.now - MEETINGS_WITHIN
    known = [user_id for user_id in people if user_id > 0]
    met = await queries.ratings.rated_together(change.writer, table.guild_id, table.game, known, since)
    return mean(meeting_share(sum({one, other} <= game for game in met)) for one, other in combinations(people, 2))


def meeting_share(met: int) -> float:
    """Return how much of a game of two people counts, 0 to 1, after so many rated games of theirs within `MEETINGS_WITHIN`."""
    return 0.5 ** max(0, met - MEETINGS_IN_FULL + 1)


def rated_for(taker: Seat | Departure) -> int:
    """The id of the user whom a seat counts for: see `bot.core.table.players`."""
    return taker.user_id if isinstance(taker, Departure) or taker.rated_as is None else taker.rated_as


def counting_seat(snapshot: Snapshot, user_id: int) -> int | None:
    """Return the seat whose result counts for a user: one that they left and so lost, otherwise their own, or None."""
    lost = next((seat for seat, loss in losses(snapshot).items() if loss.user_id == user_id), None)
    own = snapshot.seat_of(user_id) if lost is None else lost
    if own is not None:
        return own
    return next((seat for seat, player in enumerate(snapshot.players) if player.rated_as == user_id), None)


async def _known_or_new(writer: Writer, table: Table, user_id: int, name: str, now: float) -> Rating:
    """Return the rating of a user at the game of a table, or a newcomer's; one that `_usable` refuses if it cannot be read."""
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
    """Whether the model can reckon with a rating. What a damaged row says must neither be used nor be overwritten."""
    counts = (rating.played, rating.won, rating.drawn, rating.lost)
    skilled = 0 < rating.sigma <= MOST_SKILL and abs(rating.mu) <= MOST_SKILL
    return skilled and all(0 <= count < MOST_GAMES for count in counts)


PART: Final = Part(name="stats", ended=rate)
