"""The players of each seat of a game: who has seen which hand, and whose rating the game affects.

A seat of a rated game counts for the person who had it first. Leaving it, by resigning, running out of time, being removed or
handing it over, loses the game for that person's rating, even if they take the seat back. A person who takes it over neither
wins nor loses rating.

A seat that was handed over before this rule existed has `Seat.rated_as`, the person for whom its result counts.
"""

from collections.abc import Sequence

from bot.core.table.snapshot import Snapshot
from storage.schema.records import Departure, Ending, EntryKind, Seat, SeatStatus


def seats_seen(snapshot: Snapshot, user_id: int) -> frozenset[int]:
    """Return the seats that a user has or has ever had. In a game with hidden hands, they know what these seats held."""
    has = {seat for seat, player in enumerate(snapshot.players) if user_id in {player.user_id, player.rated_as}}
    return frozenset(has | {departure.place for departure in snapshot.departures if departure.user_id == user_id})


def losses(snapshot: Snapshot) -> dict[int, Departure]:
    """Return the departures by which a rated game was lost, by seat. Leaving a seat that stays empty is not among them."""
    return {departure.place: departure for departure in snapshot.departures if departure.lost}


def stands_in(snapshot: Snapshot, seat: int) -> bool:
    """Whether the result of a seat of a rated game does not count for its current player."""
    return snapshot.players[seat].rated_as is not None or seat in losses(snapshot)


def counts_as_loss(snapshot: Snapshot, seat: int) -> bool:
    """Whether handing over a seat now counts as a loss for its player."""
    return snapshot.table.rated and not stands_in(snapshot, seat)


def counts_for(snapshot: Snapshot, user_id: int) -> bool:
    """Whether a rated game counts for a user, even if they have left it."""
    there = any(user_id in {player.user_id, player.rated_as} for player in snapshot.players)
    return snapshot.table.rated and (there or any(loss.user_id == user_id for loss in losses(snapshot).values()))


def staying_seats(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the seats whose players are still in the game, and did not take over from somebody who lost by leaving."""
    lost = losses(snapshot)
    return tuple(seat for seat in snapshot.present if seat not in lost)


def left_seats(snapshot: Snapshot) -> tuple[int, ...]:
    """Return all other seats than `staying_seats`, in the order in which they were left."""
    lost, log = losses(snapshot), snapshot.playing.in_force
    times = {seat: (loss.version, 0, loss.number) for seat, loss in lost.items()}
    for logged in log:
        if logged.entry.kind is EntryKind.WITHDRAW:
            times.setdefault(logged.entry.seat, (logged.entry.number - 1, 1, 0))
    return tuple(sorted(times, key=times.__getitem__))


def rated_winners(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the seats that win rating: winners who stayed, or the only player who did. Without any, all who stayed draw."""
    there, ended = staying_seats(snapshot), snapshot.table.outcome
    won = () if ended is None else tuple(seat for seat in ended.winners if seat in there)
    return won if won or len(there) != 1 else there


def without_result(snapshot: Snapshot) -> bool:
    """Whether a game's ending says nothing about skill: it was closed, called off, or abandoned before it had begun."""
    ended = snapshot.table.outcome
    if ended is None or ended.how.void:
        return True
    everybody = len(staying_seats(snapshot)) == len(snapshot.players)
    return ended.how is Ending.ABANDONED and not ended.winners and (everybody or not snapshot.table.rated)


def seats_without_an_action(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the seats of players for whom a finished game would count, but who have never acted in it."""
    lost, acted = losses(snapshot), set[int]()
    for entry in (logged.entry for logged in snapshot.playing.log):
        by_hand = entry.kind is EntryKind.PLAY and entry.user_id is not None
        if by_hand and (entry.seat not in lost or entry.number <= lost[entry.seat].version):
            acted.add(entry.seat)
    return tuple(seat for seat in range(len(snapshot.players)) if seat not in acted)


def departure(snapshot: Snapshot, seat: int) -> Departure:
    """Return the departure of a player who is handing over a seat, or who has resigned with the newest log entry."""
    leaver, version = snapshot.players[seat], snapshot.playing.version
    return Departure(
        table_id=snapshot.table.id, number=len(snapshot.departures) + 1, place=seat, user_id=leaver.user_id, name=leaver.name,
        version=version - (leaver.status is SeatStatus.WITHDRAWN),
        lost=counts_as_loss(snapshot, seat),
    )  # fmt: skip


def counting_party(snapshot: Snapshot, seat: int) -> Seat | Departure:
    """Return the player for whom a seat of a rated game counts: as seated, or as the departure by which they left."""
    return losses(snapshot).get(seat, snapshot.players[seat])


def order_of_finish(seats: int, winners: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each seat, of which 0 is the best.

    The winners come first, then all who stayed to the end, who share one rank, and then those who left, the latest first. If
    there are no winners, those who stayed share the first rank.
    """
    stayed = [seat for seat in range(seats) if seat not in winners and seat not in left]
    groups = [list(winners), stayed, *([seat] for seat in reversed(left) if seat not in winners)]
    ranks = {seat: rank for rank, group in enumerate(filter(None, groups)) for seat in group}
    return tuple(ranks[seat] for seat in range(seats))
