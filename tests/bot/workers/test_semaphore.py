"""Who comes next."""

import asyncio

from bot.workers.semaphore import YieldingSemaphore

LONG = 3600.0


class Guests:
    """People who want a turn, and record when they get it."""

    def __init__(self, turns: YieldingSemaphore) -> None:
        self.turns = turns
        self.served: list[str] = []
        self._leave: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str, yielding: bool = False) -> None:
        for name in names:
            self._leave[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._stay(name, yielding))
        await settled()

    async def _stay(self, name: str, yielding: bool) -> None:
        async with self.turns.turn(yielding=yielding):
            self.served.append(name)
            await self._leave[name].wait()

    async def leave(self, *names: str) -> None:
        for name in names:
            self._leave[name].set()
        await settled()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_so_many_are_let_in_and_the_others_in_the_order_in_which_they_came() -> None:
    guests = Guests(YieldingSemaphore(2, LONG))
    await guests.come("a", "b", "c", "d")
    assert guests.served == ["a", "b"]
    await guests.leave("b")
    assert guests.served == ["a", "b", "c"]
    await guests.leave("a", "c", "d")
    assert guests.served == ["a", "b", "c", "d"]


async def test_who_has_yielded_long_enough_has_a_turn() -> None:
    guests = Guests(YieldingSemaphore(1, yields_for=0.0))
    await guests.come("first")
    await guests.come("patient", yielding=True)
    await guests.come("late")
    await guests.leave("first", "patient", "late")
    assert guests.served == ["first", "patient", "late"]


async def test_who_yields_comes_after_those_who_do_not() -> None:
    guests = Guests(YieldingSemaphore(1, LONG))
    await guests.come("first", "patient 1", "patient 2", yielding=True)
    await guests.come("a", "b")
    await guests.leave("first", "patient 1", "patient 2", "a", "b")
    assert guests.served == ["first", "a", "b", "patient 1", "patient 2"]


async def test_who_goes_away_takes_no_turn_along() -> None:
    guests = Guests(YieldingSemaphore(1, LONG))
    await guests.come("first", "waiting", "next")
    guests.tasks["waiting"].cancel()
    await guests.leave("first")
    assert guests.served == ["first", "next"]
    await guests.leave("next")
    await guests.come("last")
    assert guests.served[-1] == "last"


async def test_who_is_called_in_the_moment_of_going_away_passes_the_turn_on() -> None:
    guests = Guests(YieldingSemaphore(1, LONG))
    await guests.come("first", "waiting", "next")
    guests._leave["first"].set()
    await asyncio.sleep(0)  # first leaves, and calls the one who waits
    guests.tasks["waiting"].cancel()
    await settled()
    assert guests.served == ["first", "next"]


async def test_an_error_gives_the_turn_back() -> None:
    turns = YieldingSemaphore(1, LONG)
    for _ in range(2):
        try:
            async with turns.turn():
                raise ArithmeticError
        except ArithmeticError:
            pass
    async with asyncio.timeout(60), turns.turn():
        pass


async def test_who_yields_lets_those_go_first_who_are_expected() -> None:
    turns = YieldingSemaphore(2, LONG)
    guests = Guests(turns)
    with turns.expecting():
        with turns.expecting():
            await guests.come("patient 1", "patient 2", "patient 3", yielding=True)
            await guests.come("a", "b")
            await guests.leave("a")
            assert guests.served == ["a", "b"]
        await settled()
        assert guests.served == ["a", "b", "patient 1"], "a single one is not waited for"
        await guests.leave("b", "patient 1", "patient 2", "patient 3")
    assert guests.served == ["a", "b", "patient 1", "patient 2", "patient 3"]


async def test_nobody_yields_for_ever_to_those_who_do_not_come() -> None:
    turns = YieldingSemaphore(1, yields_for=0.01)
    guests = Guests(turns)
    with turns.expecting(), turns.expecting():
        await guests.come("gone", "patient", yielding=True)
        guests.tasks["gone"].cancel()
        async with asyncio.timeout(60):
            while not guests.served:
                await asyncio.sleep(0.001)
    assert guests.served == ["patient"]
