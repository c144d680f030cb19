"""*What would have been better?*: people retry their slips in a finished game, with what they knew then."""

from collections.abc import Iterator

import pytest
from simcord.results import InteractionResult

from bot.interactions.panels import KINDS
from bot.messages.click import Click
from tests.bot.forging import forged
from tests.bot.kit import World, buttons, reply
from tests.bot.scripted import Scripted, scripted
from tests.bot.seated import Seated, all_that_is_public, core_of, open_table, resigned_after
from tests.bot.unsaid import unsaid
from tests.storage.dump import everything

A, B, C, D = ("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6")
TITLE = "What would have been better?"


@pytest.fixture(autouse=True)
def thinker() -> Iterator[type[Scripted]]:
    """A scripted thinker about Bouncers: Ben’s moves are a mistake and a blunder; the first legal move is better."""
    with scripted(lost={B: 0.12, D: 0.3, ("h7", "h6"): 0.08, ("g7", "g6"): 0.02}) as told:
        yield told


def labels(shown: InteractionResult) -> list[str]:
    return [one.label for one in buttons(shown)]


async def reviewed(world: World, *actions: tuple[str, ...]) -> tuple[Seated, InteractionResult]:
    """The review of a game, as Ben sees it."""
    table = await resigned_after(world, *actions)
    review = await world.ben.click(table.board(), label="Review")
    await world.pass_time(20)
    return table, review


async def press(world: World, panel: InteractionResult, *labels: str) -> None:
    for label in labels:
        await world.ben.click(reply(panel), label=label)


@pytest.mark.slow
async def test_whoever_slipped_tries_again_and_is_told_what_each_move_is_worth_and_why(world: World) -> None:
    _, panel = await reviewed(world, A, B, C, D)
    before = all_that_is_public(world)
    await press(world, panel, TITLE)
    assert f"### {TITLE} (1 of 2)" in world.text(panel)
    assert "Move 2: you played **b7 → b6**, a mistake. It cut your win chance from 60% to 48%." in world.text(panel)
    assert "**Ann** bounces b2 → b3" in world.text(panel)
    assert labels(panel)[-3:] == ["Show me", "Next", "Review"]
    await press(world, panel, "h7")
    assert labels(panel)[-1:] == ["Back"]
    await press(world, panel, "h6", "Play")
    told = "❌ **Not that one.** h7 → h6 leaves you with a 52% win chance, 8 points less than the better move."
    assert not unsaid(world.text(panel), told, "Ann answers a1 → b2.")
    assert "b2" in world.picture(panel).alt
    await press(world, panel, "Try again", "b7", "b6", "Play")
    assert "❌ **That’s what you played.** It costs you 12 points of win chance." in world.text(panel)
    await press(world, panel, "Try again", "g7", "g6", "Play")
    assert "✅ **That’s good!** g7 → g6 keeps your win chance at 58%.\n-# The review found a7 → a6 (60%)." in world.text(panel)
    await press(world, panel, "Next")
    assert f"### {TITLE} (2 of 2)" in world.text(panel)
    assert "Move 4: you played **c7 → c6**, a blunder. It cut your win chance from 60% to 30%." in world.text(panel)
    await press(world, panel, "b6", "a5", "Play")
    assert "✅ **That’s it!** b6 → a5 keeps your win chance at 60%.\nThat’s all of them." in world.text(panel)
    assert labels(panel) == ["Analyse", "Review"]
    await press(world, panel, "Review")
    assert "accuracy" in world.text(panel)
    assert TITLE in labels(panel)
    assert all_that_is_public(world) == before, "nobody else has seen any of it"


@pytest.mark.slow
async def test_what_was_better_is_shown_on_demand(world: World) -> None:
    _, panel = await reviewed(world, A, B)
    await press(world, panel, TITLE)
    assert f"### {TITLE}\n" in world.text(panel) + "\n"
    await press(world, panel, "Show me")
    assert not unsaid(world.text(panel), "**Played:** b7 → b6 (48%)", "**Better:** a7 → a6 (60%)")
    assert labels(panel) == ["Analyse", "Review"]
    await press(world, panel, "Analyse")
    assert "After move 1 · 🔵 Blue to move" in world.text(panel)


@pytest.mark.slow
async def test_it_is_offered_to_nobody_else_and_stores_nothing(world: World) -> None:
    table, panel = await reviewed(world, A, B)
    others = await world.ann.click(table.board(), label="Review")
    assert TITLE in labels(panel)
    assert TITLE not in labels(others)
    store = core_of(world).store
    before = await everything(store)
    verbs = [("slip", ()), *((verb, ("2", "a7", "a6")[: 1 if verb in {"slip-at", "slip-show"} else 3]) for verb in verbs_of())]
    for member in (world.ann, world.cleo):
        for verb, tokens in verbs:
            told = await forged(member, table.board(), Click(verb, table.table_id, tokens=tokens))
            assert "None of this game’s turning points were yours." in world.text(told), verb
    await press(world, panel, TITLE, "h7", "h6", "Play", "Try again", "Show me")
    assert await everything(store) == before


def verbs_of() -> list[str]:
    return [verb for verb, kind in KINDS.items() if kind == "slip"]


@pytest.mark.slow
async def test_nothing_is_said_during_the_game_or_about_other_moves(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, A)
    await table.type(world.ben, B)
    told = await forged(world.ben, table.board(), Click("slip", table.table_id))
    assert "The game is still on." in world.text(told)
    over, _ = await reviewed(world, A, B)
    for number in ("1", "3", "99"):
        told = await forged(world.ben, over.board(), Click("slip-show", over.table_id, tokens=(number,)))
        assert "None of this game’s turning points" in world.text(told)


@pytest.mark.slow
async def test_while_a_rated_game_of_the_kind_is_on_no_move_is_weighed(world: World, thinker: type[Scripted]) -> None:
    _, panel = await reviewed(world, A, B)
    await open_table(world, "bouncers", world.ann, world.ben)
    before = len(thinker.asked)
    await press(world, panel, TITLE, "h7", "h6", "Play")
    told = "❌ h7 → h6 isn’t the move from the review. I can’t rate other moves while you’re in a rated game of Bouncers."
    assert not unsaid(world.text(panel), told, f"### {TITLE}")
    assert len(thinker.asked) == before
    await press(world, panel, "a7", "a6", "Play")
    assert "✅ **That’s it!** a7 → a6 keeps your win chance at 60%." in world.text(panel), "as the review says"


@pytest.mark.slow
async def test_a_second_panel_closes_the_first_one_and_both_outlive_a_restart(world: World) -> None:
    table, panel = await reviewed(world, A, B)
    await press(world, panel, TITLE, "h7")
    await world.restart()
    await press(world, panel, "h6", "Play")
    assert "Not that one" in world.text(panel)
    other = await world.ben.click(table.board(), label="Review")
    await press(world, other, TITLE)
    await press(world, panel, "Try again")
    assert "out of date" in world.text(panel)
