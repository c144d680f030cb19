"""Clicks that nobody's buttons make, on what computers bring: hints, reviews, lessons, practice, seats and their relief."""

from collections.abc import Iterator

import pytest
from simcord.actors import MemberActor

from bot.messages.click import MARKS_FROM, Click
from tests.bot.forging import forged
from tests.bot.kit import World, reply
from tests.bot.scripted import Scripted, scripted
from tests.bot.seated import open_table, resigned_after

pytestmark = pytest.mark.slow

A, B = ("b2", "b3"), ("b7", "b6")
HUGE = 999_999_999_999_999_999
VERBS = (
    "hint", "review", "review-page", "review-line", "review-move", "review-moves", "learn", "learn-pick", "learn-act",
    "learn-skip", "learn-anew", "practise", "computers", "add-computer", "remove-computer", "relieve", "computer-yes",
    "computer-no", "slip", "slip-at", "slip-pick", "slip-play", "slip-show",
)  # fmt: skip
TOKENS: tuple[tuple[str, ...], ...] = (
    (), ("x" * 40,), ("9" * 40,), ("٣",), ("²",), ("\0",), ("before",), ("bouncers", "no-such", "-1", "b2"),
    ("bouncers", "²", "²"), ("9" * 20, "hard"), ("-1", "expert"), ("4000002", "easy"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def thinker() -> Iterator[type[Scripted]]:
    """Somebody who thinks about Bouncers: Ben's only move is a mistake."""
    with scripted(lost={B: 0.12}) as told:
        yield told


async def told(world: World, member: MemberActor, click: Click) -> str:
    """What somebody is told who has made a click of their own."""
    result = await forged(member, world.messages()[0], click)
    await world.settle()
    answer = result.followups[-1] if result.followups else result.response
    return "" if answer is None else world.text(answer)


async def test_every_forged_click_is_answered_and_changes_nothing_for_others(world: World) -> None:
    ended = await resigned_after(world, A, B)
    running = await open_table(world, "bouncers", world.ann, world.ben)
    await world.settle()
    before = len(world.messages())
    for verb in VERBS:
        for tokens in TOKENS:
            for table_id in (0, ended.table_id, running.table_id, HUGE):
                text = await told(world, world.ann, Click(verb, table_id, HUGE, 7, tokens))
                assert text, (verb, tokens, table_id)
                assert "went wrong" not in text, (verb, tokens, table_id)
    assert len(world.messages()) == before


async def test_no_review_of_a_running_game_is_shared(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, A)
    before = len(world.messages())
    for member in (world.ann, world.cleo):
        assert "The game is still on." in await told(world, member, Click("share-review", table.table_id))
    assert len(world.messages()) == before


async def test_a_review_is_shared_when_it_is_done_and_each_of_its_pages_once(world: World) -> None:
    table = await resigned_after(world, A, B)
    before = len(world.messages())
    shown = await forged(world.cleo, world.messages()[0], Click("share-review", table.table_id))
    assert "accuracy" in world.text(reply(shown)), "what is not done yet is made, and shown to who asked"
    assert reply(shown).flags.ephemeral
    await world.pass_time(3)
    assert len(world.messages()) == before
    for page in (1, 2, 3, MARKS_FROM - 1):  # from there on, it would be the mark of a message, and no page
        await told(world, world.cleo, Click("share-review", table.table_id, page=page))
        assert len(world.messages()) == before + (page > 1), "it asks first"
        await told(world, world.cleo, Click("post-review", table.table_id, page=page))
        await world.pass_time(3)
    (shared,) = world.messages()[before:]
    assert "mistake by Ben" in world.text(shared)
