"""Before a game: opening tables, inviting people, taking and leaving seats, until the game starts."""

from dataclasses import replace
from typing import Any, Final

from bot.sessions.computer_players import Computer, computer_seat, strangers
from bot.sessions.dice import contribute
from bot.sessions.errors import AlreadyOpen, NotSeated, Refused, TableFull, WrongStage
from bot.sessions.options import counts_for_ratings, settled
from bot.sessions.pings import opening_pace, ping, seating_pace
from bot.sessions.privacy import no_such_table, shut_out
from bot.sessions.repository import Repository
from bot.sessions.request import TableRequest, options_of, variant_of, wanted_seats
from bot.sessions.snapshot import Snapshot, User
from bot.sessions.starting import start_game, start_if_full
from bot.sessions.terms import require_same
from bot.sessions.turns import OPEN_FOR
from engines.chance import SEED_BYTES
from engines.game import Game
from engines.text import Text, echoed, plain, say, say_n
from storage.records import Grace, Job, JobKind, Seat, SeatStatus, Status, Table
from storage.store import Writer

ANSWERED_WITHIN: Final = 60.0
"""Seconds after which the outbox no longer waits for the answer to a command that is to show a new table. The answer has been
given or has failed long before; this time passes only if the bot was stopped in between."""


class Lobby:
    """What can be done to a table before its game starts.

    A game for several starts by itself with the press that fills its last seat. Who names opponents, and no number of
    seats, opens a table with just these seats, so that it starts when all of them have accepted. Every other table asks its
    opener, who presses *Start* as soon as there are as many players as the game needs: one with free seats; one where
    somebody has declined, whose seat is free again; and a table for one, whose *Start* is mixed into the dice. Nobody else
    can start it, so that nobody is cut short who waits for more; once the opener has left, anybody who sits there can.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._opening = opening_pace()
        self._seating = seating_pace()

    async def open(self, opener: User, request: TableRequest) -> Snapshot:
        """Open a table and take a seat at it. The seed is drawn now, so that its hash can be shown from the beginning.

        If computers take all other seats, the game begins at once. Where several processes share the database, two of them may
        hear an interaction: if it has opened a table, that is returned as it is now.

        Raises Refused if there is no such game, variant, option or number of seats, if the same person is named twice, if the
        opener has too many tables or opens them too fast, or if somebody has been invited too often. Raises
        AlreadyOpen if the rematch is open already.
        """
        repository, now = self._repository, self._repository.now()
        once = request.interaction_id if repository.store.shared else None
        game = self._game(request.game)
        variant = variant_of(game, request.variant)
        wanted = wanted_seats(game, variant, opener, request)
        options = options_of(game, variant, wanted, request.options)
        table = Table(
            guild_id=request.guild_id,
            channel_id=request.channel_id,
            thread_id=request.thread_id,
            threaded=request.threaded,
            game=game.id,
            rules=game.rules,
            variant=variant,
            options=options,
            wanted=wanted,
            opened_by=opener.id,
            interaction_id=once,
            private=request.private,
            rated=counts_for_ratings(game, options, wanted, computers=request.with_computers),
            clock=request.clock,
            grace=Grace.STRICT if request.strict else Grace.LEFT,
            seed=repository.entropy(SEED_BYTES),
            created_at=now,
            deadline=now + OPEN_FOR,
        )
        async with repository.store.write() as writer:
            known = None if once is None else await writer.table_by_interaction(once)
            if known is None:
                snapshot = await self._opened(writer, table, opener, request)
        if known is not None:
            return await repository.snapshot(known)
        self._opening.count(opener.id, now)
        repository.on_change(now + OPEN_FOR if writer.soonest is None else writer.soonest)
        return self._cached(snapshot)

    async def _opened(self, writer: Writer, table: Table, opener: User, request: TableRequest) -> Snapshot:
        """Write down a new table with everybody who is named, and what it is owed in Discord. Raises as `open` does."""
        if request.rematch_of is not None:
            await _require_first(writer, request.rematch_of)
        if await writer.count_open(request.guild_id, opener.id) >= request.most_tables:
            raise Refused(
                say_n(
                    "You already have {n} open table here. Finish a game before you open another.",
                    "You already have {n} open tables here. Finish a game before you open another.",
                    request.most_tables,
                )
            )
        self._opening.check(opener.id, table.created_at)
        await ping(writer, opener.id, [user.id for user in request.opponents], table.created_at)
        table = await writer.add_table(table)
        if request.rematch_of is not None:
            await writer.change_table(request.rematch_of, rematch_id=table.id)
        people = _seated(table, opener, request, table.created_at)
        for person in people:
            await writer.put_seat(person)
        snapshot = Snapshot(table, people)
        await self._announce(writer, table, answered=request.answered, invites=bool(snapshot.invited))
        if request.with_computers and len(snapshot.players) == table.wanted:
            snapshot = await start_game(self._repository, writer, snapshot)
        return snapshot

    async def _announce(self, writer: Writer, table: Table, *, answered: bool, invites: bool) -> None:
        """Enqueue what a new table is owed in Discord: its first message, its thread, and the invitation of people."""
        now = self._repository.now()
        due = now + ANSWERED_WITHIN if answered else now
        opening = Job(table_id=table.id, kind=JobKind.OPENING, payload={"answered": answered}, due=due, created_at=now)
        await writer.enqueue_later(opening)
        if invites:
            await writer.enqueue_later(Job(table_id=table.id, kind=JobKind.INVITATION, due=due, created_at=now))

    async def join(
        self, table_id: int, user: User, interaction_id: int | None = None, word: str = "", terms: int = 0
    ) -> Snapshot:
        """Take a free seat, or the one reserved by an invitation. Joining twice changes nothing but the dice.

        Args:
            table_id: the table.
            user: who joins.
            interaction_id: the press of the button, which is mixed into the dice; None: nothing is mixed in.
            word: a word of the user's own that is mixed in too, as `word_of` makes it.
            terms: the mark of the terms that the user has read, as `terms_mark` makes it; 0: it is not known which.

        Raises WrongStage if the game has started, or the terms have changed, TableFull, NoSuchTable at a private table that
        they are not invited to, or Refused for somebody who comes and goes too fast.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            if not snapshot.open_to(user.id):
                raise no_such_table(table_id)
            snapshot.require(Status.OPEN)
            known = snapshot.person(user.id)
            if known is not None and known.status is SeatStatus.JOINED:
                await contribute(writer, snapshot.table, user.id, interaction_id, word)
                return snapshot
            require_same(snapshot.table, terms)
            if (known is None or known.status is not SeatStatus.INVITED) and snapshot.free < 1:
                raise TableFull(full(snapshot))
            invited = known is not None and known.status is SeatStatus.INVITED
            place = known.place if known is not None and invited else 1 + max(p.place for p in snapshot.people)
            self._seating.check(user.id, self._repository.now())
            seat = _seat(snapshot.table, user, place, SeatStatus.JOINED, self._repository.now())
            await writer.put_seat(seat)
            await contribute(writer, snapshot.table, user.id, interaction_id, word)
            people = tuple(p for p in snapshot.people if p.user_id != user.id)
            snapshot = await start_if_full(self._repository, writer, replace(snapshot, people=(*people, seat)))
        return self._cached(snapshot)

    async def decline(self, table_id: int, user: User) -> Snapshot:
        """Decline an invitation, which frees the seat for others. Raises WrongStage or NotSeated."""
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.OPEN)
            known = snapshot.person(user.id)
            if known is None or known.status is not SeatStatus.INVITED:
                raise NotSeated(say("You’re not invited to table #{n}.", n=table_id))
            seat = replace(known, status=SeatStatus.DECLINED, name=user.name)
            await writer.put_seat(seat)
            people = tuple(seat if p.user_id == user.id else p for p in snapshot.people)
            snapshot = await start_if_full(self._repository, writer, replace(snapshot, people=people))
            await shut_out(self._repository, writer, snapshot, user.id)
        return self._cached(snapshot)

    async def leave(self, table_id: int, user: User) -> Snapshot:
        """Leave a table that has not started. It is closed when nobody is left. Raises WrongStage or NotSeated."""
        async with self._repository.table(table_id) as (writer, snapshot):
            if snapshot.table.status is Status.PLAYING:
                raise WrongStage(say("The game has begun. `/resign` gives it up."))
            snapshot.require(Status.OPEN)
            known = snapshot.person(user.id)
            if known is None or known.status is not SeatStatus.JOINED:
                raise NotSeated(say("You’re not at table #{n}.", n=table_id))
            await writer.remove_seat(table_id, user.id)
            await writer.remove_contributions(table_id, user.id)
            people = tuple(p for p in snapshot.people if p.user_id != user.id)
            table = snapshot.table
            if not any(p.status is SeatStatus.JOINED and p.computer is None for p in people):
                table = await writer.change_table(table_id, status=Status.CLOSED, finished_at=self._repository.now())
            await self._repository.enqueue(writer, table_id, JobKind.LOBBY)
            after = replace(snapshot, table=table, people=people)
            await shut_out(self._repository, writer, after, user.id)
        self._seating.count(user.id, self._repository.now())
        return after

    async def start(self, table_id: int, user: User, interaction_id: int | None = None) -> Snapshot:
        """Start the game with those who have joined. Unanswered invitations lapse. The press is mixed into the dice.

        Raises NotSeated for somebody who has not joined, Refused for somebody who waits for the opener, WrongStage if there are
        too few players, or too few or too many for the table's options.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.OPEN)
            known = snapshot.person(user.id)
            if known is None or known.status is not SeatStatus.JOINED:
                raise NotSeated(say("Take a seat first: only players can start the game."))
            opener = starter(snapshot)
            if opener is not None and opener.user_id != user.id:
                waits = say("{who} opened this table and starts the game. Once all seats are taken, it starts by itself.",
                            who=plain(opener.name))  # fmt: skip
                raise Refused(waits)
            fewest = self._game(snapshot.table.game).seats[0]
            if len(snapshot.players) < fewest:
                raise WrongStage(say("{game} needs {n} players.", game=self._game(snapshot.table.game).title, n=fewest))
            _require_fit(self._repository.rules_of(snapshot.table), snapshot)
            await contribute(writer, snapshot.table, user.id, interaction_id)
            snapshot = await start_game(self._repository, writer, snapshot)
        return self._cached(snapshot)

    async def close(self, table_id: int) -> Snapshot:
        """Close a table that has not started, whoever sits there. Raises WrongStage."""
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.OPEN)
            table = await writer.change_table(table_id, status=Status.CLOSED, finished_at=self._repository.now())
            await self._repository.enqueue(writer, table_id, JobKind.LOBBY)
            return replace(snapshot, table=table)

    def _game(self, game_id: str) -> Game[Any, Any]:
        game = self._repository.games.get(game_id)
        if game is None:
            raise Refused(say("There’s no game “{game}”. There are: {games}.", game=echoed(game_id),
                              games=", ".join(self._repository.games)))  # fmt: skip
        return game

    def _cached(self, snapshot: Snapshot) -> Snapshot:
        """Cache the history of a snapshot that has been committed, and return the snapshot."""
        if snapshot.history is not None:
            self._repository.keep(snapshot.table.id, snapshot.history)
        return snapshot


def starter(snapshot: Snapshot) -> Seat | None:
    """The person who may start the game: who opened the table, while they sit there. None: anybody who does."""
    opener = snapshot.person(snapshot.table.opened_by)
    return opener if opener is not None and opener.status is SeatStatus.JOINED else None


async def _require_first(writer: Writer, finished: int) -> None:
    """Raise AlreadyOpen if a finished table has a rematch that was not closed."""
    before = await writer.table(finished)
    first = None if before is None or before.rematch_id is None else await writer.table(before.rematch_id)
    if first is not None and first.status is not Status.CLOSED:
        raise AlreadyOpen(first.id)


def _seat(table: Table, user: User, place: int, status: SeatStatus, now: float) -> Seat:
    return Seat(table_id=table.id, user_id=user.id, place=place, status=status, name=user.name, asked_at=now)


def _seated(table: Table, opener: User, request: TableRequest, now: float) -> tuple[Seat, ...]:
    """Who sits at a new table or is invited, in the order of their places."""
    named = request.opponents
    ids = strangers(table.id, [opponent.id for opponent in named])
    others = [*named[request.place :], *(Computer(next(ids), level) for level in request.computers)]
    around = (*named[: request.place], opener, *others)
    return tuple(
        computer_seat(table, user, place, now)
        if isinstance(user, Computer)
        else _seat(table, user, place, SeatStatus.JOINED if user is opener else SeatStatus.INVITED, now)
        for place, user in enumerate(around)
    )


def full(snapshot: Snapshot) -> Text:
    """Why nobody can sit down at a table any more."""
    if snapshot.invited:
        return say("Table #{n} is full: the last seats are kept for those invited.", n=snapshot.table.id)
    return say("Table #{n} is full.", n=snapshot.table.id)


def _require_fit(game: Game[Any, Any], snapshot: Snapshot) -> None:
    """Raise WrongStage if the options, which were checked for all seats of the table, do not go with those who are there."""
    table, there = snapshot.table, len(snapshot.players)
    try:
        settled(game, table.variant, there, table.options)
    except ValueError as error:
        cannot = say_n(
            "The game can’t begin with {n} player. {reason} Wait for others, or open a table with other options.",
            "The game can’t begin with {n} players. {reason} Wait for others, or open a table with other options.",
            there,
            reason=error.args[0],
        )
        raise WrongStage(cannot) from error
