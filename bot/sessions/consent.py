"""What players do by consent: taking an action back, handing a seat to somebody else, a nudge, another game."""

from dataclasses import replace
from typing import Any, Final

from bot.sessions.errors import NotSeated, Refused, WrongStage
from bot.sessions.history import Record
from bot.sessions.lobby import Lobby, Opening
from bot.sessions.play import still_in
from bot.sessions.repository import Desk
from bot.sessions.settings import ServerSettings
from bot.sessions.snapshot import Glance, User
from bot.sessions.turns import changed
from engines.game import Step
from engines.text import Text, plain, say, seat_name
from storage.records import Entry, EntryKind, SeatStatus, Status
from storage.store import Writer

NUDGE_WITHOUT_CLOCK: Final = 86400.0
"""Without a clock somebody may be nudged after a day."""


class Consent:
    """What needs the others."""

    def __init__(self, desk: Desk, lobby: Lobby) -> None:
        self._desk = desk
        self._lobby = lobby

    # --- undo ---------------------------------------------------------------------------------------------------------

    async def undo(self, table_id: int, user: User, *, answering: bool = False) -> tuple[Glance, Text, bool]:
        """Ask to take the own last action back, or agree that somebody does; if `answering`, only the latter.

        Gives the table, what is (to be) undone in words, and whether it is undone now.
        Raises Refused if nothing can be taken back, or nobody asks for it any more.
        """
        record: Record | None = None
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            seat = still_in(glance, user)
            standing = _standing(glance, "undo")
            if standing is None and answering:
                raise no_such_offer()
            wish = standing or {"by": seat, "agreed": [seat], "version": glance.table.version}
            what = _undoable(glance, wish["by"])
            wish = wish | {"agreed": sorted({*wish["agreed"], seat})}
            present = {i for i, p in enumerate(glance.players) if p.status is SeatStatus.JOINED}
            if set(wish["agreed"]) >= present:
                record = glance.playing
                entry = Entry(table_id=table_id, number=record.version + 1, kind=EntryKind.UNDO, seat=wish["by"],
                              user_id=user.id, at=self._desk.now())  # fmt: skip
                record = record.extended(entry)
                await writer.append(entry)
                glance = await self._offer(writer, glance, "undo", None)
                glance = await changed(self._desk, writer, glance, record)
            else:
                glance = await self._offer(writer, glance, "undo", wish)
                if standing is None:
                    await self._desk.tell(writer, table_id, "offer", "undo")
        if record is not None:
            self._desk.keep(table_id, record)
        return glance, what, record is not None

    async def refuse(self, table_id: int, user: User, kind: str) -> Glance:
        """Turn a standing offer down, or take the own one back. Raises Refused if there is none."""
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            offer = glance.table.offers.get(kind)
            if offer is None:
                raise no_such_offer()
            if kind != "substitute" or offer["to"] != user.id:
                still_in(glance, user)
            return await self._offer(writer, glance, kind, None)

    # --- handing a seat over ------------------------------------------------------------------------------------------

    async def hand_over(self, table_id: int, user: User, leaver_id: int, newcomer: User) -> Glance:
        """Offer a seat to somebody who does not play here: the own one, or one whose player has just left the game.

        Raises Refused if the seat cannot be handed over: only the own can while its player is in the game, and a seat that was
        left stays empty once others have acted.
        """
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            mine = glance.own_seat(user.id)
            seat = glance.seat_of(leaver_id)
            if seat is None:
                raise Refused(say("That person does not play at table #{n}.", n=table_id))
            if (there := glance.seat_of(newcomer.id)) is not None:
                raise Refused(say("{name} sits at this table already.", name=seat_name(there)), glance.names)
            if glance.players[seat].status is SeatStatus.JOINED and seat != mine:
                raise Refused(say("Only {who} can hand this seat over.", who=seat_name(seat)), glance.names)
            if glance.players[seat].status is SeatStatus.WITHDRAWN and not _just_left(glance.playing, seat):
                raise Refused(
                    say("Others have acted since {who} left; the seat stays empty.", who=seat_name(seat)), glance.names
                )
            offer = {"by": mine, "seat": seat, "to": newcomer.id, "version": glance.table.version}
            glance = await self._offer(writer, glance, "substitute", offer)
            await self._desk.tell(writer, table_id, "offer", "substitute")
            return glance

    async def take_over(self, table_id: int, newcomer: User) -> Glance:
        """Accept a seat that was offered. Raises Refused if it is offered no more, or was never offered to this person."""
        record: Record | None = None
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            offer = glance.table.offers.get("substitute")
            if offer is None or offer["to"] != newcomer.id:
                raise Refused(say("No seat at table #{n} is offered to you.", n=table_id))
            seat, record = offer["seat"], glance.playing
            leaver = glance.players[seat]
            if leaver.status is SeatStatus.WITHDRAWN:
                if not _just_left(record, seat):
                    raise Refused(
                        say("Others have acted since {who} left; the seat stays empty.", who=seat_name(seat)), glance.names
                    )
                entry = Entry(table_id=table_id, number=record.version + 1, kind=EntryKind.UNDO, seat=seat,
                              user_id=newcomer.id, at=self._desk.now())  # fmt: skip
                record = record.extended(entry)
                await writer.append(entry)
            arrived = replace(leaver, user_id=newcomer.id, name=newcomer.name, status=SeatStatus.JOINED, timeouts=0,
                              asked_at=self._desk.now())  # fmt: skip
            await writer.remove_seat(table_id, leaver.user_id)
            await writer.put_seat(arrived)
            people = tuple(arrived if p is leaver else p for p in glance.people)
            glance = await self._offer(writer, replace(glance, people=people), "substitute", None)
            glance = await changed(self._desk, writer, glance, record, newcomer=seat)
        self._desk.keep(table_id, record)
        return glance

    # --- nudging, and playing again -----------------------------------------------------------------------------------

    async def nudge(self, table_id: int, user: User) -> Glance:
        """Have those who are waited for reminded: once a turn, when half of their time is gone."""
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            seat = still_in(glance, user)
            table, now = glance.table, self._desk.now()
            if seat in glance.playing.to_act:
                raise Refused(say("It is you who is waited for."))
            if table.offers.get("nudged") == table.turn:
                raise Refused(say("They have been nudged this turn already."))
            half = (table.turn_began or now) + NUDGE_WITHOUT_CLOCK
            if table.clock is not None and table.deadline is not None:
                half = table.deadline - table.clock / 2
            if now < half:
                when = f"<t:{int(half)}:R>"
                raise Refused(say("Leave them some time: a nudge is possible {when}.", when=when))
            glance = await self._offer(writer, glance, "nudged", table.turn)
            await self._desk.tell(writer, table_id, "nudge", by=seat, turn=table.turn)
            return glance

    async def rematch(self, table_id: int, user: User) -> Glance:
        """Open a table for the same game with the same people, everybody moved on by one seat, or join the one that is open.

        Raises WrongStage if the game is not over, NotSeated for somebody who did not play.
        """
        glance = await self._desk.glance(table_id)
        if glance.table.status is not Status.FINISHED:
            raise WrongStage(say("The game at table #{n} is not over.", n=table_id))
        if glance.seat_of(user.id) is None:
            raise NotSeated(say("You did not play at table #{n}.", n=table_id))
        opened = await self._rematch_of(glance)
        if opened is not None:
            return await self._lobby.join(opened.table.id, user)
        table = glance.table
        around = [User(p.user_id, p.name) for p in (*glance.players[1:], *glance.players[:1]) if p.user_id > 0]
        place = next(i for i, player in enumerate(around) if player.id == user.id)
        async with self._desk.store.read() as reader:
            server = ServerSettings.of(await reader.server(table.guild_id))
        opened = await self._lobby.open(
            user,
            Opening(
                guild_id=table.guild_id, channel_id=table.thread_id or table.channel_id, game=table.game,
                variant=table.variant, options=table.options, seats=len(glance.players), clock=table.clock,
                private=table.private, opponents=[player for player in around if player.id != user.id], place=place,
                most_tables=server.most_tables,
            ),
        )  # fmt: skip
        async with self._desk.table(table_id) as (writer, glance):
            outcome = glance.table.outcome or {}
            first = outcome.get("rematch")
            if first is None:
                await writer.change_table(table_id, outcome=outcome | {"rematch": opened.table.id})
                await self._desk.tell(writer, opened.table.id, "opening")
        if first is None:
            return opened
        await self._lobby.close(opened.table.id)  # somebody else opened one at the same moment
        return await self._lobby.join(first, user)

    async def _rematch_of(self, glance: Glance) -> Glance | None:
        """The table that is open for a rematch of this game, or has been played, unless it was closed."""
        number = (glance.table.outcome or {}).get("rematch")
        if number is None:
            return None
        opened = await self._desk.glance(number)
        return None if opened.table.status is Status.CLOSED else opened

    async def _offer(self, writer: Writer, glance: Glance, kind: str, offer: object) -> Glance:
        offers = {name: standing for name, standing in glance.table.offers.items() if name != kind}
        if offer is not None:
            offers[kind] = offer
        return replace(glance, table=await writer.change_table(glance.table.id, offers=offers))


def no_such_offer() -> Refused:
    """The error for an answer that comes too late."""
    return Refused(say("There is no such offer any more."))


def _standing(glance: Glance, kind: str) -> dict[str, Any] | None:
    """An offer that was made on the present board."""
    offer: dict[str, Any] | None = glance.table.offers.get(kind)
    return offer if offer is not None and offer["version"] == glance.table.version else None


def _undoable(glance: Glance, seat: int) -> Text:
    """What would be undone for a seat, in words. Raises Refused if there is nothing, or it may not be."""
    record = glance.playing
    if not record.in_force:
        raise Refused(say("Nothing has been played that could be taken back."))
    last = record.in_force[-1]
    if last.entry.kind is not EntryKind.PLAY or last.entry.seat != seat or last.entry.user_id is None:
        raise Refused(say("Only your own action can be taken back, as long as nobody has acted after you."))
    before = record.in_force[-2].state if len(record.in_force) > 1 else record.first
    if not record.game.reversible(before, last.entry.tokens, Step(last.state, last.events)):
        raise Refused(say("{action} cannot be taken back: something was drawn, or came to light.", action=plain(last.notation)))
    return say("{who}: {action}", who=seat_name(seat), action=plain(last.notation))


def _just_left(record: Record, seat: int) -> bool:
    """Whether the last thing that happened is that this seat was left."""
    if not record.in_force:
        return False
    last = record.in_force[-1].entry
    return last.kind is EntryKind.WITHDRAW and last.seat == seat and record.log[-1].entry.number == last.number
