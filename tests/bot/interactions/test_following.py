"""Messages that follow: each is shown what comes next once, and nothing after its person has pressed on it."""

import asyncio

from bot.interactions.following import Following


async def test_a_message_shows_what_a_computer_played_even_before_it_waited() -> None:
    following, shown = Following(), list[str]()

    async def show(what: str) -> None:
        shown.append(what)

    following.wait(1, 10, 4, lambda: show("waited"))
    following.advance(2, 5)
    following.advance(1, 5)
    following.advance(1, 6)
    following.wait(1, 11, 5, lambda: show("came later"))
    await asyncio.sleep(0.01)
    assert shown == ["waited", "came later"]


async def test_a_message_keeps_waiting_while_more_computers_are_to_play() -> None:
    following, seen = Following(), list[int]()

    async def show() -> int | None:
        seen.append(1)
        return 5 if len(seen) == 1 else None

    following.wait(1, 10, 4, show)
    following.advance(1, 5)
    await asyncio.sleep(0.01)
    assert len(seen) == 1
    following.advance(1, 6)
    await asyncio.sleep(0.01)
    following.advance(1, 7)
    assert len(seen) == 2


async def test_a_press_stops_what_was_about_to_be_shown() -> None:
    following, shown, drawn = Following(), list[int](), asyncio.Event()

    async def show() -> None:
        following.stop(1, 10)  # as whatever is shown does first; it does not stop itself
        await drawn.wait()
        shown.append(1)

    following.wait(1, 10, 4, show)
    following.advance(1, 5)
    await asyncio.sleep(0.01)
    following.stop(1, 10)
    drawn.set()
    await asyncio.sleep(0.01)
    assert shown == []
    assert following._going_on == {}
