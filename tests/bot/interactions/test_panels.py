"""Panels: an older one is out of date and closes, and a waiting one shows what comes next, once."""

import asyncio
from typing import Any

import pytest

from bot.interactions.following import Following
from bot.interactions.panels import KINDS, MOST, Panels
from bot.messages.builder import MessageBuilder
from bot.messages.builder import button as a_button
from bot.messages.click import Click
from bot.registry import HANDLERS
from tests.bot.kit import World, button, buttons, reply
from tests.bot.refusals import ANSWER, a_bad_line
from tests.bot.seated import SETUP_RANDOM, open_table
from tests.bot.ways import by_way

CLOSED = "This panel is out of date: you’ve opened a newer one."


def is_closed(world: World, panel: Any) -> bool:
    """Whether a panel says that it is out of date and has no buttons; fails if only one of the two is true."""
    assert (CLOSED in world.text(panel)) == (not buttons(panel))
    return not buttons(panel)


async def test_the_older_of_two_panels_says_that_it_is_out_of_date_and_the_newer_one_plays(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    older = await world.ann.click(table.board(), label="Move")
    newer = await world.ann.click(table.board(), label="Move")
    calls = len(world.watch.calls)
    await world.ann.click(reply(older), label="b2")
    assert is_closed(world, older)
    assert len(world.watch.calls) == calls + 1
    await table.press(world.ann, reply(newer), ("b2", "b3"))
    assert (await table.snapshot()).table.version == 1
    assert "**Ann** bounces b2 → b3." in world.text(newer)


async def test_an_older_panel_never_plays(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    older = await world.ann.click(table.board(), label="Move")
    for step in ("b2", "b3"):
        await world.ann.click(reply(older), label=step)
    assert button(reply(older), "Play")
    newer = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(older), label="Play")
    assert is_closed(world, older)
    assert (await table.snapshot()).table.version == 0
    assert buttons(newer)


@pytest.mark.slow
async def test_panels_of_another_kind_person_or_table_outdate_nothing(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options=SETUP_RANDOM)
    panel = await world.ann.click(table.board(), label="Draw 1 card")
    await world.ann.click(table.board(), label="More")
    orders = await by_way(world.ann, world.channel, "plan")
    theirs = await world.ben.click(table.board(), label="Hand")
    other = await open_table(world, "pucks", world.ann, world.ben, seats=2, options=SETUP_RANDOM)
    await world.ann.click(other.board(), label="Draw 1 card")
    assert buttons(orders)
    assert buttons(theirs)
    await world.ann.click(reply(panel), label=buttons(panel)[0].label)
    assert not is_closed(world, panel)


async def test_a_panel_reopened_in_its_place_is_the_newer_one(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    more = await world.ann.click(table.board(), label="More")
    newer = await by_way(world.ann, world.channel, "plan")
    await world.ann.click(reply(more), label="Plan ahead")
    await world.ann.click(reply(newer), label=buttons(newer)[0].label)
    assert is_closed(world, newer)
    await world.ann.click(reply(more), label=buttons(more)[0].label)
    assert not is_closed(world, more)


async def test_after_a_restart_the_first_panel_pressed_is_the_newest(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    older = await world.ann.click(table.board(), label="Move")
    newer = await world.ann.click(table.board(), label="Move")
    await world.restart()
    await world.ann.click(reply(older), label="b2")
    assert not is_closed(world, older)
    await world.ann.click(reply(newer), label="b2")
    assert is_closed(world, newer)


async def test_a_visible_panel_whose_answer_was_lost_is_not_outdated(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.click(table.board(), label="Move")
    with a_bad_line(world, ANSWER, TimeoutError, arrives=True):
        newer = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(newer), label="b2")
    assert not is_closed(world, newer)


@pytest.mark.parametrize("by", ["Add a computer", "House rules"])
async def test_panels_in_the_lobby_are_outdated_too(world: World, by: str) -> None:
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=3)
    older = await world.ann.click(reply(shown), label=by)
    newer = await world.ann.click(reply(shown), label=by)
    pressed = next(
        one for one in buttons(older) if (click := Click.read(one.custom_id or "")) is not None and click.verb in KINDS
    )
    await world.ann.click(reply(older), custom_id=pressed.custom_id)
    assert is_closed(world, older)
    await world.ann.click(reply(newer), custom_id=pressed.custom_id)
    assert CLOSED not in world.text(newer)


def test_a_hint_that_can_be_played_is_a_panel_too() -> None:
    panels = Panels()
    panels.note(1, 101, 100, MessageBuilder().buttons([a_button("b2", Click("pick", 7, 3, tokens=("b2",)).custom_id)]))
    panels.note(1, 103, 102, MessageBuilder().buttons([a_button("Play", Click("act", 7, 3, tokens=("b2", "b3")).custom_id)]))
    assert panels.is_outdated(1, 101, Click("pick", 7, 3))
    assert not panels.is_outdated(1, 103, Click("act", 7, 3))


def test_a_limited_number_is_remembered_and_the_oldest_forgotten_first() -> None:
    panels = Panels()
    for table in range(1, MOST + 2):
        panels.note(1, 10, 20, MessageBuilder().buttons([a_button("b2", Click("pick", table).custom_id)]))
    assert [panels.is_outdated(1, 5, Click("pick", table)) for table in (1, 2, MOST + 1)] == [False, True, True]


def test_other_messages_are_not_remembered() -> None:
    panels = Panels()
    panels.note(1, 10, 20, MessageBuilder().text("…").buttons([a_button("Board", Click("board", 7).custom_id)]))
    assert not panels.is_outdated(1, 5, Click("board", 7))
    assert not panels.is_outdated(1, 5, Click("pick", 7))


def test_every_verb_of_a_panel_has_its_handler() -> None:
    assert set(KINDS) <= set(HANDLERS)


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
