"""What happens before a game: tables are opened, people invited, seats taken and left, and games started."""

from dataclasses import replace
from typing import Any

from bot.core.change import Change, changing
from bot.core.contributions import contribute, mix
from bot.core.core import Core
from bot.core.opening import announce, new_seat, open_table
from bot.core.pings import opening_pace, ping, seating_pace
from bot.core.table.chain import NEWEST_CHAIN
from bot.core.table.deadlines import CHALLENGED_FOR, OPEN_FOR
from bot.core.table.errors import AlreadyOpen, NoSuchTable, NotSeated, Refused, TableFull, WrongStage
from bot.core.table.history import chance_of
from bot.core.table.options import counts_for_ratings, normal_table_options
from bot.core.table.request import TableRequest, options_of, require_game, variant_of, wanted_seats
from bot.core.table.settings import ServerSettings
from bot.core.table.snapshot import Snapshot, User
from bot.core.terms import require_same
from bot.core.turns import turn_columns
from engines.chance import SEED_BYTES
from engines.game import Game
from engines.text import Text, nth_name, say, say_n
from storage import queries
from storage.schema.records import Grace, JobKind, Seat, SeatStatus, Server, Status, Table
from storage.store import Writer


class Lobby:
    """Tables before their games start: opening, joining, leaving and starting them.

    A game for several players starts when its last seat is taken. If a request names opponents but no number of seats, the
    table has seats only for these. A game can be started earlier with *Start*, which the opener presses, or any seated player
    once the opener has left. A table of matched people starts when all of them have accepted, and is closed if one declines.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._opening = opening_pace()
        self._seating = seating_pace()

    async def open(self, opener: User, request: TableRequest) -> Snapshot:
        """Open a table and give the opener a seat. The seed is drawn now, so that its hash can be shown.

        If two processes receive the same interaction, the second returns the first one's table as it is now. Raises AlreadyOpen
        if the rematch exists already, or Refused if the request is impossible or exceeds a limit.
        """
        core, now = self._core, self._core.now()
        once = request.interaction_id if core.store.is_part else None
        game = require_game(request.game, core.games)
        variant = variant_of(game, request.variant)
        wanted = wanted_seats(game, variant, opener, request)
        options = options_of(game, variant, wanted, request.options)
        table = Table(
            guild_id=request.guild_id, channel_id=request.channel_id, thread_id=request.thread_id, threaded=request.threaded,
            game=game.id, rules=game.rules, variant=variant, options=options, wanted=wanted, opened_by=opener.id,
            interaction_id=once, private=request.private or request.solo, solo=request.solo, ladder=request.ladder,
            rated=counts_for_ratings(game, options, wanted, computers=request.with_computers),
            clock=request.clock, grace=Grace.STRICT if request.strict else Grace.LEFT, seed=core.entropy(SEED_BYTES),
            created_at=now, deadline=now + (CHALLENGED_FOR if request.ladder else OPEN_FOR),
        )  # fmt: skip
        async with core.store.write() as writer:
            known = None if once is None else await queries.tables.by_interaction(writer, once)
            change = Change(core, writer, Snapshot(table, ()))
            if known is None:
                await self._add(change, opener, request)
        if known is not None:
            return await core.snapshot(known)
        self._opening.count(opener.id, now)
        change.publish()
        return change.snapshot

    async def _add(self, change: Change, opener: User, request: TableRequest) -> None:
        """Store a new table with everybody named, and the jobs that show the table in Discord. Raises as `open` does."""
        writer = change.writer
        if request.rematch_of is not None:
            await _require_first(writer, request.rematch_of)
        if await queries.tables.count_open(writer, request.guild_id, opener.id) >= request.most_tables:
            too_many = say_n(
                "You already have {n} open table here. Finish a game before you open another.",
                "You already have {n} open tables here. Finish a game before you open another.",
                request.most_tables,
            )
            raise Refused(too_many)
        await change.core.parts.occasion(change.table).opening(change, request)
        self._opening.check(opener.id, change.now)
        await ping(change, opener.id, [user.id for user in request.opponents])
        named = request.opponents
        around = (*named[: request.place], opener, *named[request.place :], *request.computers)
        await open_table(change, around, joined=(opener.id,))
        if request.rematch_of is not None:
            await queries.tables.change(writer, request.rematch_of, rematch_id=change.table.id)
            await change.enqueue_elsewhere(request.rematch_of, JobKind.REFRESH)
        await announce(change, answered=request.answered)
        at_once = request.with_computers and len(change.snapshot.players) == change.table.wanted
        if request.asks_threads and not at_once:
            change.snapshot = replace(change.snapshot, server=await _with_question(writer, change.table))
        if at_once:
            await start_game(change)

    async def join(
        self, table_id: int, user: User, interaction_id: int | None = None, word: str = "", terms: int = 0
    ) -> Snapshot:
        """Take a free seat, or the one reserved for an invited user. Joining twice only adds to the dice.

        The press `interaction_id` and `word` are mixed into the dice. `terms` is the mark of the terms that the user has read
        (see `terms_mark`), or 0 if unknown. Raises WrongStage, TermsChanged, TableFull, NoSuchTable if the table is private and
        the user not invited, or Refused if the user comes and goes too fast.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            if not snapshot.open_to(user.id):
                raise NoSuchTable(table_id)
            snapshot.require(Status.OPEN)
            known = snapshot.person(user.id)
            if known is not None and known.status is SeatStatus.JOINED:
                await contribute(change.writer, change.table, user.id, interaction_id, word)
                return snapshot
            require_same(change.table, terms)
            invited = known is not None and known.status is SeatStatus.INVITED
            if not invited and snapshot.free < 1:
                raise TableFull(full(snapshot))
            place = known.place if known is not None and invited else 1 + max(p.place for p in snapshot.people)
            self._seating.check(user.id, change.now)
            await change.put_seat(new_seat(change.table, user, place, SeatStatus.JOINED, change.now))
            await contribute(change.writer, change.table, user.id, interaction_id, word)
            await start_if_full(change)
        return change.snapshot

    async def decline(self, table_id: int, user: User) -> Snapshot:
        """Decline an invitation. This frees the seat, or closes a table of matched people. Raises WrongStage, NotSeated."""
        async with changing(self._core, table_id) as change:
            change.snapshot.require(Status.OPEN)
            known = change.snapshot.person(user.id)
            if known is None or known.status is not SeatStatus.INVITED:
                raise NotSeated(say("You’re not invited to table #{n}.", n=table_id))
            await change.put_seat(replace(known, status=SeatStatus.DECLINED, name=user.name))
            if not await change.core.parts.occasion(change.table).left(change, user.id, declined=True):
                await start_if_full(change)
            await change.dismiss(user.id)
        return change.snapshot

    async def leave(self, table_id: int, user: User) -> Snapshot:
        """Leave a table. The table closes if it is now empty, or if its people were matched. Raises WrongStage, NotSeated."""
        async with changing(self._core, table_id) as change:
            if change.table.status is Status.PLAYING:
                raise WrongStage(say("The game has begun. To leave it, press *Resign*, behind *More* under the board."))
            change.snapshot.require(Status.OPEN)
            known = change.snapshot.person(user.id)
            if known is None or known.status is not SeatStatus.JOINED:
                raise NotSeated(say("You’re not at table #{n}.", n=table_id))
            await change.remove_seat(user.id)
            await queries.entries.remove_contributions(change.writer, table_id, user.id)
            closed = await change.core.parts.occasion(change.table).left(change, user.id, declined=False)
            if not closed and change.snapshot.persons:
                await change.enqueue(JobKind.LOBBY)
            elif not closed:
                await change.close()
            await change.dismiss(user.id)
        self._seating.count(user.id, self._core.now())
        return change.snapshot

    async def start(self, table_id: int, user: User, interaction_id: int | None = None) -> Snapshot:
        """Start the game with all who have joined; the press goes into the dice. Raises NotSeated, Refused, WrongStage."""
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.OPEN)
            known = snapshot.person(user.id)
            if known is None or known.status is not SeatStatus.JOINED:
                raise NotSeated(say("Take a seat first: only players can start the game."))
            if snapshot.table.matched:
                raise Refused(say("The game starts by itself as soon as everybody has accepted."))
            opener = starter(snapshot)
            if opener is not None and opener.user_id != user.id:
                waits = say(
                    "Only {who}, who opened this table, can start the game. It starts by itself once all seats are taken.",
                            who=nth_name(snapshot.players.index(opener), opener.name))  # fmt: skip
                raise Refused(waits, snapshot.names)
            game = require_game(snapshot.table.game, self._core.games)
            fewest = game.seats[0]
            if len(snapshot.players) < fewest:
                raise WrongStage(say("{game} needs {n} players.", game=game.title, n=fewest))
            _require_fit(self._core.rules_of(snapshot.table), snapshot)
            await contribute(change.writer, change.table, user.id, interaction_id)
            await start_game(change)
        return change.snapshot

    async def close(self, table_id: int) -> Snapshot:
        """Close a table that has not started, whoever is seated there. Raises WrongStage."""
        async with changing(self._core, table_id) as change:
            change.snapshot.require(Status.OPEN)
            await change.close()
            await change.core.parts.occasion(change.table).closed(change)
            return change.snapshot


def starter(snapshot: Snapshot) -> Seat | None:
    """Return the opener's seat if only they may start the game. None if the opener has left, or if all were matched."""
    if snapshot.table.matched:
        return None
    opener = snapshot.person(snapshot.table.opened_by)
    return opener if opener is not None and opener.status is SeatStatus.JOINED else None


async def _require_first(writer: Writer, finished: int) -> None:
    """Raise AlreadyOpen if a finished table already has a rematch that was not closed."""
    before = await queries.tables.get(writer, finished)
    first = None if before is None or before.rematch_id is None else await queries.tables.get(writer, before.rematch_id)
    if first is not None and first.status is not Status.CLOSED:
        raise AlreadyOpen(first.id)


async def _with_question(writer: Writer, table: Table) -> Server:
    """Record that the opener is asked whether tables get threads, unless the server has settled this. Returns the server."""
    server = await queries.servers.get(writer, table.guild_id)
    settings = ServerSettings.of(server)
    if settings.threads or settings.threads_asked is not None:
        return server
    asked = settings.model_copy(update={"threads_asked": table.id})
    server = replace(server, settings=asked.model_dump(mode="json", exclude_defaults=True))
    await queries.servers.put(writer, server)
    return server


def full(snapshot: Snapshot) -> Text:
    """Return the reason why nobody else can sit down at a table."""
    if snapshot.invited:
        return say("Table #{n} is full: the last seats are kept for invited players.", n=snapshot.table.id)
    return say("Table #{n} is full.", n=snapshot.table.id)


def _require_fit(game: Game[Any, Any], snapshot: Snapshot) -> None:
    """Raise WrongStage if the options, checked for the table's full number of seats, do not suit the players now seated."""
    table, there = snapshot.table, len(snapshot.players)
    try:
        normal_table_options(game, table.variant, there, table.options)
    except ValueError as error:
        cannot = say_n(
            "The game can’t begin with {n} player. {reason} Wait for others, or open a table with other options.",
            "The game can’t begin with {n} players. {reason} Wait for others, or open a table with other options.",
            there,
            reason=error.args[0],
        )
        raise WrongStage(cannot) from error


async def start_if_full(change: Change) -> None:
    """Start the game if all seats are taken, or have the lobby message updated if not."""
    if len(change.snapshot.players) == change.table.wanted:
        await start_game(change)
    else:
        await change.enqueue(JobKind.LOBBY)


async def start_game(change: Change) -> None:
    """Mix the key of the dice, seat the players and begin the first turn. A game of one person with computers has no clock.

    A table opened by version 0.1.0 draws its seed only now, and nothing else is mixed into its dice.
    """
    core, lobby = change.core, change.snapshot
    key = await mix(change.writer, change.table, lobby.players)
    seed = change.table.seed or core.entropy(SEED_BYTES)
    table = replace(change.table, seed=seed, stream_key=key, chain=NEWEST_CHAIN, rules=core.rules_of(change.table).rules)
    order, _ = chance_of(table, len(lobby.players))
    for absent in lobby.people:
        if absent not in lobby.players:
            await change.remove_seat(absent.user_id)
    for place, which in enumerate(order):
        await change.put_seat(replace(lobby.players[which], place=place))
    change.snapshot = replace(change.snapshot, history=core.begin(table, len(order)))
    alone = len(change.snapshot.persons) == 1
    clock = None if alone else table.clock
    await change.amend(
        seed=seed, stream_key=key, status=Status.PLAYING, wanted=len(order), started_at=change.now, turn=1, rules=table.rules,
        chain=table.chain, clock=clock, rated=table.rated and not alone, **await turn_columns(change, clock),
    )  # fmt: skip
    await core.parts.occasion(table).started(change)
    await change.enqueue(JobKind.LOBBY)
    await change.enqueue(JobKind.BOARD)
    await change.dismiss(*(person.user_id for person in lobby.people))
    await core.parts.started(change)
