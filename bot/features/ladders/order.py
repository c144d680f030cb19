"""The current order of a ladder, and how a game changes it.

A ladder does not change by the clock. Instead, whenever it is looked at or changed, it is first brought up to date: idle
players fall, and if a new season has begun, the three best players of the last one get their badges.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.core.change import Change
from bot.core.core import Core
from bot.core.parts import Occasion, Part
from bot.core.table.errors import Refused
from bot.core.table.players import counting_party, rated_winners, without_result
from bot.core.table.request import TableRequest
from bot.features.ladders import sql
from bot.features.ladders.rules import (
    MOST_IN,
    MOST_OUT,
    Challenge,
    Idleness,
    Order,
    Refusal,
    Season,
    after_idleness,
    after_win,
    fresh_order,
    refusal,
)
from engines.text import Text, say
from storage import queries
from storage.schema.ladder_records import Ladder, LadderBadge, LadderPlace
from storage.schema.records import Table
from storage.store import Reader, Writer

MANY: Final = 10**6
"""More games than anybody can play in a season. Only a damaged row has a greater number."""

BADGES: Final = 3

REASONS: Final[Mapping[Refusal, Text]] = {
    Refusal.NOT_ON_LADDER: say("Both of you have to be on the ladder."),
    Refusal.NOT_ABOVE: say("You can only challenge people above you."),
    Refusal.TOO_FAR: say("That’s too far up. From 10th place you can challenge 6th to 9th; from 5th, 3rd and 4th."),
    Refusal.OPEN: say("You two already have a challenge going."),
    Refusal.TOO_MANY_OUT: say("You already have {n} challenges out. Finish one first.", n=MOST_OUT),
    Refusal.TOO_MANY_IN: say("They already have {n} challenges to answer. Pick somebody else.", n=MOST_IN),
    Refusal.PLAYED_THIS_WEEK: say("Only one game a week counts between the same two players. Pick somebody else."),
}

KEY_BYTES: Final = 32
"""The length in bytes of the key used to draw the order in which a season begins."""


FIRST_SEASON: Final = 4 * 2026
"""The number of the first season that a ladder can have."""


def number_of(season: Season) -> int:
    """Return the number by which the database knows a season."""
    return 4 * season.year + season.quarter - 1


def season_of(number: int) -> Season:
    """Return the season with this number; the inverse of `number_of`."""
    return Season(number // 4, number % 4 + 1)


async def up_to_date(core: Core, writer: Writer, guild_id: int, game: str) -> tuple[LadderPlace, ...]:
    """Bring a ladder up to date and return its places from the top. There are none if the ladder does not exist.

    If several seasons have passed, badges are given only for the last one that was played. If the stored season is in the
    future or before the first one, the row is damaged or a clock was wrong, and the current season replaces it.
    """
    known, now = await sql.get(writer, guild_id, game), core.now()
    stored = await sql.places(writer, guild_id, game)
    if known is None:
        return stored
    season, places, since = Season.at(now), stored, known.looked_at
    if FIRST_SEASON <= known.season < number_of(season):
        before = season_of(known.season)
        places = await _fallen(writer, places, max(since, before.begins), before.ends)
        await _award(writer, known, places)
        rows = {row.user_id: replace(row, won=0, lost=0, played_at=season.begins) for row in places}
        places = _in_order(rows, fresh_order(rows, season, core.entropy(KEY_BYTES)))
    places = await _fallen(writer, places, max(since, season.begins), now)
    await _put(writer, stored, places)
    if known.season != number_of(season) or any(Idleness(row.played_at).falls_at(0) <= now for row in places):
        await sql.put(writer, replace(known, season=number_of(season), looked_at=now))
    return places


async def _award(writer: Writer, ladder: Ladder, places: Sequence[LadderPlace]) -> None:
    """Give badges for a ladder's season to the best of those who played in it."""
    best = [row for row in places if row.won + row.lost][:BADGES]
    for place, row in enumerate(best, 1):
        badge = LadderBadge(
            guild_id=ladder.guild_id, game=ladder.game, season=ladder.season, place=place, user_id=row.user_id, name=row.name
        )  # fmt: skip
        await sql.put_badge(writer, badge)


async def _fallen(reader: Reader, places: Sequence[LadderPlace], then: float, now: float) -> tuple[LadderPlace, ...]:
    """Return the places after idle players have fallen. The time of their last vacation does not count as idle."""
    idle = {row.user_id: Idleness(row.played_at) for row in places}
    for user_id, idleness in idle.items():
        if idleness.falls_at(0) <= now:
            person = await queries.people.get(reader, user_id)
            if person.vacation_from is not None and person.vacation_until is not None:
                idle[user_id] = replace(idleness, away_from=person.vacation_from, away_until=person.vacation_until)
    return _in_order({row.user_id: row for row in places}, after_idleness(order_of(places), idle, then, now))


def order_of(places: Sequence[LadderPlace]) -> Order:
    """Return the order of a ladder as people's ids."""
    return tuple(row.user_id for row in places)


def without_former(core: Core, guild_id: int, places: Sequence[LadderPlace]) -> tuple[LadderPlace, ...]:
    """Return the places of people still on the server. Those who left keep their places, but the numbers shown skip them."""
    former = core.audience.former(guild_id)
    return tuple(row for row in places if row.user_id not in former)


def _in_order(rows: Mapping[int, LadderPlace], order: Order) -> tuple[LadderPlace, ...]:
    return tuple(replace(rows[user_id], place=place) for place, user_id in enumerate(order, 1))


async def _put(writer: Writer, before: Sequence[LadderPlace], places: Sequence[LadderPlace]) -> None:
    stored = {row.user_id: row for row in before}
    for row in places:
        if row != stored.get(row.user_id):
            await sql.put_place(writer, row)


async def begin(writer: Writer, guild_id: int, game: str, now: float) -> None:
    """Create a server's ladder of a game, unless it exists."""
    if await sql.get(writer, guild_id, game) is None:
        season = number_of(Season.at(now))
        await sql.put(writer, Ladder(guild_id=guild_id, game=game, season=season, looked_at=now))


async def challengeable(
    writer: Writer, guild_id: int, game: str, order: Order, who: int, now: float
) -> Callable[[int], Refusal | None]:
    """Return a function that says why `who` may not challenge a given person now, or None if they may."""
    on = [Challenge(*pair) for pair in await sql.challenges(writer, guild_id, game)]
    last = await sql.last_games(writer, guild_id, game, who)

    def why_not(whom: int) -> Refusal | None:
        return refusal(order, who, whom, on, now - last[whom] if whom in last else None)

    return why_not


class OnLadder(Occasion):
    """A challenge to a person higher on a ladder. Whoever does not answer in time has lost."""

    def is_of(self, table: Table) -> bool:
        """Whether a table was opened for a challenge."""
        return table.ladder

    async def opening(self, change: Change, request: TableRequest) -> None:
        """Raise Refused unless the opener may challenge the invited person now."""
        table, writer = change.table, change.writer
        challenged = next((user.id for user in request.opponents), table.opened_by)
        places = await up_to_date(change.core, writer, table.guild_id, table.game)
        order = order_of(without_former(change.core, table.guild_id, places))
        why_not = await challengeable(writer, table.guild_id, table.game, order, table.opened_by, change.now)
        if (why := why_not(challenged)) is not None:
            raise Refused(REASONS[why])
        person = await queries.people.get(writer, challenged)
        if (person.vacation_until or 0.0) > change.now:
            raise Refused(say("They’re on vacation and can’t answer. Pick somebody else."))

    async def left(self, change: Change, user_id: int, *, declined: bool) -> bool:
        """Close the table if the challenge was declined, which counts as a loss."""
        del user_id
        if declined:
            await _forfeit(change)
            await change.close(deadline=None)
        return declined

    async def expired(self, change: Change) -> None:
        """Count a challenge that was not accepted in time as lost, unless the challenged person was on vacation."""
        if not change.core.on_vacation(change.snapshot).keys() & {person.user_id for person in change.snapshot.invited}:
            await _forfeit(change)

    async def ended(self, change: Change) -> None:
        """Apply a challenge's result, as it counts for ratings, to the ladder, and store the change in the table's outcome."""
        snapshot = change.snapshot
        if not without_result(snapshot):
            people = [counting_party(snapshot, seat).user_id for seat in range(len(snapshot.players))]
            winners = rated_winners(snapshot)
            moved = await _note_game(change, people, people[winners[0]] if len(winners) == 1 else None)
            assert snapshot.table.outcome is not None, "the game is over"
            await change.amend(outcome=replace(snapshot.table.outcome, ladder=moved))


async def _forfeit(change: Change) -> None:
    """Count a challenge as lost for the challenged person, but only if its message has been posted."""
    challenged = next((person.user_id for person in change.before.invited), None)
    if change.table.lobby_message_id is not None and challenged is not None:
        await _note_game(change, (change.table.opened_by, challenged), change.table.opened_by)


async def _note_game(change: Change, players: Sequence[int], winner: int | None) -> tuple[int, int] | None:
    """Count a game if both players have places. Put any winner above the loser, and return the winner's old and new place."""
    stored = await up_to_date(change.core, change.writer, change.table.guild_id, change.table.game)
    rows, order = {row.user_id: row for row in stored}, order_of(stored)
    if not set(players) <= rows.keys():
        return None
    for user_id in players:
        row = rows[user_id]
        won = min(row.won, MANY) + (user_id == winner)
        lost = min(row.lost, MANY) + (winner not in {None, user_id})
        rows[user_id] = replace(row, won=won, lost=lost, played_at=change.now)
    moved = None
    if winner is not None:
        former = set(change.core.audience.former(change.table.guild_id)) - {winner}

        def place() -> int:
            """Return the winner's place as people see it, that is, without those who have left the server."""
            return [user_id for user_id in order if user_id not in former].index(winner) + 1

        before = place()
        order = after_win(order, winner, next(user_id for user_id in players if user_id != winner))
        moved = (before, place())
    await _put(change.writer, stored, _in_order(rows, order))
    return moved


PART: Final = Part(name="ladders", occasion=OnLadder())
