"""Ratings: how good people are at a game on a server, updated whenever a rated game ends.

The model is openskill's PlackettLuce (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011,
algorithm 4). A player's skill is a normal distribution with mean mu and standard deviation sigma. The model handles games of
two to six players and shared ranks: a draw moves two unequal players together, leaves two equal ones where they are, and makes
all of them more certain. It is the only one of openskill's five models that does so without inflating or deflating skill. Where
one of several players wins and the rest share the last place, the others either push the ratings up or down as a whole (the two
"Part" models and ThurstoneMostellerFull), or count the game as several games and become too certain after a few of them
(BradleyTerryFull). In simulated leagues, PlackettLuce also orders the players as accurately as any of the others, or more so,
after 300 games and after 1500 (benchmarks/rating_models.py).

People are shown a single number, `shown`: 1000 for a newcomer, plus 40 for each point of mu - 3 sigma, a skill that they almost
certainly have. So nobody leads a leaderboard after one lucky game, and it pays to play more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog
from openskill.models import PlackettLuce

from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot, User
from storage.errors import UnreadableRow
from storage.records import Ending, EntryKind, Rating, Result, Seat, Table
from storage.store import Reader, Writer

log = structlog.get_logger(__name__)

MODEL: Final = PlackettLuce()

NEWCOMER: Final = 1000
SCALE: Final = 40
"""The number that people are shown is NEWCOMER + SCALE * (mu - 3 sigma)."""

LISTED_FROM: Final = 3
"""How many rated games somebody must have played to be on the leaderboard."""
PROVISIONAL_BELOW: Final = 10
"""A rating is provisional until its player has played this many rated games."""


def without_result(ended: Result) -> bool:
    """Whether an ending says nothing about anybody's skill, so that the game is not rated.

    That is so for a table that a moderator has closed, and for a game that was abandoned before it had really begun: otherwise
    those who went on waiting have won it.
    """
    return ended.how is Ending.CLOSED or (ended.how is Ending.ABANDONED and not ended.winners)


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
        return self.rating.played < PROVISIONAL_BELOW


@dataclass(frozen=True, slots=True)
class Results:
    """Somebody's results on a server.

    Attributes:
        standings: their standings at each game they have a rating for, the best first.
        recent: the tables that they finished last, newest first, without their games; those too that they left to a stand-in
            and whose result counts for them.
    """

    standings: tuple[Standing, ...]
    recent: tuple[Snapshot, ...]


class Ratings:
    """Queries about ratings and results."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def leaderboard(self, guild_id: int, game: str, limit: int) -> tuple[Standing, ...]:
        """The leaderboard of a server at a game, with at most `limit` people."""
        async with self._repository.store.read() as reader:
            return (await _listed(reader, guild_id, game))[:limit]

    async def results(self, guild_id: int, user_id: int, *, asked_by: int, game: str | None = None, recent: int = 8) -> Results:
        """Somebody's results on a server, at one game or at all games.

        Args:
            guild_id: the server.
            user_id: the person.
            asked_by: the user who asks; private tables that they may not look at are left out.
            game: the id of a game; None: all games.
            recent: the maximum number of tables.
        """
        async with self._repository.store.read() as reader:
            found = await reader.ratings(guild_id=guild_id, user_id=user_id, game=game, played_at_least=1)
            own = [rating for rating in found if rating.game in self._repository.games]
            standings = tuple([await _standing(reader, rating) for rating in own])
            tables = await reader.results(
                guild_id=guild_id, user_id=user_id, seen_by=asked_by, game=game, handed_over=True, limit=4 * recent
            )
            people = await reader.seats_of([table.id for table in tables])
        snapshots = [
            Snapshot(table, people[table.id]) for table in tables if table.id in people and table.game in self._repository.games
        ]
        visible = [snapshot for snapshot in snapshots if snapshot.open_to(asked_by)]
        return Results(standings, tuple(visible[:recent]))


async def _listed(reader: Reader, guild_id: int, game: str) -> tuple[Standing, ...]:
    """Everybody on the leaderboard, the best first."""
    ratings = await reader.ratings(guild_id=guild_id, game=game, played_at_least=LISTED_FROM)
    standings: list[Standing] = []
    for number, rating in enumerate(ratings, 1):
        before = standings[-1] if standings else None
        shared = before is not None and shown(before.rating) == shown(rating)
        standings.append(Standing(rating, before.place if before and shared else number, len(ratings)))
    return tuple(standings)


async def _standing(reader: Reader, rating: Rating) -> Standing:
    listed = await _listed(reader, rating.guild_id, rating.game)
    found = next((standing for standing in listed if standing.rating.user_id == rating.user_id), None)
    return found or Standing(rating, None, len(listed))


def shown(rating: Rating) -> int:
    """The number that people are shown for a rating, never below 0."""
    return max(0, round(NEWCOMER + SCALE * (rating.mu - 3 * rating.sigma)))


# --- rating a finished game ------------------------------------------------------------------------------------------


async def rate(writer: Writer, snapshot: Snapshot, now: float) -> Snapshot:
    """Update the ratings for a game that has just ended. A game that is not rated changes nothing.

    Returns the table, whose seats then say what has become of the ratings.

    Args:
        writer: the transaction that ends the game.
        snapshot: the table with its outcome.
        now: the current time, in seconds since the epoch.
    """
    table, ended = snapshot.table, snapshot.table.outcome
    if ended is None or not table.rated or len(snapshot.players) < 2 or without_result(ended):
        return snapshot
    ranks = order_of_finish(len(snapshot.players), ended.winners, left(snapshot))
    before = [await _known_or_new(writer, table, rated_for(player), player.name, now) for player in snapshot.players]
    unusable = [seat for seat, rating in enumerate(before) if not _usable(rating)]
    for seat in unusable:
        log.error("a rating cannot be used and is left as it is", table=table.id, user=before[seat].user_id)
        before[seat] = _newcomer(table, before[seat].user_id, before[seat].name, now)
    after = MODEL.rate([[MODEL.rating(rating.mu, rating.sigma)] for rating in before], ranks=[float(rank) for rank in ranks])
    people = list(snapshot.people)
    for seat, (player, rating, (skill,)) in enumerate(zip(snapshot.players, before, after, strict=True)):
        if rating.user_id < 0 or seat in unusable:
            continue  # a forgotten player: a rating of the placeholder would again be data about them
        won = seat in ended.winners
        drawn = not ended.winners and ranks[seat] == 0
        name = player.name if player.rated_as is None else rating.name
        counted = replace(
            rating, name=name, mu=skill.mu, sigma=skill.sigma, played=rating.played + 1, won=rating.won + won,
            drawn=rating.drawn + drawn, lost=rating.lost + (not won and not drawn), updated_at=now,
        )  # fmt: skip
        await writer.put_rating(counted)
        told = replace(player, rating_before=shown(rating), rating_after=shown(counted))
        await writer.put_seat(told)
        people[people.index(player)] = told
    return replace(snapshot, people=tuple(people))


def rated_for(player: Seat) -> int:
    """The id of the user who takes the result of a seat: who sits there, or whoever has left a rated game to a stand-in."""
    return player.user_id if player.rated_as is None else player.rated_as


def counting_seat(snapshot: Snapshot, user_id: int) -> int | None:
    """The seat that somebody's results tell of: their own, otherwise one that they have left to a stand-in, or None."""
    own = snapshot.seat_of(user_id)
    if own is not None:
        return own
    return next((seat for seat, player in enumerate(snapshot.players) if player.rated_as == user_id), None)


async def result_taker(writer: Writer, table: Table, leaver: Seat, newcomer: User, now: float) -> int | None:
    """`Seat.rated_as` for a seat that is handed over: in a rated game, whoever had it first, however often it changes hands.

    Their rating is begun, if they have none, because the seat no longer tells their name.
    """
    if not table.rated or rated_for(leaver) == newcomer.id:
        return None
    if leaver.rated_as is None:
        rating = await _known_or_new(writer, table, leaver.user_id, leaver.name, now)
        if _usable(rating):
            await writer.put_rating(replace(rating, name=leaver.name))
    return rated_for(leaver)


async def _known_or_new(writer: Writer, table: Table, user_id: int, name: str, now: float) -> Rating:
    """Somebody's rating at the game of a table, or a newcomer's; one that `_usable` refuses if it cannot be read."""
    try:
        known = await writer.rating(table.guild_id, user_id, table.game)
    except UnreadableRow:
        return replace(_newcomer(table, user_id, name, now), sigma=-1.0)
    return known or _newcomer(table, user_id, name, now)


def _newcomer(table: Table, user_id: int, name: str, now: float) -> Rating:
    return Rating(
        guild_id=table.guild_id, user_id=user_id, game=table.game, name=name, mu=MODEL.mu, sigma=MODEL.sigma, updated_at=now
    )


def _usable(rating: Rating) -> bool:
    """Whether the model can reckon with a rating. What a damaged row says must neither be used nor be overwritten."""
    return rating.sigma > 0


def left(snapshot: Snapshot) -> tuple[int, ...]:
    """The seats that have left the game (resigned, timed out, been removed), in the order in which they left."""
    return tuple(x.entry.seat for x in snapshot.playing.in_force if x.entry.kind is EntryKind.WITHDRAW)


def order_of_finish(seats: int, winners: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """The rank of each seat, from 0 for the best.

    The winners share the first rank, and those who stayed to the end share the next one; without winners they share the first,
    which is a draw. Those who left come last, and rank higher the longer they stayed.
    """
    stayed = [seat for seat in range(seats) if seat not in winners and seat not in left]
    groups = [list(winners), stayed, *([seat] for seat in reversed(left) if seat not in winners)]
    ranks = {seat: rank for rank, group in enumerate(filter(None, groups)) for seat in group}
    return tuple(ranks[seat] for seat in range(seats))
