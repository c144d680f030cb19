"""The start of a game: the dice are mixed, the players are seated, and the first turn begins."""

from dataclasses import replace

from bot.sessions.dice import mixed
from bot.sessions.history import chance_of
from bot.sessions.privacy import shut_out
from bot.sessions.questions import summon
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from bot.sessions.turns import turn_columns
from engines.chance import SEED_BYTES
from storage.records import JobKind, Status
from storage.store import Writer


async def start_if_full(repository: Repository, writer: Writer, snapshot: Snapshot) -> Snapshot:
    """Start the game if all seats are taken; otherwise have the lobby message updated.

    The table's options go together with all its seats: that is asked when it is opened, and whenever it is read.
    """
    if len(snapshot.players) == snapshot.table.wanted:
        return await start_game(repository, writer, snapshot)
    await repository.enqueue(writer, snapshot.table.id, JobKind.LOBBY)
    return snapshot


async def start_game(repository: Repository, writer: Writer, snapshot: Snapshot) -> Snapshot:
    """Mix the key of the dice, seat the players and begin the first turn. Nobody has a clock who plays with computers alone.

    A table that was opened by version 0.1.0 draws its seed only now, and its dice come from the seed alone.
    """
    now = repository.now()
    joined = sorted(snapshot.players, key=lambda p: p.place)
    key = await mixed(writer, snapshot.table, joined)
    table = replace(snapshot.table, seed=snapshot.table.seed or repository.entropy(SEED_BYTES), stream_key=key)
    order, _ = chance_of(table, len(joined))
    players = tuple(replace(joined[which], place=place) for place, which in enumerate(order))
    for absent in snapshot.people:
        if absent not in snapshot.players:
            await writer.remove_seat(table.id, absent.user_id)
    for player in players:
        await writer.put_seat(player)
    table = replace(table, rules=repository.rules_of(table).rules)
    history = repository.begin(table, len(players))
    alone = sum(player.computer is None for player in players) == 1
    table = replace(table, clock=None if alone else table.clock, rated=table.rated and not alone)
    timing = await turn_columns(writer, table, [players[seat] for seat in history.to_act], now)
    table = await writer.amend(
        table, seed=table.seed, stream_key=key, status=Status.PLAYING, wanted=len(players), started_at=now, turn=1,
        rules=table.rules, clock=table.clock, rated=table.rated, **timing,
    )  # fmt: skip
    await repository.enqueue(writer, table.id, JobKind.LOBBY)
    await repository.enqueue(writer, table.id, JobKind.BOARD)
    after = replace(snapshot, table=table, people=players, history=history)
    await shut_out(repository, writer, after, *(person.user_id for person in snapshot.people))
    await summon(writer, after, now)
    return after
