"""A database with a table in every state that Ann, Ben, Cleo and Dev can bring one to, by what they may do and nothing else."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from bot.sessions import Sessions, Snapshot, TableRequest, User
from bot.sessions.core.questions import QuestionKind
from bot.sessions.outbox import Posted
from bot.sessions.record.errors import SessionError
from engines.game import legal_actions
from storage import queries
from storage.schema.records import Grace, Level, OfferKind, Status, WatchFor
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, press
from tests.bot.sessions.seated_computers import thought
from tests.engines.contract_games import random_action

PRESSES: Final = 5_000_000
"""Interactions from this one on are words that are mixed into the dice."""

BOUNCERS: Final = TableRequest(guild_id=10, channel_id=20, game="bouncers", clock=int(DAY), most_tables=100)
DICE: Final = replace(BOUNCERS, game="trampoline", seats=3, clock=3 * int(DAY))
PUCKS: Final = replace(BOUNCERS, game="pucks", seats=4, options={"setup": "random"})
PRIVATE: Final = replace(PUCKS, private=True, opponents=(BEN, CLEO), seats=None)


@dataclass(frozen=True, slots=True)
class Life:
    """Those four, and the time in which they play.

    Attributes:
        sessions: the service.
        clock: its clock.
    """

    sessions: Sessions
    clock: Time

    async def opened(self, request: TableRequest, *others: int) -> int:
        """The number of a table that Ann opens, and these others sit down at."""
        self.clock.pass_(HOUR)
        snapshot = await self.sessions.lobby.open(ANN, request)
        for user_id in others:
            await self.sessions.lobby.join(
                snapshot.table.id, PEOPLE[user_id], PRESSES + press(snapshot, PEOPLE[user_id]), "luck"
            )
        return snapshot.table.id

    async def played(self, table_id: int, actions: int = 4) -> Snapshot:
        """A table after so many actions of people, and what computers play meanwhile."""
        for _ in range(actions):
            await self.think(table_id)
            snapshot = await self.sessions.snapshot(table_id)
            if snapshot.table.status is not Status.PLAYING:
                break
            seat = snapshot.playing.to_act[0]
            user = PEOPLE.get(snapshot.players[seat].user_id)
            if user is None:
                break
            self.clock.pass_(1.0)
            await self.sessions.play.act(table_id, user, first_action(snapshot))
        return await self.sessions.snapshot(table_id)

    async def think(self, table_id: int) -> None:
        """Have the computers at a table answer all that they are asked."""
        for _ in range(20):
            async with self.sessions._repository.store.read() as reader:
                row = await queries.thinking.get(reader, table_id)
            if row is None:
                return
            self.clock.now = max(self.clock.now, row.due)
            question = await self.sessions.computers.question(table_id)
            if question is not None:
                plays = question.kind is QuestionKind.MOVE
                await self.sessions.computers.answer(question, thought(question) if plays else None)

    async def awaits(self, table_id: int, user_id: int) -> Snapshot:
        """A table at which this person is waited for."""
        snapshot = await self.sessions.snapshot(table_id)
        while user_id not in {player.user_id for player in snapshot.awaited}:
            snapshot = await self.played(table_id, 1)
        return snapshot


async def _open(life: Life) -> None:
    await life.opened(DICE, BEN.id)


async def _invited(life: Life) -> None:
    table_id = await life.opened(replace(PRIVATE, opponents=(BEN, CLEO, DEV)), CLEO.id)
    await life.sessions.lobby.decline(table_id, DEV)
    await life.sessions.watching.watch(table_id, BEN, WatchFor.END)


async def _waiting_with_a_computer(life: Life) -> None:
    table_id = await life.opened(DICE)
    await life.sessions.computers.add(table_id, ANN, Level.EASY, PRESSES + 1)


async def _left_before_it_began(life: Life) -> None:
    table_id = await life.opened(PRIVATE, BEN.id)
    await life.sessions.watching.watch(table_id, BEN, WatchFor.TURN)
    await life.sessions.lobby.leave(table_id, BEN)
    await life.sessions.lobby.close(await life.opened(BOUNCERS))


async def _started_without_the_invited(life: Life) -> None:
    table_id = await life.opened(replace(PRIVATE, opponents=(BEN, CLEO, DEV)), BEN.id, CLEO.id)
    await life.sessions.watching.watch(table_id, DEV, WatchFor.TURN)
    await life.sessions.lobby.start(table_id, ANN, PRESSES + 2)


async def _planned(life: Life) -> None:
    table_id = await life.opened(BOUNCERS, BEN.id)
    await life.played(table_id, 3)
    waiting = (await life.sessions.snapshot(table_id)).playing
    theirs = next(iter(legal_actions(waiting.game, waiting.state, 1)))
    mine = next(iter(legal_actions(waiting.game, waiting.game.play(waiting.state, 1, theirs).state, 0)))
    await life.sessions.plans.add_reply(table_id, ANN, 0, (), theirs, mine)
    await life.sessions.watching.watch(table_id, DEV, WatchFor.TURN)


async def _planned_and_taken_back(life: Life) -> None:
    table_id = await life.opened(BOUNCERS, BEN.id)
    before = (await life.played(table_id, 2)).playing
    mine = next(iter(legal_actions(before.game, before.state, 0)))
    after = before.game.play(before.state, 0, mine).state
    theirs = next(iter(legal_actions(before.game, after, 1)))
    await life.sessions.plans.add_reply(table_id, BEN, 0, (), mine, theirs)
    await life.sessions.play.act(table_id, ANN, mine)
    await life.sessions.consent.undo(table_id, ANN)
    await life.sessions.consent.undo(table_id, BEN, answering=True)


async def _orders(life: Life) -> None:
    table_id = await life.opened(PUCKS, BEN.id, CLEO.id, DEV.id)
    for user in (BEN, CLEO, DEV):
        await life.sessions.plans.add_order(table_id, user, None, ("pass", "otherwise"))
    await life.played(table_id, 3)
    await life.sessions.play.resign(table_id, DEV)


async def _on_offer(life: Life) -> None:
    for user in (ANN, BEN):
        table_id = await life.opened(BOUNCERS, BEN.id)
        await life.awaits(table_id, user.id)
        await life.sessions.play.act(table_id, user, first_action(await life.sessions.snapshot(table_id)))
        await life.sessions.consent.undo(table_id, user)
        await life.sessions.play.draw(table_id, user)


async def _seat_on_offer(life: Life) -> int:
    table_id = await life.opened(PRIVATE, BEN.id, CLEO.id)
    await life.played(table_id, 2)
    life.clock.pass_(HOUR)
    await life.sessions.consent.hand_over(table_id, CLEO, CLEO.id, DEV)
    await life.sessions.watching.watch(table_id, DEV, WatchFor.TURN)
    return table_id


async def _seat_offered_in_vain(life: Life) -> None:
    table_id = await _seat_on_offer(life)
    await life.sessions.consent.refuse(table_id, DEV, OfferKind.SUBSTITUTE)
    await life.sessions.moderation.close(await _seat_on_offer(life), 10, DEV)


async def _seat_that_changed_hands(life: Life) -> None:
    public = await life.opened(replace(PUCKS, seats=3), BEN.id, CLEO.id)
    await life.sessions.play.resign(public, CLEO)
    await life.sessions.consent.hand_over(public, ANN, CLEO.id, DEV)
    for table_id in (public, await _seat_on_offer(life)):
        await life.sessions.watching.watch(table_id, CLEO, WatchFor.END)
        await life.sessions.consent.take_over(table_id, DEV)
    table_id = await _seat_on_offer(life)
    await life.sessions.consent.take_over(table_id, DEV)
    await life.played(table_id, 2)
    await life.sessions.play.resign(table_id, BEN)
    await life.sessions.play.resign(table_id, ANN)


async def _computer_in_a_seat_that_was_left(life: Life) -> None:
    table_id = await _seat_on_offer(life)
    await life.sessions.consent.refuse(table_id, CLEO, OfferKind.SUBSTITUTE)
    await life.sessions.play.resign(table_id, CLEO)
    await life.sessions.consent.hand_over(table_id, ANN, CLEO.id, DEV)
    await life.sessions.watching.watch(table_id, DEV, WatchFor.TURN)
    await life.sessions.relieving.propose(table_id, ANN, CLEO.id, Level.EASY)
    await life.sessions.relieving.agree(table_id, BEN)


async def _with_computers(life: Life) -> None:
    for request in (BOUNCERS, replace(PUCKS, seats=3)):
        table_id = await life.opened(
            replace(request, opponents=(), computers=(Level.EASY, Level.HARD)[: (request.seats or 2) - 1])
        )
        snapshot = await life.played(table_id, 2)
        await life.sessions.hints.count(table_id, ANN.id, snapshot.table.version)
    table_id = await life.opened(replace(BOUNCERS, computers=(Level.EASY,)))
    await life.played(table_id, 1)
    await life.sessions.play.resign(table_id, ANN)
    table_id = await life.opened(replace(DICE, opponents=(BEN,), computers=(Level.EASY,)), BEN.id)
    await life.played(table_id, 2)
    for user in (ANN, BEN):
        await life.sessions.play.resign(table_id, user)


async def _removed(life: Life) -> None:
    table_id = await life.opened(DICE, BEN.id, CLEO.id)
    await life.sessions.watching.watch(table_id, BEN, WatchFor.TURN)
    await life.sessions.moderation.remove(table_id, 10, BEN, DEV)


async def _over(life: Life) -> None:
    """Games that ended in every way, with reviews, rematches and those who had watched them."""
    for request, others in ((BOUNCERS, (BEN,)), (replace(DICE, private=True, opponents=(BEN, CLEO)), (BEN, CLEO))):
        table_id = await life.opened(request, *(user.id for user in others))
        await life.sessions.watching.watch(table_id, DEV if request is BOUNCERS else CLEO, WatchFor.END)
        await life.played(table_id, 5)
        for user in others:
            await life.sessions.play.resign(table_id, user)
        snapshot = await life.sessions.snapshot(table_id)
        await life.sessions.reviews.ask(snapshot)
        inquiry = await life.sessions.reviews.inquiry(table_id)
        assert inquiry is not None
        await life.sessions.reviews.note_answer(inquiry, None)
        await life.sessions.consent.rematch(table_id, others[0])
    drawn = await life.opened(BOUNCERS, BEN.id)
    await life.played(drawn, 2)
    for user in (ANN, BEN):
        await life.sessions.play.draw(drawn, user)
    closed = await life.opened(BOUNCERS, BEN.id)
    await life.played(closed, 1)
    await life.sessions.moderation.close(closed, 10, DEV)


async def _set_aside_and_closed(life: Life, table_id: int) -> None:
    async with life.sessions._repository.store.write() as writer:
        await queries.quarantine.put(writer, table_id, "for a reason")
    life.sessions._repository.drop(table_id)
    await life.sessions.quarantine.close(table_id, 10)
    assert await life.sessions.quarantine.release(table_id) is None


async def _closed_with_a_seat_on_offer(life: Life) -> None:
    await _set_aside_and_closed(life, await _seat_on_offer(life))


async def _closed_in_its_grace(life: Life) -> None:
    table_id = await life.opened(BOUNCERS, BEN.id)
    while (await life.sessions.snapshot(table_id)).table.grace is not Grace.RUNNING:
        life.clock.pass_(HOUR)
        await life.sessions.timing.sweep()
    await _set_aside_and_closed(life, table_id)


STATES: Final[tuple[Callable[[Life], Awaitable[object]], ...]] = (
    _open, _invited, _waiting_with_a_computer, _left_before_it_began, _started_without_the_invited, _planned,
    _planned_and_taken_back, _orders, _on_offer, _seat_on_offer, _seat_offered_in_vain, _seat_that_changed_hands,
    _computer_in_a_seat_that_was_left, _with_computers, _removed, _over, _closed_with_a_seat_on_offer,
    _closed_in_its_grace,
)  # fmt: skip


async def lived(life: Life) -> None:
    """Bring tables to every state. At the end some people are late, one is on vacation, and reminders are to be sent."""
    for user in (ANN, BEN):
        await life.sessions.users.change(user.id, quiet_from=60, quiet_until=120, zone="Europe/Berlin", language="de")
        await life.sessions.users.note_lesson(user.id, "bouncers", "captures", "bounce")
    await life.sessions.users.begin_vacation(CLEO.id, 2)
    for bring in STATES:
        await bring(life)
    life.clock.pass_(DAY)
    await life.sessions.timing.sweep()


async def lived_on(life: Life, days: int = 70) -> None:
    """Let so many days pass after that, in which nobody does anything but computers."""
    for _ in range(days):
        life.clock.pass_(DAY)
        await life.sessions.timing.sweep()
        for table_id in await life.sessions.computers.due():
            await life.think(table_id)


class AtRandom:
    """People who do whatever they can think of, most of which is refused.

    Args:
        life: where.
        dice: what they decide with.
    """

    def __init__(self, life: Life, dice: Random) -> None:
        self._life, self._sessions, self._dice = life, life.sessions, dice

    async def do(self, times: int) -> None:
        """Have somebody do something, so many times."""
        for _ in range(times):
            self._life.clock.pass_(self._dice.choice((1.0, 1.0, 60.0, HOUR, DAY / 3)))
            user = self._dice.choice((ANN, BEN, CLEO, DEV))
            tables = [table.id for table in await self._sessions.tables(guild_id=10, limit=100)]
            if len(tables) < 6:
                await self._open(user)
                continue
            what = self._dice.choice((self._act, self._act, self._act, self._act, self._change, self._before, self._beside))
            with suppress(SessionError):
                await what(self._dice.choice(tables), user)
            await self._sessions.timing.sweep()

    async def _open(self, user: User) -> None:
        others = self._dice.sample([one for one in (ANN, BEN, CLEO, DEV) if one != user], self._dice.randint(1, 3))
        game = self._dice.choice(("bouncers", "bunny", "trampoline", "pucks"))
        people = others if game in {"trampoline", "pucks"} else others[:1]
        request = TableRequest(
            guild_id=10, channel_id=20, game=game, clock=self._dice.choice((None, int(HOUR), int(DAY))), opponents=people,
            private=self._dice.random() < 0.5, options={"setup": "random"} if game == "pucks" else {}, most_tables=100,
        )  # fmt: skip
        with suppress(SessionError):
            table_id = (await self._sessions.lobby.open(user, request)).table.id
            for other in people:
                await self._sessions.lobby.join(table_id, other, PRESSES + 1000 * table_id + other.id, "luck")

    async def _act(self, table_id: int, _user: User) -> None:
        """Play, as those who are awaited, with what closes a turn; and what computers play. The board is shown then."""
        sessions, dice = self._sessions, self._dice
        for _ in range(dice.randint(1, 4)):
            await self._life.think(table_id)
            snapshot = await sessions.snapshot(table_id)
            awaited = [PEOPLE[player.user_id] for player in snapshot.awaited if player.user_id in PEOPLE]
            if not awaited:
                return
            who, history = dice.choice(awaited), snapshot.playing
            action = random_action(history.game, history.state, snapshot.own_seat(who.id), dice)
            pressed = PRESSES + 10**6 + 1000 * table_id + snapshot.table.version
            snapshot = (
                await sessions.play.act(table_id, who, action, interaction_id=pressed, closing=dice.random() < 0.5)
            ).snapshot
        version, turn = snapshot.table.version, snapshot.table.turn
        board = Posted(channel_id=20, message_id=10**6 + version, version=version, since=version - 1, turn=turn, at=1.0)
        await sessions.outbox.record_board(table_id, board)

    async def _change(self, table_id: int, user: User) -> None:
        """Take back, agree, offer, leave, hand over."""
        sessions, dice = self._sessions, self._dice
        other = dice.choice((ANN, BEN, CLEO, DEV))
        await dice.choice((
            lambda: sessions.consent.undo(table_id, user),
            lambda: sessions.consent.undo(table_id, user, answering=True),
            lambda: sessions.play.draw(table_id, user),
            lambda: sessions.play.resign(table_id, user),
            lambda: sessions.consent.hand_over(table_id, user, user.id, other),
            lambda: sessions.consent.hand_over(table_id, user, other.id, dice.choice((ANN, BEN, CLEO, DEV))),
            lambda: sessions.consent.take_over(table_id, user),
            lambda: sessions.consent.refuse(table_id, user, dice.choice(list(OfferKind))),
            lambda: sessions.relieving.propose(table_id, user, other.id, Level.EASY),
            lambda: sessions.relieving.agree(table_id, user),
            lambda: sessions.moderation.remove(table_id, 10, other, user),
            lambda: sessions.moderation.close(table_id, 10, user),
        ))()  # fmt: skip

    async def _before(self, table_id: int, user: User) -> None:
        """Sit down, leave, begin, and seat computers."""
        sessions, dice = self._sessions, self._dice
        await dice.choice((
            lambda: sessions.lobby.join(table_id, user),
            lambda: sessions.lobby.decline(table_id, user),
            lambda: sessions.lobby.leave(table_id, user),
            lambda: sessions.lobby.start(table_id, user),
            lambda: sessions.computers.add(table_id, user, Level.EASY),
        ))()  # fmt: skip

    async def _beside(self, table_id: int, user: User) -> None:
        """Watch, plan, nudge, go on vacation, look back; have a table set aside; or be forgotten, which is rare."""
        sessions, dice = self._sessions, self._dice
        finished = await sessions.tables(guild_id=10, statuses=(Status.FINISHED,), limit=100)
        over = dice.choice(finished).id if finished else table_id

        async def replied() -> None:
            snapshot = await sessions.snapshot(table_id)
            history, seat = snapshot.playing, snapshot.own_seat(user.id)
            theirs = random_action(history.game, history.state, history.to_act[0], dice)
            after = history.game.play(history.state, history.to_act[0], theirs).state
            if seat in history.game.to_act(after):
                mine = random_action(history.game, after, seat, dice)
                await sessions.plans.add_reply(table_id, user, None, (), theirs, mine)

        async def put_aside() -> None:
            async with sessions._repository.store.write() as writer:
                await queries.quarantine.put(writer, table_id, "for a reason")
            sessions._repository.drop(table_id)
            if dice.random() < 0.3:
                await sessions.quarantine.close(table_id, 10)
            await sessions.quarantine.release(table_id)

        async def looked_back() -> None:
            await sessions.reviews.ask(await sessions.snapshot(over))

        async def forgotten() -> None:
            if dice.random() < 0.1:
                await sessions.users.forget(user)

        await dice.choice((
            lambda: sessions.watching.watch(table_id, user, dice.choice(list(WatchFor))),
            lambda: sessions.watching.watch(table_id, user, dice.choice(list(WatchFor))),
            replied,
            lambda: sessions.plans.add_order(table_id, user, None, ("pass", "otherwise")),
            lambda: sessions.consent.nudge(table_id, user),
            lambda: sessions.consent.rematch(over, user),
            lambda: sessions.users.begin_vacation(user.id, 2),
            put_aside,
            looked_back,
            forgotten,
        ))()  # fmt: skip
