"""What a table says of its game, compared with the rules and with the game played again. In English, for the operator."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.sessions.computer_players import is_computer
from bot.sessions.history import History
from bot.sessions.options import misfits
from engines.game import Game
from storage.records import Entry, EntryKind, Handover, OfferKind, Proposal, Relief, Seat, SeatStatus, Status, Table


def facts(
    game: Game[Any, Any], table: Table, people: Sequence[Seat], entries: Sequence[Entry], history: History | None
) -> Iterator[str]:
    """What is wrong with a table that can be read. `history` is None if its game has not begun, or its log breaks the rules."""
    players = [p for p in people if p.status in {SeatStatus.JOINED, SeatStatus.WITHDRAWN}]
    yield from map(str, misfits(game, table))
    yield from _facts_of_seats(table, players)
    if table.outcome is not None and not set(table.outcome.winners) <= set(range(len(players))):
        yield "outcome: a winner has no seat"
    yield from _facts_of_offers(table, len(players))
    yield from _facts_of_entries(entries, len(players))
    if history is not None:
        yield from _facts_of_end(history)


def _facts_of_seats(table: Table, players: Sequence[Seat]) -> Iterator[str]:
    begun = table.version > 0 or table.status in {Status.PLAYING, Status.FINISHED}
    if len(players) > table.wanted or (begun and len(players) < table.wanted):
        yield f"wanted: it has {len(players)} players, but {table.wanted} seats"
    for player in players:
        if is_computer(player.user_id) != (player.computer is not None):
            yield f"computer: {player.user_id} is {'no id' if player.computer else 'the id'} of a computer"
    places = [p.place for p in players]
    if begun and places != list(range(len(players))):
        yield f"place: its players sit in the places {', '.join(map(str, places))}, which are not those of its seats"
    elif len(set(places)) < len(places):
        yield "place: two people sit in the same place"


def _facts_of_offers(table: Table, seats: int) -> Iterator[str]:
    for kind in OfferKind:
        offer = table.offers.of(kind)
        if offer is not None and table.status is not Status.PLAYING:
            yield f"offers: {kind} is on offer, but no game is on"
        if offer is not None and not set(_seats_in(offer)) <= set(range(seats)):
            yield f"offers: {kind} speaks of a seat that is not there"


def _seats_in(offer: Proposal | Handover) -> tuple[int, ...]:
    given = (offer.seat,) if isinstance(offer, Handover | Relief) else ()
    agreed = () if isinstance(offer, Handover) else offer.agreed
    return (offer.by, *given, *agreed)


def _facts_of_entries(entries: Sequence[Entry], seats: int) -> Iterator[str]:
    for entry in entries:
        if entry.seat >= seats:
            yield f"entry {entry.number}: seat: there is no seat {entry.seat}"
        if bool(entry.tokens) != (entry.kind is not EntryKind.UNDO):
            yield f"entry {entry.number}: tokens: {list(entry.tokens)} do not fit an entry of the kind {entry.kind}"


def _facts_of_end(history: History) -> Iterator[str]:
    over = next((x.entry.number for x in history.in_force if history.game.outcome(x.state) is not None), None)
    if over is not None and over != history.version:
        yield f"its log goes on after entry {over}, with which the game ends"
