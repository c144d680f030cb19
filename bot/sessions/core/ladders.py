"""Ladders: their order as of now, and what a game does to it.

Nothing of a ladder happens by itself: whoever looks at it or changes it first brings it up to date. Players who have long not
played have fallen since then, and if a new season has begun the first three of the last one have their badges.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.sessions.core.change import Change
from bot.sessions.core.repository import Repository
from bot.sessions.record.errors import Refused
from competitions.ladder import (
    MOST_IN,
    MOST_OUT,
    Challenge,
    Order,
    Refusal,
    Season,
    after_idleness,
    after_win,
    falls,
    fresh_order,
    highest_in_reach,
    refusal,
)
from engines.text import Text, say
from storage import queries
from storage.schema.ladder_records import Ladder, LadderBadge, LadderPlace
from storage.schema.records import Ending
from storage.store import Writer

BADGES: Final = 3
"""How many of a season get a badge."""

ANSWERED_WITHIN: Final = 3 * 86400.0
"""Seconds within which a challenge has to be accepted. Otherwise it is lost as if by time."""

REASONS: Final[Mapping[Refusal, Text]] = {
    Refusal.NOT_ON_LADDER: say("Both of you have to be on the ladder."),
    Refusal.NOT_ABOVE: say("You can only challenge people above you."),
    Refusal.TOO_FAR: say("That’s too far up: from place 10, you can challenge places 6 to 9; from place 5, places 3 and 4."),
    Refusal.OPEN: say("There’s a challenge between the two of you already."),
    Refusal.TOO_MANY_OUT: say("You have {n} challenges out already. Finish one first.", n=MOST_OUT),
    Refusal.TOO_MANY_IN: say("They have {n} challenges to answer already. Pick somebody else.", n=MOST_IN),
    Refusal.PLAYED_THIS_WEEK: say("One game a week counts between the same two. Pick somebody else."),
}
"""Why somebody cannot be challenged."""

KEY_BYTES: Final = 32
"""The bytes of the key of the lots with which a season begins."""


def number_of(season: Season) -> int:
    """Return the number of a season in the database."""
    return 4 * season.year + season.quarter - 1


def season_of(number: int) -> Season:
    """Return the season with a number."""
    return Season(number // 4, number % 4 + 1)


async def up_to_date(repository: Repository, writer: Writer, guild_id: int, game: str) -> tuple[LadderPlace, ...]:
    """Bring a ladder up to date, and return its places, the first one first. Without a ladder there are none."""
    known, now = await queries.ladders.get(writer, guild_id, game), repository.now()
    places = await queries.ladders.places(writer, guild_id, game)
    if known is None:
        return places
    while number_of(Season.at(now)) > known.season:
        season = season_of(known.season)
        places = await _fallen(writer, places, known.looked_at, season.ends)
        for place, row in enumerate((row for row in places if row.won + row.lost), 1):
            if place > BADGES:
                break
            badge = LadderBadge(
                guild_id=guild_id, game=game, season=known.season, place=place, user_id=row.user_id, name=row.name
            )  # fmt: skip
            await queries.ladders.put_badge(writer, badge)
        order = fresh_order([row.user_id for row in places], season.next, repository.entropy(KEY_BYTES))
        fresh = [replace(row, won=0, lost=0, played_at=season.ends) for row in places]
        places = await _put(writer, fresh, order)
        known = replace(known, season=number_of(season.next), looked_at=season.ends)
    places = await _fallen(writer, places, known.looked_at, now)
    await queries.ladders.put(writer, replace(known, looked_at=max(now, known.looked_at)))
    return places


async def _fallen(writer: Writer, places: Sequence[LadderPlace], then: float, now: float) -> tuple[LadderPlace, ...]:
    """Let those fall who have long not played. Their last vacation does not count."""
    played = {row.user_id: row.played_at for row in places}
    for user_id, since in played.items():
        if falls(now - since):
            person = await queries.people.get(writer, user_id)
            begins, ends = person.vacation_from or now, min(person.vacation_until or now, now)
            played[user_id] = since + max(0.0, ends - max(begins, since))
    return await _put(writer, places, after_idleness(order_of(places), played, then, now))


def order_of(places: Sequence[LadderPlace]) -> Order:
    """Return the order of a ladder, as the ids of its people."""
    return tuple(row.user_id for row in places)


async def _put(writer: Writer, places: Sequence[LadderPlace], order: Order) -> tuple[LadderPlace, ...]:
    """Store the places of a ladder in an order, as far as they have changed, and return them."""
    rows = {row.user_id: row for row in places}
    placed = tuple(replace(rows[user_id], place=place) for place, user_id in enumerate(order, 1))
    before = {row.user_id: row for row in await _stored(writer, places)}
    for row in placed:
        if before.get(row.user_id) != row:
            await queries.ladders.put_place(writer, row)
    return placed


async def _stored(writer: Writer, places: Sequence[LadderPlace]) -> Sequence[LadderPlace]:
    """Return the places as they are in the database."""
    return await queries.ladders.places(writer, places[0].guild_id, places[0].game) if places else ()


async def begin(writer: Writer, guild_id: int, game: str, now: float) -> None:
    """Begin the ladder of a game on a server, unless it is there."""
    if await queries.ladders.get(writer, guild_id, game) is None:
        season = number_of(Season.at(now))
        await queries.ladders.put(writer, Ladder(guild_id=guild_id, game=game, season=season, looked_at=now))


async def why_not(
    repository: Repository, writer: Writer, guild_id: int, game: str, places: Sequence[LadderPlace], who: int, whom: int
) -> Refusal | None:
    """Return why somebody may not challenge another person now; None if they may. `places` is the ladder as of now."""
    on = [Challenge(*pair) for pair in await queries.ladders.challenges(writer, guild_id, game)]
    last = await queries.ladders.last_game(writer, guild_id, game, who, whom)
    return refusal(order_of(places), who, whom, on, None if last is None else repository.now() - last)


async def reach_of(
    repository: Repository, writer: Writer, guild_id: int, game: str, places: Sequence[LadderPlace], who: int
) -> tuple[int, ...]:
    """Return the ids of those whom somebody may challenge now, from the nearest one up."""
    order = order_of(places)
    if who not in order:
        return ()
    mine = order.index(who) + 1
    near = reversed(order[highest_in_reach(mine) - 1 : mine - 1])
    return tuple([one for one in near if await why_not(repository, writer, guild_id, game, places, who, one) is None])


async def require_challenge(change: Change, challenged: int) -> None:
    """Raise Refused unless the opener of a table may challenge another person on the ladder of its game now."""
    table = change.table
    places = await up_to_date(change.repository, change.writer, table.guild_id, table.game)
    why = await why_not(change.repository, change.writer, table.guild_id, table.game, places, table.opened_by, challenged)
    if why is not None:
        raise Refused(REASONS[why])


async def count(change: Change) -> None:
    """Have a challenge that is over change the ladder, if somebody has won it. One without a result changes nothing."""
    outcome = change.table.outcome
    if outcome is None or outcome.how.void or outcome.how is Ending.ABANDONED:
        return
    players = [player.user_id for player in change.snapshot.players]
    if len(outcome.winners) == 1:
        winner = players[outcome.winners[0]]
        await _win(change, winner, next(user_id for user_id in players if user_id != winner))
    else:
        await _note_game(change, players, None)


async def forfeit(change: Change) -> None:
    """Have a challenge count as lost that was declined, or not accepted in time. Only one that people could see."""
    if change.table.lobby_message_id is None:
        return
    challenged = next((person.user_id for person in change.before.invited), None)
    if challenged is not None:
        await _win(change, change.table.opened_by, challenged)


async def _win(change: Change, winner: int, loser: int) -> None:
    """Put the winner of a challenge above the loser."""
    places = await _note_game(change, (winner, loser), winner)
    await _put(change.writer, places, after_win(order_of(places), winner, loser))


async def _note_game(change: Change, players: Collection[int], winner: int | None) -> Sequence[LadderPlace]:
    """Note that a game between two on a ladder is over, and return the places. Nothing if one of them has left it."""
    table = change.table
    places = await up_to_date(change.repository, change.writer, table.guild_id, table.game)
    if not set(players) <= set(order_of(places)):
        return places
    noted = []
    for row in places:
        if row.user_id in players:
            won, lost = row.won + (row.user_id == winner), row.lost + (winner not in {None, row.user_id})
            row = replace(row, won=won, lost=lost, played_at=change.now)
            await queries.ladders.put_place(change.writer, row)
        noted.append(row)
    return noted
