"""A database with a table in every state that Ann, Ben, Cleo and Dev can legally bring about."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.jobs import Outbox, Posted, Shown
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.quarantine import Quarantine
from bot.core.table.errors import SessionError
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.computers import sql as computers_sql
from bot.features.computers.questions import QuestionKind
from bot.features.computers.service import Computers
from bot.features.lessons.service import Lessons
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.plans.service import Plans
from bot.features.playing.hints import Hints
from bot.features.privacy.service import Privacy
from bot.features.reviews.service import Reviews
from bot.features.settings.moderation import Moderation
from bot.features.watching.service import Watching
from engines.game import legal_actions
from storage import queries
from storage.schema.records import Grace, JobKind, Level, OfferKind, Question, Status, WatchFor
from tests.bot.features.computers.seated_computers import thought
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, press
from tests.engines.contract_games import random_action

PRESSES: Final = 5_000_000
"""The first interaction id whose words are mixed into the dice."""
BOUNCERS: Final = TableRequest(guild_id=10, channel_id=20, game="bouncers", clock=int(DAY), most_tables=100)
DICE: Final = replace(BOUNCERS, game="trampoline", seats=3, clock=3 * int(DAY))
PUCKS: Final = replace(BOUNCERS, game="pucks", seats=4, options={"setup": "random"})
PRIVATE: Final = replace(PUCKS, private=True, opponents=(BEN, CLEO), seats=None)


@dataclass(frozen=True, slots=True)
class Club:
    """Ann, Ben, Cleo and Dev at the tables of one server."""

    core: Core
    clock: Time

    async def opened(self, request: TableRequest, *others: int) -> int:
        """Ann opens a table, and the others sit down."""
        self.clock.pass_(HOUR)
        snapshot = await self.core.service(Lobby).open(ANN, request)
        for user_id in others:
            await self.core.service(Lobby).join(
                snapshot.table.id, PEOPLE[user_id], PRESSES + press(snapshot, PEOPLE[user_id]), "luck"
            )
        return snapshot.table.id

    async def asked(self, table_id: int) -> None:
        """Record the messages of a table's offers and invitation as posted."""
        jobs, _ = await self.core.service(Outbox).at_table(table_id)
        for job in jobs:
            if job.kind in {JobKind.OFFER, JobKind.INVITATION}:
                offer = OfferKind(job.key) if job.kind is JobKind.OFFER else None
                question = Question(offer=offer, channel_id=20, message_id=9_000_000 + job.id)
                await self.core.service(Outbox).finish(job, Shown(questions=(question,)))

    async def played(self, table_id: int, actions: int = 4) -> Snapshot:
        """The table after so many actions by people, with the computers' replies."""
        for _ in range(actions):
            await self.think(table_id)
            snapshot = await self.core.snapshot(table_id)
            if snapshot.table.status is not Status.PLAYING:
                break
            player = snapshot.players[snapshot.playing.to_act[0]]
            if player.computer is not None:
                break
            self.clock.pass_(1.0)
            await self.core.service(Play).act(table_id, User(player.user_id, player.name), first_action(snapshot))
        return await self.core.snapshot(table_id)

    async def think(self, table_id: int) -> None:
        """Have a table's computers answer everything they are asked."""
        for _ in range(20):
            async with self.core.store.read() as reader:
                row = await computers_sql.get(reader, table_id)
            if row is None:
                return
            self.clock.now = max(self.clock.now, row.due)
            question = await self.core.service(Computers).question(table_id)
            if question is not None:
                plays = question.kind is QuestionKind.MOVE
                await self.core.service(Computers).answer(question, thought(question) if plays else None)

    async def awaits(self, table_id: int, user_id: int) -> Snapshot:
        snapshot = await self.core.snapshot(table_id)
        while user_id not in {player.user_id for player in snapshot.awaited}:
            snapshot = await self.played(table_id, 1)
        return snapshot


async def _open(club: Club) -> None:
    await club.opened(DICE, BEN.id)


async def _invited(club: Club) -> None:
    table_id = await club.opened(replace(PRIVATE, opponents=(BEN, CLEO, DEV)), CLEO.id)
    await club.core.service(Lobby).decline(table_id, DEV)
    await club.core.service(Watching).watch(table_id, BEN, WatchFor.END)
    await club.asked(table_id)


async def _waiting_with_a_computer(club: Club) -> None:
    table_id = await club.opened(DICE)
    await club.core.service(Computers).add(table_id, ANN, Level.EASY, PRESSES + 1)


async def _left_before_it_began(club: Club) -> None:
    table_id = await club.opened(PRIVATE, BEN.id)
    await club.core.service(Watching).watch(table_id, BEN, WatchFor.TURN)
    await club.core.service(Lobby).leave(table_id, BEN)
    await club.core.service(Lobby).close(await club.opened(BOUNCERS))


async def _started_without_the_invited(club: Club) -> None:
    table_id = await club.opened(replace(PRIVATE, opponents=(BEN, CLEO, DEV)), BEN.id, CLEO.id)
    await club.core.service(Watching).watch(table_id, DEV, WatchFor.TURN)
    await club.core.service(Lobby).start(table_id, ANN, PRESSES + 2)


async def _planned(club: Club) -> None:
    table_id = await club.opened(BOUNCERS, BEN.id)
    await club.played(table_id, 3)
    waiting = (await club.core.snapshot(table_id)).playing
    theirs = next(iter(legal_actions(waiting.game, waiting.state, 1)))
    mine = next(iter(legal_actions(waiting.game, waiting.game.play(waiting.state, 1, theirs).state, 0)))
    await club.core.service(Plans).add_reply(table_id, ANN, 0, (), theirs, mine)
    await club.core.service(Watching).watch(table_id, DEV, WatchFor.TURN)


async def _planned_and_taken_back(club: Club) -> None:
    table_id = await club.opened(BOUNCERS, BEN.id)
    before = (await club.played(table_id, 2)).playing
    mine = next(iter(legal_actions(before.game, before.state, 0)))
    theirs = next(iter(legal_actions(before.game, before.game.play(before.state, 0, mine).state, 1)))
    await club.core.service(Plans).add_reply(table_id, BEN, 0, (), mine, theirs)
    await club.core.service(Play).act(table_id, ANN, mine)
    await club.core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    await club.core.service(Consent).agree(table_id, BEN, OfferKind.UNDO)


async def _orders(club: Club) -> None:
    table_id = await club.opened(PUCKS, BEN.id, CLEO.id, DEV.id)
    for user in (BEN, CLEO, DEV):
        await club.core.service(Plans).add_order(table_id, user, None, ("pass", "otherwise"))
    await club.played(table_id, 3)
    await club.core.service(Play).resign(table_id, DEV)


async def _on_offer(club: Club) -> None:
    for user in (ANN, BEN):
        table_id = await club.opened(BOUNCERS, BEN.id)
        await club.awaits(table_id, user.id)
        await club.core.service(Play).act(table_id, user, first_action(await club.core.snapshot(table_id)))
        await club.core.service(Consent).propose(table_id, user, OfferKind.UNDO)
        await club.core.service(Consent).propose(table_id, user, OfferKind.DRAW)
        await club.core.service(Consent).propose(table_id, user, OfferKind.CALL_OFF)
        await club.asked(table_id)


async def _called_off(club: Club) -> None:
    for request in (BOUNCERS, PRIVATE):
        table_id = await club.opened(request, BEN.id, *((CLEO.id,) if request is PRIVATE else ()))
        await club.played(table_id, 1)
        snapshot = await club.core.snapshot(table_id)
        for player in snapshot.players:
            await club.core.service(Consent).propose(table_id, User(player.user_id, player.name), OfferKind.CALL_OFF)


async def _seat_on_offer(club: Club) -> int:
    table_id = await club.opened(PRIVATE, BEN.id, CLEO.id)
    await club.played(table_id, 2)
    club.clock.pass_(HOUR)
    await club.core.service(Consent).propose(table_id, CLEO, OfferKind.SUBSTITUTE, Seating(CLEO.id, DEV))
    await club.core.service(Watching).watch(table_id, DEV, WatchFor.TURN)
    await club.asked(table_id)
    return table_id


async def _seat_offered_in_vain(club: Club) -> None:
    table_id = await _seat_on_offer(club)
    await club.core.service(Consent).refuse(table_id, DEV, OfferKind.SUBSTITUTE)
    await club.core.service(Moderation).close(await _seat_on_offer(club), 10, DEV)


async def _seat_that_changed_hands(club: Club) -> None:
    public = await club.opened(replace(PUCKS, seats=3), BEN.id, CLEO.id)
    await club.core.service(Play).resign(public, CLEO)
    await club.core.service(Consent).propose(public, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, DEV))
    for table_id in (public, await _seat_on_offer(club)):
        await club.core.service(Watching).watch(table_id, CLEO, WatchFor.END)
        await club.core.service(Consent).agree(table_id, DEV, OfferKind.SUBSTITUTE)
    table_id = await _seat_on_offer(club)
    await club.core.service(Consent).agree(table_id, DEV, OfferKind.SUBSTITUTE)
    await club.played(table_id, 2)
    await club.core.service(Play).resign(table_id, BEN)
    await club.core.service(Play).resign(table_id, ANN)


async def _computer_in_a_seat_that_was_left(club: Club) -> None:
    table_id = await _seat_on_offer(club)
    await club.core.service(Consent).refuse(table_id, CLEO, OfferKind.SUBSTITUTE)
    await club.core.service(Play).resign(table_id, CLEO)
    await club.core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, DEV))
    await club.core.service(Watching).watch(table_id, DEV, WatchFor.TURN)
    await club.core.service(Consent).propose(table_id, ANN, OfferKind.COMPUTER, Seating(CLEO.id, Level.EASY))
    await club.core.service(Consent).agree(table_id, BEN, OfferKind.COMPUTER)


async def _with_computers(club: Club) -> None:
    for request in (BOUNCERS, replace(PUCKS, seats=3)):
        table_id = await club.opened(
            replace(request, opponents=(), computers=(Level.EASY, Level.HARD)[: (request.seats or 2) - 1])
        )
        snapshot = await club.played(table_id, 2)
        await club.core.service(Hints).count(table_id, ANN.id, snapshot.table.version)
    table_id = await club.opened(replace(BOUNCERS, computers=(Level.EASY,)))
    await club.played(table_id, 1)
    await club.core.service(Play).resign(table_id, ANN)
    table_id = await club.opened(replace(DICE, opponents=(BEN,), computers=(Level.EASY,)), BEN.id)
    await club.played(table_id, 2)
    for user in (ANN, BEN):
        await club.core.service(Play).resign(table_id, user)


async def _removed(club: Club) -> None:
    table_id = await club.opened(DICE, BEN.id, CLEO.id)
    await club.core.service(Watching).watch(table_id, BEN, WatchFor.TURN)
    await club.core.service(Moderation).remove(table_id, 10, BEN, DEV)


async def _over(club: Club) -> None:
    """Games that ended in every way, with reviews, rematches and former watchers."""
    for request, others in ((BOUNCERS, (BEN,)), (replace(DICE, private=True, opponents=(BEN, CLEO)), (BEN, CLEO))):
        table_id = await club.opened(request, *(user.id for user in others))
        await club.core.service(Watching).watch(table_id, DEV if request is BOUNCERS else CLEO, WatchFor.END)
        await club.played(table_id, 5)
        for user in others:
            await club.core.service(Play).resign(table_id, user)
        snapshot = await club.core.snapshot(table_id)
        await club.core.service(Reviews).ask(snapshot)
        inquiry = await club.core.service(Reviews).inquiry(table_id)
        assert inquiry is not None
        await club.core.service(Reviews).note_answer(inquiry, None)
        await club.core.service(Rematches).open(table_id, others[0])
    drawn = await club.opened(BOUNCERS, BEN.id)
    await club.played(drawn, 2)
    for user in (ANN, BEN):
        await club.core.service(Consent).propose(drawn, user, OfferKind.DRAW)
    closed = await club.opened(BOUNCERS, BEN.id)
    await club.played(closed, 1)
    await club.core.service(Moderation).close(closed, 10, DEV)


async def _quarantined_and_closed(club: Club, table_id: int) -> None:
    async with club.core.store.write() as writer:
        await queries.quarantine.put(writer, table_id, "for a reason")
    club.core.histories.drop(table_id)
    await club.core.service(Quarantine).close(table_id, 10)
    assert await club.core.service(Quarantine).release(table_id) is None


async def _closed_with_a_seat_on_offer(club: Club) -> None:
    await _quarantined_and_closed(club, await _seat_on_offer(club))


async def _closed_in_its_grace(club: Club) -> None:
    table_id = await club.opened(BOUNCERS, BEN.id)
    while (await club.core.snapshot(table_id)).table.grace is not Grace.RUNNING:
        club.clock.pass_(HOUR)
        await club.core.service(Timing).sweep()
    await _quarantined_and_closed(club, table_id)


STATES: Final[tuple[Callable[[Club], Awaitable[object]], ...]] = (
    _open, _invited, _waiting_with_a_computer, _left_before_it_began, _started_without_the_invited, _planned,
    _planned_and_taken_back, _orders, _on_offer, _called_off, _seat_on_offer, _seat_offered_in_vain, _seat_that_changed_hands,
    _computer_in_a_seat_that_was_left, _with_computers, _removed, _over, _closed_with_a_seat_on_offer,
    _closed_in_its_grace,
)  # fmt: skip


async def bring_to_every_state(club: Club) -> None:
    """Bring tables to every state. In the end some people are late, one is on vacation, and reminders are due."""
    for user in (ANN, BEN):
        await club.core.service(Users).change(user.id, quiet_from=60, quiet_until=120, zone="Europe/Berlin", language="de")
        await club.core.service(Lessons).note(user.id, "bouncers", "captures", "bounce")
    await club.core.service(Users).begin_vacation(CLEO.id, 2)
    for bring in STATES:
        await bring(club)
    club.clock.pass_(DAY)
    await club.core.service(Timing).sweep()


async def let_days_pass(club: Club, days: int = 70) -> None:
    for _ in range(days):
        club.clock.pass_(DAY)
        await club.core.service(Timing).sweep()
        for table_id in await club.core.service(Computers).due():
            await club.think(table_id)


class AtRandom:
    """People who try whatever comes to mind, most of which is refused. `dice` decides."""

    def __init__(self, club: Club, dice: Random) -> None:
        self._club, self._core, self._dice = club, club.core, dice

    async def do(self, times: int) -> None:
        for _ in range(times):
            self._club.clock.pass_(self._dice.choice((1.0, 1.0, 60.0, HOUR, DAY / 3)))
            user = self._dice.choice((ANN, BEN, CLEO, DEV))
            tables = [table.id for table in await self._core.tables(guild_id=10, limit=100)]
            if len(tables) < 6:
                await self._open(user)
                continue
            what = self._dice.choice((self._act, self._act, self._act, self._act, self._change, self._before, self._beside))
            with suppress(SessionError):
                await what(self._dice.choice(tables), user)
            await self._core.service(Timing).sweep()

    async def _open(self, user: User) -> None:
        others = self._dice.sample([one for one in (ANN, BEN, CLEO, DEV) if one != user], self._dice.randint(1, 3))
        game = self._dice.choice(("bouncers", "bunny", "trampoline", "pucks"))
        people = others if game in {"trampoline", "pucks"} else others[:1]
        request = TableRequest(
            guild_id=10, channel_id=20, game=game, clock=self._dice.choice((None, int(HOUR), int(DAY))), opponents=people,
            private=self._dice.random() < 0.5, options={"setup": "random"} if game == "pucks" else {}, most_tables=100,
        )  # fmt: skip
        with suppress(SessionError):
            table_id = (await self._core.service(Lobby).open(user, request)).table.id
            for other in people:
                await self._core.service(Lobby).join(table_id, other, PRESSES + 1000 * table_id + other.id, "luck")

    async def _act(self, table_id: int, _user: User) -> None:
        """Whoever is awaited acts with an action that closes a turn, computers reply, and the board is shown."""
        core, dice = self._core, self._dice
        for _ in range(dice.randint(1, 4)):
            await self._club.think(table_id)
            snapshot = await core.snapshot(table_id)
            awaited = [PEOPLE[player.user_id] for player in snapshot.awaited if player.user_id in PEOPLE]
            if not awaited:
                return
            who, history = dice.choice(awaited), snapshot.playing
            action = random_action(history.game, history.state, snapshot.own_seat(who.id), dice)
            pressed = PRESSES + 10**6 + 1000 * table_id + snapshot.table.version
            snapshot = (
                await core.service(Play).act(table_id, who, action, interaction_id=pressed, closing=dice.random() < 0.5)
            ).snapshot
        version, turn = snapshot.table.version, snapshot.table.turn
        board = Posted(channel_id=20, message_id=10**6 + version, version=version, since=version - 1, turn=turn, at=1.0)
        await core.service(Outbox).record_board(table_id, board)

    async def _change(self, table_id: int, user: User) -> None:
        core, dice = self._core, self._dice
        other = dice.choice((ANN, BEN, CLEO, DEV))
        await dice.choice((
            lambda: core.service(Consent).propose(table_id, user, OfferKind.UNDO),
            lambda: core.service(Consent).agree(table_id, user, OfferKind.UNDO),
            lambda: core.service(Consent).propose(table_id, user, OfferKind.DRAW),
            lambda: core.service(Consent).propose(table_id, user, OfferKind.CALL_OFF),
            lambda: core.service(Play).resign(table_id, user),
            lambda: core.service(Consent).propose(table_id, user, OfferKind.SUBSTITUTE, Seating(user.id, other)),
            lambda: core.service(Consent).propose(
                table_id, user, OfferKind.SUBSTITUTE, Seating(other.id, dice.choice((ANN, BEN, CLEO, DEV)))
            ),
            lambda: core.service(Consent).agree(table_id, user, OfferKind.SUBSTITUTE),
            lambda: core.service(Consent).refuse(table_id, user, dice.choice(list(OfferKind))),
            lambda: core.service(Consent).propose(table_id, user, OfferKind.COMPUTER, Seating(other.id, Level.EASY)),
            lambda: core.service(Consent).agree(table_id, user, OfferKind.COMPUTER),
            lambda: core.service(Moderation).remove(table_id, 10, other, user),
            lambda: core.service(Moderation).close(table_id, 10, user),
        ))()  # fmt: skip

    async def _before(self, table_id: int, user: User) -> None:
        core, dice = self._core, self._dice
        await dice.choice((
            lambda: core.service(Lobby).join(table_id, user),
            lambda: core.service(Lobby).decline(table_id, user),
            lambda: core.service(Lobby).leave(table_id, user),
            lambda: core.service(Lobby).start(table_id, user),
            lambda: core.service(Computers).add(table_id, user, Level.EASY),
        ))()  # fmt: skip

    async def _beside(self, table_id: int, user: User) -> None:
        """Watch, plan, nudge, go on vacation, look back, quarantine a table or, rarely, be forgotten."""
        core, dice = self._core, self._dice
        finished = await core.tables(guild_id=10, statuses=(Status.FINISHED,), limit=100)
        over = dice.choice(finished).id if finished else table_id

        async def replied() -> None:
            snapshot = await core.snapshot(table_id)
            history, seat = snapshot.playing, snapshot.own_seat(user.id)
            theirs = random_action(history.game, history.state, history.to_act[0], dice)
            after = history.game.play(history.state, history.to_act[0], theirs).state
            if seat in history.game.to_act(after):
                mine = random_action(history.game, after, seat, dice)
                await core.service(Plans).add_reply(table_id, user, None, (), theirs, mine)

        async def quarantined() -> None:
            async with core.store.write() as writer:
                await queries.quarantine.put(writer, table_id, "for a reason")
            core.histories.drop(table_id)
            if dice.random() < 0.3:
                await core.service(Quarantine).close(table_id, 10)
            await core.service(Quarantine).release(table_id)

        async def looked_back() -> None:
            await core.service(Reviews).ask(await core.snapshot(over))

        async def forgotten() -> None:
            if dice.random() < 0.1:
                await core.service(Privacy).forget(user)

        await dice.choice((
            lambda: core.service(Watching).watch(table_id, user, dice.choice(list(WatchFor))),
            lambda: core.service(Watching).watch(table_id, user, dice.choice(list(WatchFor))),
            replied,
            lambda: core.service(Plans).add_order(table_id, user, None, ("pass", "otherwise")),
            lambda: core.service(Play).nudge(table_id, user),
            lambda: core.service(Rematches).open(over, user),
            lambda: core.service(Users).begin_vacation(user.id, 2),
            quarantined,
            looked_back,
            forgotten,
        ))()  # fmt: skip
