"""While a click is being answered, posted boards know of it, until the answer is ready to be sent."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from typing_extensions import override

from bot.interactions import reply as replies
from bot.workers.drawing import Threads, drawing_in
from tests.bot.kit import World, reply


class Counting(Threads):
    """Draws in threads, and counts the answers that are under way, now and at most."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = 0

    @override
    @contextmanager
    def expecting(self) -> Iterator[None]:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            yield
        finally:
            self.now -= 1


@pytest.mark.parametrize("command", ["help", "games"])
async def test_an_answer_is_under_way_until_it_is_sent(world: World, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    place, at_requests, insisting = Counting(), list[int](), replies.insisting

    async def noted(request: Callable[[], Awaitable[Any]]) -> Any:
        at_requests.append(place.now)
        return await insisting(request)

    monkeypatch.setattr(replies, "insisting", noted)
    with drawing_in(place):
        reply(await world.ann.slash(world.channel, command))
    assert (place.most, place.now) == (1, 0)
    assert at_requests == [0]


async def test_an_answer_that_fails_is_under_way_no_longer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise ArithmeticError

    world.expected_errors.add("unexpected error")
    monkeypatch.setattr("bot.interactions.reply.Reply.show", fails)
    with drawing_in(place := Counting()):
        await world.ann.slash(world.channel, "games")
    assert (place.most, place.now) == (1, 0)
