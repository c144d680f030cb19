"""How much time players have used, which decides a game that outlasts its round."""

from collections.abc import Sequence
from typing import Final

from bot.core.pace import Span, Turn
from bot.core.table.snapshot import Snapshot
from storage import queries
from storage.store import Reader

VACATION_COUNTED: Final = 7 * 86400.0
"""The most seconds of a vacation that do not count as used time."""


async def used_seconds(
    reader: Reader, snapshot: Snapshot, outages: Sequence[tuple[float, float]], now: float
) -> tuple[float, ...]:
    """Return how many seconds each seat of a running game has used, not counting overtime, outages, or a week of vacation."""
    return tuple([await _used(reader, snapshot, seat, outages, now) for seat in range(len(snapshot.players))])


async def _used(reader: Reader, snapshot: Snapshot, seat: int, outages: Sequence[tuple[float, float]], now: float) -> float:
    table, user_id = snapshot.table, snapshot.players[seat].user_id
    waits = await queries.waits.of_person(reader, guild_id=table.guild_id, user_id=user_id, since=0.0, table_id=table.id)
    spans = [Span(wait.since, wait.until) for wait in waits]
    if snapshot.history is not None and seat in snapshot.history.to_act and table.turn_began is not None:
        spans.append(Span(table.turn_began, now))
    person = await queries.people.get(reader, user_id)
    begins, ends = person.vacation_from, person.vacation_until
    away = [] if begins is None or ends is None else [(begins, min(ends, begins + VACATION_COUNTED))]
    return Turn(tuple(spans), float(table.clock or 0)).seconds(_union([*away, *outages]))


def _union(times: Sequence[tuple[float, float]]) -> list[Span]:
    """Return times, which may overlap, as spans that do not overlap."""
    found: list[Span] = []
    for begins, ends in sorted(times):
        if found and begins <= found[-1].ends:
            found[-1] = Span(found[-1].begins, max(found[-1].ends, ends))
        else:
            found.append(Span(begins, ends))
    return found
