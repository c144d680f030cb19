"""During a game: actions, resignations, offers of a draw."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.sessions.errors import BadAction, NotYourTurn, Refused, Stale, WrongStage
from bot.sessions.history import Record
from bot.sessions.repository import Desk
from bot.sessions.snapshot import Glance, User
from bot.sessions.turns import changed
from engines.game import Event, IllegalAction
from engines.text import Text, join, plain, say, seat_name
from storage.records import Entry, EntryKind, SeatStatus, Status
from storage.store import Conflict, Repeated, Writer


@dataclass(frozen=True, slots=True)
class Played:
    """What an action led to.

    Attributes:
        glance: the table after it.
        events: what happened, as far as the one who acted may know.
        repeated: whether this very click or command had been carried out before; then nothing was done now.
    """

    glance: Glance
    events: tuple[Event, ...]
    repeated: bool = False


class Play:
    """What may be done at a table whose game is on."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def act(
        self,
        table_id: int,
        user: User,
        action: str | Sequence[str],
        *,
        version: int | None = None,
        interaction_id: int | None = None,
    ) -> Played:
        """Play an action: tokens, or text as somebody typed it.

        Args:
            table_id: the table.
            user: who acts.
            action: what they do.
            version: the version of the board that the action was chosen on; None for the present one.
            interaction_id: the click or command; the same one is carried out only once.

        Raises:
            NoSuchTable, WrongStage, NotSeated, NotYourTurn: it is not theirs to act.
            Stale: the board is no longer the one the action was chosen on.
            BadAction: the rules do not allow it.
        """
        try:
            async with self._desk.table(table_id) as (writer, glance):
                repeated = await self._repeated(writer, glance, interaction_id)
                if repeated is not None:
                    return repeated
                seat, record = self._seat_to_act(glance, user)
                if version is not None and version != glance.table.version:
                    raise Stale(say("The board has moved on since. Here is the present one."))
                tokens = _tokens(glance, seat, action)
                entry = self._entry(glance, EntryKind.PLAY, seat, user, interaction_id, tokens)
                record = record.extended(entry)
                await writer.append(entry)
                glance = await self._lapsed(writer, glance, seat)
                glance = await changed(self._desk, writer, glance, record)
        except Conflict as error:
            raise Stale(say("The board has moved on since. Here is the present one.")) from error
        except Repeated:
            return Played(await self._desk.glance(table_id), (), repeated=True)
        self._desk.keep(table_id, record)
        events = tuple(event for event in record.log[-1].events if event.known_to(seat))
        return Played(glance, events)

    async def resign(self, table_id: int, user: User, interaction_id: int | None = None) -> Played:
        """Give the game up. Raises NotSeated or WrongStage."""
        return await self._withdraw(table_id, user, interaction_id)

    async def _withdraw(self, table_id: int, user: User, interaction_id: int | None) -> Played:
        try:
            async with self._desk.table(table_id) as (writer, glance):
                repeated = await self._repeated(writer, glance, interaction_id)
                if repeated is not None:
                    return repeated
                glance.require(Status.PLAYING)
                seat = still_in(glance, user)
                record = glance.playing
                entry = self._entry(glance, EntryKind.WITHDRAW, seat, user, interaction_id, ("resigned",))
                record = record.extended(entry)
                await writer.append(entry)
                glance = await changed(self._desk, writer, glance, record)
        except Repeated:
            return Played(await self._desk.glance(table_id), (), repeated=True)
        self._desk.keep(table_id, record)
        return Played(glance, record.log[-1].events)

    async def draw(self, table_id: int, user: User, *, answering: bool = False) -> tuple[Glance, bool]:
        """Offer a draw, or agree to the one that is offered; if `answering`, only the latter.

        Gives the table, and whether the game is drawn now: it is when everybody who is still in it has agreed. An offer lapses
        when somebody else acts. Raises Refused if there is nobody to agree with, or no offer any more.
        """
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            seat = still_in(glance, user)
            if answering and "draw" not in glance.table.offers:
                raise Refused(say("There is no such offer any more."))
            standing = glance.table.offers.get("draw", {"by": seat, "agreed": []})
            agreed = sorted({*standing["agreed"], seat})
            present = [i for i, p in enumerate(glance.players) if p.status is SeatStatus.JOINED]
            if len(present) < 2:
                raise Refused(say("There is nobody to agree on a draw with."))
            if set(agreed) >= set(present):
                outcome = {"winners": [], "how": "agreed"}
                return await changed(self._desk, writer, glance, glance.playing, outcome), True
            offers = {**glance.table.offers, "draw": {"by": standing["by"], "agreed": agreed}}
            table = await writer.change_table(table_id, offers=offers)
            if "draw" not in glance.table.offers:
                await self._desk.tell(writer, table_id, "offer", "draw")
            return replace(glance, table=table), False

    async def refuse_draw(self, table_id: int, user: User) -> Glance:
        """Turn an offer of a draw down, or take the own one back. Raises Refused if there is none."""
        async with self._desk.table(table_id) as (writer, glance):
            glance.require(Status.PLAYING)
            still_in(glance, user)
            if "draw" not in glance.table.offers:
                raise Refused(say("No draw is on offer."))
            table = await writer.change_table(table_id, offers=_without(glance.table.offers, "draw"))
            return replace(glance, table=table)

    async def _lapsed(self, writer: Writer, glance: Glance, seat: int) -> Glance:
        """What lapses when somebody acts: their time-outs, offers of a draw that they leave unanswered, wishes to undo."""
        player = glance.players[seat]
        if player.timeouts:
            present = replace(player, timeouts=0)
            await writer.put_seat(present)
            glance = replace(glance, people=tuple(present if p is player else p for p in glance.people))
        offers = {
            kind: offer
            for kind, offer in glance.table.offers.items()
            if kind != "undo" and not (kind == "draw" and offer["by"] != seat)
        }
        if offers == glance.table.offers:
            return glance
        return replace(glance, table=await writer.change_table(glance.table.id, offers=offers))

    def _seat_to_act(self, glance: Glance, user: User) -> tuple[int, Record]:
        glance.require(Status.PLAYING)
        seat = still_in(glance, user)
        record = glance.playing
        deadline = glance.table.deadline
        if seat in record.to_act and glance.table.clock is not None and deadline is not None and deadline <= self._desk.now():
            raise WrongStage(say("Your time for this turn has run out."))
        if seat not in record.game.may_act(record.state):
            raise not_your_turn(glance)
        return seat, record

    async def _repeated(self, writer: Writer, glance: Glance, interaction_id: int | None) -> Played | None:
        if interaction_id is None or await writer.entry_by_interaction(interaction_id) is None:
            return None
        return Played(glance, (), repeated=True)

    def _entry(
        self,
        glance: Glance,
        kind: EntryKind,
        seat: int,
        user: User,
        interaction_id: int | None,
        tokens: tuple[str, ...],
    ) -> Entry:
        return Entry(
            table_id=glance.table.id, number=glance.playing.version + 1, kind=kind, seat=seat, tokens=tokens,
            user_id=user.id, interaction_id=interaction_id, at=self._desk.now(),
        )  # fmt: skip


def _tokens(glance: Glance, seat: int, action: str | Sequence[str]) -> tuple[str, ...]:
    """The action as tokens, known to be legal. Raises BadAction."""
    record = glance.playing
    tokens = record.game.parse(record.state, seat, action) if isinstance(action, str) else tuple(action)
    try:
        record.game.check(record.state, seat, tokens)
    except IllegalAction as error:
        text = error.message if isinstance(error.message, Text) else plain(error.message)
        raise BadAction(text, tuple(choice.token for choice in error.possible), glance.names) from error
    return tokens


def still_in(glance: Glance, user: User) -> int:
    """The seat of somebody who plays and has not left the game. Raises NotSeated or Refused."""
    seat = glance.own_seat(user.id)
    if glance.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You have left this game."))
    return seat


def not_your_turn(glance: Glance) -> NotYourTurn:
    """The error for somebody who acts while others are waited for."""
    awaited = join([seat_name(seat) for seat in glance.playing.to_act], ", ")
    return NotYourTurn(say("It is not your turn: {who} is to act.", who=awaited), glance.names)


def _without(offers: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: offer for name, offer in offers.items() if name != kind}
