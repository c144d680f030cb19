"""Compares a table's columns with its rules and its replayed game. The results are in English, for the operator."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.core.table.computer_players import is_computer
from bot.core.table.history import History
from bot.core.table.options import misfits
from bot.core.table.snapshot import Snapshot
from engines.game import Game
from storage.schema.records import Ending, Entry, EntryKind, Handover, OfferKind, Proposal, Relief, Seat, Status, Table


def facts(game: Game[Any, Any], snapshot: Snapshot, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield what is wrong with a readable table. If its game has not begun or its log breaks the rules, it has no history."""
    table, players, history = snapshot.table, snapshot.players, snapshot.history
    yield from map(str, misfits(game, table))
    yield from _facts_of_seats(table, players)
    if table.outcome is not None and not set(table.outcome.winners) <= set(range(len(players))):
        yield "outcome: a winner has no seat"
    yield from _facts_of_offers(table, len(players))
    yield from _facts_of_questions(snapshot)
    yield from _facts_of_watches(snapshot)
    yield from _facts_of_entries(entries, len(players))
    if history is not None:
        yield from _facts_of_end(history)
        yield from _facts_of_turn(table, players, history)


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


def _facts_of_questions(snapshot: Snapshot) -> Iterator[str]:
    if snapshot.table.set_aside is not None or (snapshot.table.begun and snapshot.history is None):
        return  # a table in quarantine keeps its questions until it is released, though a person asked may be forgotten
    for question in snapshot.table.questions:
        if not snapshot.asks(question):
            what = "the invitation" if question.offer is None else question.offer.value
            yield f"questions: message {question.message_id} asks about {what}, which is settled"


def _seats_in(offer: Proposal | Handover) -> tuple[int, ...]:
    given = (offer.seat,) if isinstance(offer, Handover | Relief) else ()
    agreed = () if isinstance(offer, Handover) else offer.agreed
    return (offer.by, *given, *agreed)


def _facts_of_watches(snapshot: Snapshot) -> Iterator[str]:
    for watch in snapshot.watches:
        if not snapshot.open_to(watch.user_id):
            yield f"watches: {watch.user_id} is notified, but the table is private and not open to them"


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


def _facts_of_turn(table: Table, players: Sequence[Seat], history: History) -> Iterator[str]:
    least = _fewest_turns(table, players, history)
    if table.turn < least:
        yield f"turn: it counts {table.turn}, but the log has begun {least} at least"


def _fewest_turns(table: Table, players: Sequence[Seat], history: History) -> int:
    """Return the least number of turns that must have begun, as `turns.advance` counts them: one for each transaction.

    Entries that may have been written together count as one transaction, and each seat counts as always held by its present
    player. So a few turns are missed where a computer has taken over. A closed game need not have a last turn.
    """
    persons = {seat for seat, player in enumerate(players) if player.computer is None}
    begun, before = 1, 0
    for after in _ends_of_transactions(history):
        awaited = set(history.awaited(after))
        begun += bool(awaited & persons) and not awaited <= set(history.awaited(before))
        before = after
    return begun + (table.outcome is not None and table.outcome.how is not Ending.CLOSED)


def _ends_of_transactions(history: History) -> Iterator[int]:
    """Yield the versions at which a transaction may have ended, assuming as few transactions as possible."""
    log = [logged.entry for logged in history.log]
    first = 0
    for place in range(1, len(log) + 1):
        if place == len(log) or not _together(log[first], log[place - 1], log[place]):
            yield place
            first = place


def _together(first: Entry, last: Entry, entry: Entry) -> bool:
    """Whether an entry may have been written in the same transaction as the entries before it, from `first` to `last`.

    That is so for planned replies, the closing action of a turn, time-outs, and entries that were taken back together.
    """
    same = (entry.user_id, entry.at, entry.interaction_id) == (first.user_id, first.at, None)
    late = entry.user_id is None and first.user_id is None
    return entry.fired or same or late or (last.kind is EntryKind.UNDO and entry.kind is EntryKind.UNDO)
