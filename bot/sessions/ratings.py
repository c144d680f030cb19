"""Ratings: how good people are at a game on a server, learned from every rated game that ends.

The model is openskill's PlackettLuce (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011,
algorithm 4). Somebody's skill is a normal distribution, mu and sigma. The model takes games for two and for six alike, shared
ranks included: a draw pulls two unequal players together, leaves two equal ones where they are, and makes all of them more
certain. Of openskill's five models it is the one that does so without inventing or losing skill: where one of several wins and
the rest share the last place, the others either push the ratings up or down as a whole (the two "Part" models, and
ThurstoneMostellerFull) or count such a game as several, so that after a few of them they are surer than they may be
(BradleyTerryFull). In made-up leagues it also puts the players into the truest order, or one as true, after 300 games and after
1500 (benchmarks/rating_models.py).

People are shown one number, `shown`: 1000 for a newcomer, and 40 for each point of mu - 3 sigma, which is a skill they have in
all likelihood. So nobody leads a list by one lucky game, and playing more is worth something.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from openskill.models import PlackettLuce

from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from storage.records import Ending, EntryKind, Rating
from storage.store import Reader, Writer

MODEL: Final = PlackettLuce()

NEWCOMER: Final = 1000
SCALE: Final = 40
"""The number that is shown is NEWCOMER + SCALE * (mu - 3 sigma)."""

LISTED_FROM: Final = 3
"""Rated games before somebody stands in a leaderboard."""
PROVISIONAL_BELOW: Final = 10
"""Rated games before a rating is more than provisional."""

WITHOUT_RESULT: Final = frozenset({Ending.ABANDONED, Ending.CLOSED})
"""Ends of a game that say nothing about anybody's skill."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating and where it stands among all that are listed.

    Attributes:
        rating: the rating.
        place: from 1; those who are equally good share a place. None before `LISTED_FROM` games.
        listed: how many people are listed.
    """

    rating: Rating
    place: int | None
    listed: int

    @property
    def provisional(self) -> bool:
        """Whether the rating rests on few games."""
        return self.rating.played < PROVISIONAL_BELOW


@dataclass(frozen=True, slots=True)
class Results:
    """What somebody has done on a server.

    Attributes:
        standings: how they stand at each game that they have played rated, the best first.
        recent: the tables that they finished last, the newest first, without their games.
    """

    standings: tuple[Standing, ...]
    recent: tuple[Snapshot, ...]


class Ratings:
    """What can be asked about ratings and results."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def leaderboard(self, guild_id: int, game: str, limit: int) -> tuple[Standing, ...]:
        """The best of a server at a game, at most so many."""
        async with self._repository.store.read() as reader:
            return (await _listed(reader, guild_id, game))[:limit]

    async def results(self, guild_id: int, user_id: int, *, asked_by: int, game: str | None = None, recent: int = 8) -> Results:
        """What somebody has done on a server, at one game or at all.

        Args:
            guild_id: the server.
            user_id: the person.
            asked_by: who wants to know: a private table is shown only to those who sat at it.
            game: a game's id, or None for all.
            recent: so many tables at most.
        """
        async with self._repository.store.read() as reader:
            own = await reader.ratings(guild_id=guild_id, user_id=user_id, game=game)
            standings = tuple([await _standing(reader, rating) for rating in own])
            tables = await reader.results(guild_id=guild_id, user_id=user_id, game=game, limit=4 * recent)
            people = await reader.seats_of([table.id for table in tables])
        snapshots = [Snapshot(table, people[table.id]) for table in tables]
        visible = [snapshot for snapshot in snapshots if snapshot.open_to(asked_by)]
        return Results(standings, tuple(visible[:recent]))


async def _listed(reader: Reader, guild_id: int, game: str) -> tuple[Standing, ...]:
    """Everybody who is listed, the best first."""
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
    """A rating as the one number that people are shown, never below 0."""
    return max(0, round(NEWCOMER + SCALE * (rating.mu - 3 * rating.sigma)))


# --- what a game does to them ----------------------------------------------------------------------------------------


async def rate(writer: Writer, snapshot: Snapshot, now: float) -> None:
    """Count a game that has just ended, in the transaction that ends it. One that is not rated changes nothing.

    Args:
        writer: the transaction.
        snapshot: the table with its outcome.
        now: the time, in seconds since 1970.
    """
    table, ended = snapshot.table, snapshot.table.outcome
    if ended is None or not table.rated or len(snapshot.players) < 2 or ended.how in WITHOUT_RESULT:
        return
    ranks = order_of_finish(len(snapshot.players), ended.winners, left(snapshot))
    before = [
        await writer.rating(table.guild_id, player.user_id, table.game)
        or Rating(
            guild_id=table.guild_id, user_id=player.user_id, game=table.game, name=player.name, mu=MODEL.mu,
            sigma=MODEL.sigma, updated_at=now,
        )
        for player in snapshot.players
    ]  # fmt: skip
    after = MODEL.rate([[MODEL.rating(rating.mu, rating.sigma)] for rating in before], ranks=[float(rank) for rank in ranks])
    for seat, (player, rating, (skill,)) in enumerate(zip(snapshot.players, before, after, strict=True)):
        if player.user_id < 0:
            continue  # somebody who asked to be forgotten: what is known of a placeholder would be theirs again
        won = seat in ended.winners
        drawn = not ended.winners and ranks[seat] == 0
        counted = replace(
            rating, name=player.name, mu=skill.mu, sigma=skill.sigma, played=rating.played + 1, won=rating.won + won,
            drawn=rating.drawn + drawn, lost=rating.lost + (not won and not drawn), updated_at=now,
        )  # fmt: skip
        await writer.put_rating(counted)


def left(snapshot: Snapshot) -> tuple[int, ...]:
    """The seats that have left the game (resigned, run out of time, been removed), in the order in which they did."""
    return tuple(x.entry.seat for x in snapshot.playing.in_force if x.entry.kind is EntryKind.WITHDRAW)


def order_of_finish(seats: int, winners: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """The rank of each seat, from 0 for the best.

    The winners share the first rank, those who were in it to the end the next one; without winners that is the first, a draw.
    Behind them are those who left, whoever held out longer before whoever went earlier.
    """
    stayed = [seat for seat in range(seats) if seat not in winners and seat not in left]
    groups = [list(winners), stayed, *([seat] for seat in reversed(left) if seat not in winners)]
    ranks = {seat: rank for rank, group in enumerate(filter(None, groups)) for seat in group}
    return tuple(ranks[seat] for seat in range(seats))
