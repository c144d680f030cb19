"""Before a game: tables are opened, people invited, seats taken and left, until the game starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.sessions.errors import NotSeated, Refused, TableFull, WrongStage
from bot.sessions.history import chance_of
from bot.sessions.repository import Desk
from bot.sessions.snapshot import Glance, User
from bot.sessions.turns import OPEN_FOR, turn_columns
from engines.chance import SEED_BYTES
from engines.game import Game, Option
from engines.text import Text, say, say_n
from storage.records import Seat, SeatStatus, Status, Table
from storage.store import Writer

TABLE_OPTIONS: Final[Mapping[str, Option]] = {
    "order": Option(say("Seats"), ("joined", "shuffled")),
    "rated": Option(say("Rated"), ("yes", "no")),
}
"""Options that every table has, beside those of its game."""

OPEN_TABLES_EACH: Final = 10
"""How many tables somebody may have open in a server, unless the server says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What somebody asks for when opening a table. Whatever is None is left to the game or the server.

    Attributes:
        guild_id, channel_id: where.
        game: a game's id; variant: one of its variants; options: by name, the game's and the table's.
        opponents: who is invited, in the order in which they will sit.
        seats: how many may play at the most.
        clock: seconds a turn, or None for no clock.
        private: whether only the invited may join.
        most_tables: how many tables one person may have.
        place: which place among the opponents the opener takes; 0, the first, unless a rematch moves the seats on.
        thread_id: the thread it is played in, if there is one already.
    """

    guild_id: int
    channel_id: int
    game: str
    variant: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    opponents: Sequence[User] = ()
    seats: int | None = None
    clock: int | None = None
    private: bool = False
    most_tables: int = OPEN_TABLES_EACH
    place: int = 0
    thread_id: int | None = None


class Lobby:
    """What may be done to a table before its game starts."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def open(self, opener: User, opening: Opening) -> Glance:
        """Open a table and sit down at it. A table for one starts at once.

        Raises Refused if there is no such game, variant, option or number of seats, or the opener has too many tables.
        """
        desk, now = self._desk, self._desk.now()
        game = self._game(opening.game)
        wanted = _wanted(game, opener, opening)
        options = _options(game, opening.options)
        table = Table(
            guild_id=opening.guild_id,
            channel_id=opening.channel_id,
            thread_id=opening.thread_id,
            game=game.id,
            variant=_variant(game, opening.variant),
            options=options,
            wanted=wanted,
            opened_by=opener.id,
            private=opening.private,
            rated=options.get("rated", "yes") == "yes" and wanted > 1,
            clock=opening.clock,
            created_at=now,
            deadline=now + OPEN_FOR,
        )
        async with desk.store.write() as writer:
            if await writer.count_open(opening.guild_id, opener.id) >= opening.most_tables:
                raise Refused(
                    say_n(
                        "You have {n} table open here already, which is as many as one may.",
                        "You have {n} tables open here already, which is as many as one may.",
                        opening.most_tables,
                    )
                )
            table = await writer.add_table(table)
            around = [*opening.opponents[: opening.place], opener, *opening.opponents[opening.place :]]
            people = [
                _seat(table, user, place, SeatStatus.JOINED if user is opener else SeatStatus.INVITED, now)
                for place, user in enumerate(around)
            ]
            for person in people:
                await writer.put_seat(person)
            glance = await self._settled(writer, Glance(table, tuple(people)))
        desk.on_change()
        return self._kept(glance)

    async def join(self, table_id: int, user: User) -> Glance:
        """Take a free seat, or the one kept by an invitation. Sitting down twice changes nothing.

        Raises WrongStage if the game has started, TableFull, or Refused at a private table.
        """
        async with self._desk.table(table_id) as (writer, glance):
            known = glance.person(user.id)
            if known is not None and known.status is SeatStatus.JOINED and glance.table.status is Status.OPEN:
                return glance
            glance.require(Status.OPEN)
            if known is None or known.status is not SeatStatus.INVITED:
                if glance.table.private:
                    raise Refused(say("Table #{n} is private: only those who were invited may join.", n=table_id))
                if glance.free < 1:
                    raise TableFull(_full(glance))
            invited = known is not None and known.status is SeatStatus.INVITED
            place = known.place if known is not None and invited else 1 + max(p.place for p in glance.people)
            seat = _seat(glance.table, user, place, SeatStatus.JOINED, self._desk.now())
            await writer.put_seat(seat)
            people = tuple(p for p in glance.people if p.user_id != user.id)
            glance = await self._settled(writer, replace(glance, people=(*people, seat)))
        return self._kept(glance)

    async def decline(self, table_id: int, user: User) -> Glance:
        """Turn an invitation down; the seat is free for others then."""
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.OPEN)
            known = glance.person(user.id)
            if known is None or known.status is not SeatStatus.INVITED:
                raise NotSeated(say("You have no invitation to table #{n}.", n=table_id))
            seat = replace(known, status=SeatStatus.DECLINED, name=user.name)
            await writer.put_seat(seat)
            people = tuple(seat if p.user_id == user.id else p for p in glance.people)
            glance = await self._settled(writer, replace(glance, people=people))
        return self._kept(glance)

    async def leave(self, table_id: int, user: User) -> Glance:
        """Leave a table that has not started. When nobody is left it is closed."""
        async with self._desk.table(table_id) as (writer, glance):
            if glance.table.status is Status.PLAYING:
                raise WrongStage(say("The game has started: /resign gives it up."))
            glance.require(Status.OPEN)
            known = glance.person(user.id)
            if known is None or known.status is not SeatStatus.JOINED:
                raise NotSeated(say("You do not sit at table #{n}.", n=table_id))
            await writer.remove_seat(table_id, user.id)
            people = tuple(p for p in glance.people if p.user_id != user.id)
            table = glance.table
            if not any(p.status is SeatStatus.JOINED for p in people):
                table = await writer.change_table(table_id, status=Status.CLOSED, finished_at=self._desk.now())
            await self._desk.tell(writer, table_id, "lobby")
            return Glance(table, people)

    async def start(self, table_id: int, user: User) -> Glance:
        """Start with those who are there. Invitations that were not answered lapse."""
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.OPEN)
            known = glance.person(user.id)
            if known is None or known.status is not SeatStatus.JOINED:
                raise NotSeated(say("Only somebody who sits at the table can start the game."))
            fewest = self._game(glance.table.game).seats[0]
            if len(glance.players) < fewest:
                raise WrongStage(say("{game} needs {n} players.", game=self._game(glance.table.game).title, n=fewest))
            glance = await self._started(writer, glance)
        return self._kept(glance)

    async def close(self, table_id: int) -> Glance:
        """Close a table that has not started, whoever sits there."""
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.OPEN)
            table = await writer.change_table(table_id, status=Status.CLOSED, finished_at=self._desk.now())
            await self._desk.tell(writer, table_id, "lobby")
            return replace(glance, table=table)

    def _game(self, game_id: str) -> Game[Any, Any]:
        game = self._desk.games.get(game_id)
        if game is None:
            raise Refused(say("There is no game “{game}”; there are: {games}.", game=game_id,
                              games=", ".join(self._desk.games)))  # fmt: skip
        return game

    async def _settled(self, writer: Writer, glance: Glance) -> Glance:
        """After somebody came or went: start when all seats are taken, and have the lobby message brought up to date."""
        if len(glance.players) == glance.table.wanted:
            return await self._started(writer, glance)
        await self._desk.tell(writer, glance.table.id, "lobby")
        return glance

    async def _started(self, writer: Writer, glance: Glance) -> Glance:
        desk, now = self._desk, self._desk.now()
        table = replace(glance.table, seed=desk.entropy(SEED_BYTES))
        joined = sorted(glance.players, key=lambda p: p.place)
        order, _ = chance_of(table, len(joined))
        players = tuple(replace(joined[which], place=place) for place, which in enumerate(order))
        for absent in glance.people:
            if absent not in glance.players:
                await writer.remove_seat(table.id, absent.user_id)
        for player in players:
            await writer.put_seat(player)
        record = desk.begin(table, len(players))
        alone = len(players) == 1
        table = replace(table, clock=None if alone else table.clock, rated=table.rated and not alone)
        timing = await turn_columns(writer, table, [players[seat] for seat in record.to_act], now)
        table = await writer.change_table(
            table.id, seed=table.seed, status=Status.PLAYING, wanted=len(players), started_at=now, turn=1,
            clock=table.clock, rated=table.rated, **timing,
        )  # fmt: skip
        await desk.tell(writer, table.id, "lobby")
        await desk.tell(writer, table.id, "board")
        return Glance(table, players, record)

    def _kept(self, glance: Glance) -> Glance:
        if glance.record is not None:
            self._desk.keep(glance.table.id, glance.record)
        return glance


def _seat(table: Table, user: User, place: int, status: SeatStatus, now: float) -> Seat:
    return Seat(table_id=table.id, user_id=user.id, place=place, status=status, name=user.name, asked_at=now)


def _full(glance: Glance) -> Text:
    if glance.invited:
        return say("Table #{n} is full: the free seats are kept for those who were invited.", n=glance.table.id)
    return say("Table #{n} is full.", n=glance.table.id)


def _wanted(game: Game[Any, Any], opener: User, opening: Opening) -> int:
    """How many seats the table gets."""
    ids = [user.id for user in opening.opponents]
    if opener.id in ids:
        raise Refused(say("You cannot invite yourself; you sit at the table already."))
    if len(set(ids)) < len(ids):
        raise Refused(say("Somebody is named twice among the opponents."))
    fewest, most = game.seats[0], game.seats[-1]
    wanted = opening.seats
    if wanted is None:
        wanted = max(1 + len(ids), fewest) if ids else most
    if wanted not in game.seats:
        if fewest == most:
            raise Refused(say("{game} is for {n} players.", game=game.title, n=most))
        raise Refused(say("{game} is for {fewest} to {most} players.", game=game.title, fewest=fewest, most=most))
    if 1 + len(ids) > wanted:
        raise Refused(say("You have named more opponents than there are seats."))
    return wanted


def _variant(game: Game[Any, Any], variant: str | None) -> str:
    chosen = game.variants[0] if variant is None else variant
    if chosen not in game.variants:
        raise Refused(say("{game} has no variant “{variant}”; there are: {variants}.", game=game.title, variant=chosen,
                          variants=", ".join(game.variants)))  # fmt: skip
    return chosen


def _options(game: Game[Any, Any], given: Mapping[str, str]) -> dict[str, str]:
    offered = {**TABLE_OPTIONS, **game.options}
    for name, value in given.items():
        if name not in offered or value not in offered[name].values:
            possible = ", ".join(f"{n}:{v}" for n, option in offered.items() for v in option.values)
            raise Refused(say("There is no option “{name}:{value}”; possible: {possible}.", name=name, value=value,
                              possible=possible))  # fmt: skip
    return {name: value for name, value in given.items() if value != offered[name].values[0]}
