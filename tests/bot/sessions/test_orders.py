"""Standing orders at work: who is asked, in which order, what is played, and that a game's mistakes spoil nobody's click."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest
from structlog.testing import capture_logs
from typing_extensions import override

from bot.sessions import Sessions, Snapshot, TableRequest, User
from bot.sessions.turns import advance
from engines import EARLIER, GAMES
from engines.game import Action, Choice, Game, Happened, Order, Response
from engines.pucks import Pucks
from engines.trampoline import Trampoline
from storage.records import Entry, EntryKind, JobKind, Plan, Status
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, HOUR, Time, jobs, seeds, started

ONCE, ALWAYS, NEVER = ("roll", "once"), ("roll", "always"), ("roll", "never")
WRONG = ("leap", "always")

Respond = Callable[[Happened[Any], int, Sequence[Order]], Response]


class Eager(Trampoline):
    """BOUNCE for those who have no time: orders roll as soon as it is their owner's turn. All that is asked is noted.

    Attributes:
        asked: whom the game has asked about which action of which seat.
        instead: what answers in place of the game, if anything does.
    """

    takes_orders: ClassVar[bool] = True

    def __init__(self) -> None:
        self.asked: list[tuple[int, Happened[Any]]] = []
        self.instead: Respond | None = None

    @override
    def order_choices(self, state: Any, seat: int, prefix: Action = ()) -> list[Choice]:
        orders = (ONCE, ALWAYS, NEVER, WRONG)
        tokens = sorted({order[len(prefix)] for order in orders if order[: len(prefix)] == prefix != order})
        return [Choice(token, token, final=bool(prefix)) for token in tokens]

    @override
    def respond(self, happened: Happened[Any], seat: int, orders: Sequence[Order]) -> Response:
        self.asked.append((seat, happened))
        if self.instead is not None:
            return self.instead(happened, seat, orders)
        if seat not in self.to_act(happened.step.state):
            return Response(None, tuple(orders))
        playing = next((order for order in orders if order != NEVER), None)
        kept = tuple(order for order in orders if order != ONCE)
        return Response(None if playing is None else playing[:1], kept)


@dataclass
class Service:
    """The service with this game in the place of BOUNCE."""

    sessions: Sessions
    store: Store
    game: Eager
    people: Sequence[User] = (ANN, BEN, CLEO)
    table_id: int = 0

    async def open(self, **orders: Sequence[Order]) -> None:
        """A table for three, with the orders of those who are named."""
        request = TableRequest(guild_id=10, channel_id=20, game="trampoline", seats=3, clock=int(DAY))
        self.table_id = (await started(self.sessions, request, BEN, CLEO)).table.id
        await self.give(**orders)

    async def give(self, **orders: Sequence[Order]) -> None:
        for user in self.people:
            for order in orders.get(user.name.lower(), ()):
                await self.sessions.plans.add_order(self.table_id, user, None, order)

    async def roll(self, user: User) -> Snapshot:
        return (await self.sessions.play.act(self.table_id, user, "roll")).snapshot

    async def orders(self, user: User) -> tuple[Order, ...]:
        return (await self.sessions.plans.of(self.table_id, user)).plan.orders

    async def log(self) -> list[tuple[int, bool]]:
        """The seats that have acted, and whether an order did."""
        async with self.store.read() as reader:
            return [(entry.seat, entry.fired) for entry in await reader.entries(self.table_id)]


@pytest.fixture
def service(store: Store, clock: Time) -> Service:
    known, game = seeds(), Eager()
    games: dict[str, Game[Any, Any]] = {**GAMES, "trampoline": game}
    return Service(Sessions(store, now=clock, entropy=lambda _: next(known), games=games, earlier=EARLIER), store, game)


async def test_orders_of_several_seats_answer_one_after_the_other(service: Service) -> None:
    await service.open(ben=(ONCE,), cleo=(ALWAYS,))
    snapshot = await service.roll(ANN)
    assert await service.log() == [(0, False), (1, True), (2, True)]
    assert snapshot.playing.to_act == (0,)
    assert (await service.orders(BEN), await service.orders(CLEO)) == ((), (ALWAYS,))
    snapshot = await service.roll(ANN)
    assert (await service.log())[3:] == [(0, False)]
    assert snapshot.playing.to_act == (1,)


async def test_all_with_orders_are_asked_about_everything_as_they_sit_after_the_one_who_acted(service: Service) -> None:
    await service.open(ann=(NEVER,), ben=(NEVER,), cleo=(NEVER,))
    for user in (ANN, BEN):
        await service.roll(user)
    assert [seat for seat, _ in service.game.asked] == [1, 2, 0, 2, 0, 1]
    assert [(happened.seat, happened.action, happened.answer) for _, happened in service.game.asked] == (
        [(0, ("roll",), False)] * 3 + [(1, ("roll",), False)] * 3
    )
    history = (await service.sessions.snapshot(service.table_id)).playing
    first = service.game.asked[0][1]
    assert (first.before, first.step.state, first.step.events) == (history.first, history.log[0].state, history.log[0].events)
    assert service.game.asked[3][1].before == history.log[0].state


async def test_a_game_may_ask_in_another_order(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    await service.open(ben=(NEVER,), cleo=(NEVER,))
    monkeypatch.setattr(service.game, "asked_in_turn", lambda happened, seats: tuple(reversed(seats)), raising=False)
    await service.roll(ANN)
    assert [seat for seat, _ in service.game.asked] == [2, 1]


async def test_what_an_order_plays_is_told_to_the_orders_of_all_as_an_answer(service: Service) -> None:
    await service.open(ben=(ONCE,), cleo=(NEVER,))
    await service.roll(ANN)
    assert [(seat, happened.seat, happened.answer) for seat, happened in service.game.asked] == [
        (1, 0, False), (2, 0, False), (2, 1, True),
    ]  # fmt: skip


async def test_a_whole_game_may_be_played_by_orders(service: Service) -> None:
    await service.open(ann=(ALWAYS,), ben=(ALWAYS,), cleo=(ALWAYS,))
    snapshot = await service.roll(ANN)
    assert snapshot.table.status is Status.FINISHED
    assert [fired for _, fired in await service.log()] == [False] + [True] * (snapshot.table.version - 1)
    async with service.store.read() as reader:
        assert (await reader.gathering(service.table_id)).plans == ()  # type: ignore[union-attr]
    assert snapshot == await service.sessions.snapshot(service.table_id)


async def test_orders_that_go_on_for_ever_are_stopped(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sessions.planned.ANSWERS_AT_MOST", 4)
    await service.open(ann=(ALWAYS,), ben=(ALWAYS,), cleo=(ALWAYS,))
    snapshot = await service.roll(ANN)
    assert snapshot.table.version == 5
    assert snapshot.playing.to_act == (2,)


def failing(*_: object) -> Any:
    raise ZeroDivisionError("of the order whistle-top-secret")


@pytest.mark.parametrize("asking", [True, False])
async def test_a_game_that_fails_over_an_order_fails_for_nobody_else(
    service: Service, monkeypatch: pytest.MonkeyPatch, asking: bool
) -> None:
    await service.open(ben=(ONCE,))
    if asking:
        monkeypatch.setattr(service.game, "asked_in_turn", failing, raising=False)
        service.game.instead = lambda happened, seat, orders: Response(None, tuple(orders))
    else:
        service.game.instead = failing
    with capture_logs() as lines:
        snapshot = await service.roll(ANN)
    assert snapshot.table.version == 1
    assert [line["error"] for line in lines if line["log_level"] == "error"] == ["ZeroDivisionError"]
    assert "secret" not in repr(lines)
    assert await service.orders(BEN) == (ONCE,)


async def test_an_order_that_plays_what_is_not_legal_is_as_if_there_were_none(service: Service) -> None:
    await service.open(ben=(WRONG, ONCE), cleo=(ONCE,))
    snapshot = await service.roll(ANN)
    assert snapshot.table.version == 1
    assert await service.orders(BEN) == (WRONG, ONCE)
    service.game.instead = lambda happened, seat, orders: Response(("roll",), ())
    await service.give(ann=(ONCE,))
    await service.roll(BEN)
    assert await service.log() == [(0, False), (1, False), (2, True), (0, True), (1, True)], "each in their own turn"


async def test_who_comes_later_keeps_their_orders_and_is_asked_again(service: Service) -> None:
    await service.open(ben=(ONCE,), cleo=(ONCE,))

    def both(happened: Happened[Any], seat: int, orders: Sequence[Order]) -> Response:
        return Response(("roll",), ())

    service.game.instead = both
    await service.roll(ANN)
    assert await service.log() == [(0, False), (1, True), (2, True)]
    assert (await service.orders(BEN), await service.orders(CLEO)) == ((), ())


async def test_orders_that_lapse_are_gone_although_nothing_is_played_by_them(service: Service) -> None:
    await service.open(ben=(NEVER,), cleo=(ONCE,))
    service.game.instead = lambda happened, seat, orders: Response(None, ())
    await service.roll(ANN)
    assert (await service.orders(BEN), await service.orders(CLEO)) == ((), ())


# --- time, presence, leaving ---------------------------------------------------------------------------------------------


async def test_what_the_bot_plays_for_somebody_absent_is_answered_too(service: Service, clock: Time) -> None:
    await service.open(ben=(ONCE,))
    clock.pass_(DAY + 1)
    await service.sessions.timing.sweep()
    assert await service.log() == [(0, False), (1, True)]
    snapshot = await service.sessions.snapshot(service.table_id)
    assert snapshot.playing.to_act == (2,)
    assert snapshot.playing.log[0].entry.user_id is None
    assert [player.timeouts for player in snapshot.players] == [1, 0, 0]


async def test_an_absent_player_whose_turn_comes_again_by_orders_gets_its_time(service: Service, clock: Time) -> None:
    await service.open(ben=(ONCE,), cleo=(ONCE,))
    clock.pass_(DAY + 1)
    await service.sessions.timing.sweep()
    assert await service.log() == [(0, False), (1, True), (2, True)]
    snapshot = await service.sessions.snapshot(service.table_id)
    assert (snapshot.playing.to_act, snapshot.table.deadline) == ((0,), clock() + DAY)
    board = next(job for job in await jobs(service.sessions, service.table_id) if job.kind is JobKind.BOARD)
    assert not board.payload.get("silent"), "Ann has not seen any of it"


async def test_orders_do_not_make_somebody_present(service: Service, clock: Time) -> None:
    await service.open()
    await service.roll(ANN)
    clock.pass_(DAY + 1)
    await service.sessions.timing.sweep()
    await service.give(ben=(ONCE,))
    for user in (CLEO, ANN):
        snapshot = await service.roll(user)
    assert (await service.log())[-1] == (1, True)
    assert [player.timeouts for player in snapshot.players] == [0, 1, 0]


async def test_a_turn_that_goes_on_gets_no_more_time_by_orders(service: Service, clock: Time) -> None:
    await service.open(ben=(ONCE,))
    clock.pass_(HOUR)
    table = (await service.roll(ANN)).table
    assert table.deadline == clock() + DAY, "it is Cleo's turn that began"


async def test_somebody_who_leaves_takes_the_orders_along_and_those_of_others_answer(service: Service) -> None:
    await service.open(ann=(ALWAYS,), ben=(ONCE,), cleo=(NEVER,))
    played = await service.sessions.play.resign(service.table_id, ANN)
    assert await service.log() == [(0, False), (1, True)]
    assert [event.kind for event in played.events][:1] == ["withdraw"]
    assert {plan.user_id for plan in played.snapshot.plans} == {BEN.id, CLEO.id}
    left = [happened for _, happened in service.game.asked if happened.seat == 0]
    assert {happened.action for happened in left} == {()}
    assert all(seat != 0 for seat, _ in service.game.asked), "Ann is asked nothing any more"


async def test_orders_of_somebody_who_is_removed_or_runs_out_of_time_are_gone(service: Service, clock: Time) -> None:
    await service.open(ann=(NEVER,), ben=(NEVER,), cleo=(NEVER,))
    await service.sessions.moderation.remove(service.table_id, 10, BEN, User(99, "Moderator"))
    assert {plan.user_id for plan in (await service.sessions.snapshot(service.table_id)).plans} == {ANN.id, CLEO.id}
    clock.pass_(DAY + 1)
    await service.sessions.timing.sweep()  # the period of grace
    clock.pass_(DAY + 1)
    await service.sessions.timing.sweep()
    assert (await service.sessions.snapshot(service.table_id)).plans == ()


async def test_orders_outlive_an_undo(service: Service) -> None:
    await service.open(ben=(NEVER,))
    repository = service.sessions._repository
    await service.roll(ANN)
    asked = len(service.game.asked)
    async with repository.table(service.table_id) as (writer, snapshot):
        history = snapshot.playing
        undo = Entry(
            table_id=service.table_id, number=2, kind=EntryKind.UNDO, seat=0, user_id=ANN.id, at=service.sessions.now()
        )
        await advance(repository, writer, snapshot, await repository.append(writer, history, undo))
    assert await service.orders(BEN) == (NEVER,)
    assert len(service.game.asked) == asked, "nothing was played"


# --- the end of a turn with the last action ------------------------------------------------------------------------------


@dataclass
class Watchful(Pucks):
    """Puck Bumpers whose orders do nothing, and note about what they were asked."""

    actions: list[Action] = field(default_factory=list)

    @override
    def is_order(self, state: Any, seat: int, order: Order) -> bool:
        return True

    @override
    def respond(self, happened: Happened[Any], seat: int, orders: Sequence[Order]) -> Response:
        self.actions.append(happened.action)
        return Response(None, tuple(orders))


async def test_orders_answer_the_action_and_then_what_ends_the_turn_with_it(store: Store, clock: Time) -> None:
    known, game = seeds(), Watchful()
    games: dict[str, Game[Any, Any]] = {**GAMES, "pucks": game}
    sessions = Sessions(store, now=clock, entropy=lambda _: next(known), games=games, earlier=EARLIER)
    request = replace(BOUNCERS, game="pucks", seats=2, options={"setup": "random"})
    table_id = (await started(sessions, request)).table.id
    await sessions.plans.add_order(table_id, BEN, None, ("note", "all"))
    snapshot = (await sessions.play.act(table_id, ANN, "draw")).snapshot
    state = snapshot.playing.state
    action: Action = ()
    while not game.is_whole(state, 0, action):
        action = (*action, game.choices(state, 0, action)[0].token)
    game.actions.clear()
    played = await sessions.play.act(table_id, ANN, action, closing=True, interaction_id=5)
    assert game.actions == [action, ("end",)]
    assert [(logged.entry.tokens, logged.entry.interaction_id) for logged in played.snapshot.playing.log[1:]] == [
        (action, 5),
        (("end",), None),
    ]


def test_a_plan_is_idle_if_nothing_is_planned() -> None:
    assert Plan(table_id=1, user_id=1, seat=0).idle
    assert not Plan(table_id=1, user_id=1, seat=0, orders=(ONCE,)).idle
