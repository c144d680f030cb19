"""`/analyse`: from a lost game to the line that holds, shared and opened by others; and what it never tells."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.features.analysis.messages import analysis_panel
from bot.features.analysis.service import Analyses
from bot.features.analysis.tree import Beginning, analysed, with_another_draw
from bot.i18n.language import ENGLISH
from bot.interactions.panels import KINDS
from bot.messages.click import Click
from engines.chance import Fair
from engines.position_codes import position_code
from tests.bot.forging import forged
from tests.bot.kit import World, button, labels, press, reply, select
from tests.bot.scripted import Scripted, scripted
from tests.bot.seated import all_that_is_seen, open_table, resigned_after, small_table
from tests.bot.settings_panels import speak
from tests.bot.ways import by_way, in_words
from tests.storage.dump import everything

A, B = ("b2", "b3"), ("b7", "b6")
GAMES = ("bouncers", "bunny", "trampoline", "pucks")


@pytest.fixture(autouse=True)
def thinker() -> Iterator[type[Scripted]]:
    """An expert on Bouncers who finds Ben's only move a mistake."""
    with scripted(lost={B: 0.12}) as told:
        yield told


async def started(world: World, member: MemberActor, game: str = "bouncers") -> InteractionResult:
    return await member.slash(world.channel, "analyse", game=game)


@pytest.mark.slow
async def test_a_lost_game_leads_to_the_losing_move_and_a_better_one_which_others_can_open(world: World) -> None:
    table = await resigned_after(world, A, B)
    review = await world.ben.click(table.board(), label="Review")
    await world.pass_time(20)
    await press(world.ben, reply(review), "Next", "Analyse")
    board = review
    world.says(board, "Analysis: Bouncers", "From game #1.", "After move 1 · 🔵 Blue to move")
    assert "The review’s better move: **a7 → " in world.text(board)
    turning_point = world.text(board)
    await world.ben.click(reply(board), label="Review")
    assert "**Played:** b7 → b6" in world.text(board)
    await world.ben.click(reply(board), label="Analyse")
    assert world.text(board) == turning_point, "it leads back to the page it was opened from"
    await world.ben.click(reply(board), label="Show it")
    assert "After move 2 · 🔴 Red to move" in world.text(board)
    await press(world.ben, reply(board), "◀", "▶ 2")
    assert "b7 → b6 (as played)" in labels(board)
    await world.ben.click(reply(board), label="b7 → b6 (as played)")
    assert "Blue** bounces b7 → b6" in world.text(board)
    before = len(world.messages())
    await world.ben.click(reply(board), label="Share")
    assert len(world.messages()) == before
    await world.ben.click(reply(board), label="Post here")
    await world.pass_time(3)
    (shared,) = world.messages()[before:]
    world.says(shared, "Shared by <@", "Code: `bouncers1")
    assert len(world.pictures(shared)) == 1
    theirs = await world.cleo.click(shared, label="Analyse")
    assert reply(theirs).ephemeral
    assert "2 moves on · 🔴 Red to move" in world.text(theirs)
    await world.restart()
    again = await world.ann.click(world.messages()[before], label="Analyse")
    assert "2 moves on · 🔴 Red to move" in world.text(again)


def test_the_board_is_turned_as_the_analysis_says() -> None:
    begun = Beginning(user_id=1, guild_id=10, now=0.0).of_start("bouncers", Fair(bytes(32)))
    sides = [analysis_panel(analysed(replace(begun, side=side)), ENGLISH).perspective.side for side in (0, 1)]
    assert sides == [0, 1]


@pytest.mark.slow
async def test_all_sides_are_played_back_and_forth_and_branches_stay(world: World) -> None:
    board = await started(world, world.ann)
    await press(world.ann, reply(board), "b2", "b3", "Play", "b7", "b6", "Play")
    assert "2 moves on" in world.text(board)
    await world.ann.click(reply(board), label="◀")
    await press(world.ann, reply(board), "c7", "c6", "Play")
    await world.ann.click(reply(board), label="⏮")
    assert "The first position" in world.text(board)
    await press(world.ann, reply(board), "▶", "▶ 2")
    assert labels(board) == ["b7 → b6", "c7 → c6", "Back"]
    await world.ann.click(reply(board), label="c7 → c6")
    assert "c7 → c6" in world.text(board)
    resumed = await world.ann.slash(world.channel, "analyse")
    await world.ann.click(reply(resumed), label="Where I left off")
    assert "2 moves on" in world.text(resumed)
    other = await started(world, world.ann, "bunny")
    resumed = await world.ann.slash(world.channel, "analyse")
    assert list(select(resumed).options) == ["Bounce Bunny Bounce: 1 position", "Bouncers: 4 positions"]
    await world.ann.select(reply(resumed), ["1"])
    assert "2 moves on" in world.text(resumed)
    await world.ann.click(reply(other), label=labels(other)[0])
    assert "out of date" in world.text(other)


async def test_the_expert_names_its_move_and_the_chances_and_a_press_plays_it(world: World) -> None:
    board = await started(world, world.ann)
    await world.ann.click(reply(board), label="Expert’s move")
    world.says(board, "💡 **Expert’s move:", "Win chances: Red")
    await world.ann.click(reply(board), label="Play it")
    assert "1 move on" in world.text(board)


async def test_a_rated_game_leaves_only_the_board_even_if_it_began_later(world: World) -> None:
    board = await started(world, world.ann)
    table = await open_table(world, "bouncers", world.ann, world.ben)
    refused = await world.ann.click(reply(board), label="Expert’s move")
    assert "You’re playing a rated game of Bouncers, so there’s only the board for now." in world.text(refused)
    await press(world.ann, reply(board), "b2", "b3", "Play")
    assert "1 move on" in world.text(board)
    words = await in_words(world.ann, table.board())
    code = world.text(words).split("`")[1]
    own = await world.ann.slash(world.channel, "analyse", code=code)
    refused = await world.ann.click(reply(own), label="Expert’s move")
    assert "only the board for now" in world.text(refused)
    others = await world.cleo.slash(world.channel, "analyse", code=code)
    await world.cleo.click(reply(others), label="Expert’s move")
    assert "Expert’s move:" in world.text(others)


@pytest.mark.slow
async def test_openings_are_told_except_during_a_rated_game(world: World) -> None:
    heading = "📖 **Played here before**, and how 🔴 Red scored:"
    board = await started(world, world.ann)
    assert heading in world.text(board)
    assert "-# Between computers: " in world.text(board)
    assert "On this server" not in world.text(board)
    await resigned_after(world, A, B)
    board = await started(world, world.ann)
    assert f"{heading}\n-# On this server: b2 → b3 in 1 game (100%)\n-# Between computers: " in world.text(board)
    await world.ann.click(reply(board), label="b2")
    assert "📖" not in world.text(board), "a move is being picked"
    await press(world.ann, reply(board), "b3", "Play")
    assert "how 🔵 Blue scored:\n-# On this server: b7 → b6 in 1 game (0%)" in world.text(board)
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.click(reply(board), label="◀")
    assert "b2" in labels(board)
    assert "📖" not in world.text(board)
    others = await started(world, world.cleo)
    assert heading in world.text(others)


async def test_draws_are_examples_and_may_be_repeated(world: World) -> None:
    board = await started(world, world.ann, "trampoline")
    (roll,) = [label for label in labels(board) if label.startswith("Roll")]
    await world.ann.click(reply(board), label=roll)
    first = world.text(board)
    assert "The luck here is just an example." in first
    await world.ann.click(reply(board), label="Draw again")
    assert world.text(board) != first
    await press(world.ann, reply(board), "◀", "▶ 2")
    assert len(labels(board)) == 3


async def test_more_branches_than_buttons_go_into_a_menu(world: World) -> None:
    board = await started(world, world.ann, "trampoline")
    (roll,) = [label for label in labels(board) if label.startswith("Roll")]
    await world.ann.click(reply(board), label=roll)
    with world.env._bot_scope():
        analyses = world.client.core.service(Analyses)
        at = await analyses.get(1, world.ann.id, world.guild.id)
        for _ in range(25):
            at = await analyses.change(at, with_another_draw)
    await press(world.ann, reply(board), "◀", "▶ 26")
    menu = select(reply(board))
    assert [int(value) for value in menu.options.values()] == [1, *range(3, 27)], "the first, and the newest"
    await world.ann.select(reply(board), ["26"])
    assert "1 move on" in world.text(board)


@pytest.mark.parametrize("game", GAMES)
async def test_a_running_game_cannot_be_opened_and_hidden_cards_have_no_code(world: World, game: str) -> None:
    seats = {"seats": 2} if game == "trampoline" else {}
    table = await open_table(world, game, world.ann, world.ben, **(small_table(game) if game in {"pucks", "bunny"} else seats))
    for member in (world.ann, world.ben, world.cleo):
        for answer in (
            await member.slash(world.channel, "analyse", table="1"),
            await member.slash(world.channel, "analyse", table="1", move=0),
            await forged(member, table.board(), Click("analyse", 1)),
            await forged(member, table.board(), Click("analyse", 1, page=1)),
        ):
            assert "The game is still on." in world.text(answer)
        words = await in_words(member, table.board())
        snapshot = await table.snapshot()
        secret = snapshot.playing.game.secret
        assert ("Code:" in world.text(words)) != secret
        code = position_code(snapshot.playing.game, snapshot.playing.state)
        assert (code in all_that_is_seen(world, words)) != secret


async def test_nobody_reaches_anothers_analysis_and_forged_clicks_change_nothing(world: World) -> None:
    board = await started(world, world.ann)
    await press(world.ann, reply(board), "b2", "b3", "Play")
    lobby = reply(await world.ben.slash(world.channel, "open", game="bouncers"))
    store = world.client.core.store
    before = await everything(store)
    for verb in sorted(verb for verb, kind in KINDS.items() if kind == "analysis"):
        for member, number, at in ((world.cleo, "1", 1), (world.ann, "2", 0), (world.ann, "1", 99), (world.cleo, "0", 0)):
            chosen = (str(at),) if verb == "analysis-choose" else ()
            answer = await forged(member, lobby, Click(verb, 0, at, 0, (number, *chosen)))
            assert "This analysis is gone." in world.text(answer), verb
    assert await everything(store) == before


@pytest.mark.parametrize(("code", "said"), [
    ("nonsense", "isn’t a position code"),
    ("bouncers9ABC", "uses format 9"),
    ("bouncers12DXZW", "There’s a typo in this code"),
])  # fmt: skip
async def test_a_mistake_in_a_code_is_named(world: World, code: str, said: str) -> None:
    answer = await world.ann.slash(world.channel, "analyse", code=code)
    assert said in world.text(answer)
    assert reply(answer).ephemeral


async def test_a_private_game_is_shared_only_in_its_place(world: World) -> None:
    lobby = reply(await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True))
    await world.ben.click(lobby, label="Accept")
    (thread,) = world.channel.threads
    asked = await by_way(world.ben, thread, "resign", game="1")
    await world.ben.click(reply(asked), label="Resign")
    stranger = await world.cleo.slash(world.channel, "analyse", table="1")
    assert world.text(stranger) == "There’s no table #1 here."
    board = await world.ann.slash(world.channel, "analyse", table="1")
    await world.ann.click(reply(board), label="Share")
    assert "You can share it only in its own thread." in world.text(board)
    assert "Post here" not in labels(board)


async def test_in_german(world: World) -> None:
    await speak(world, world.ann, "de")
    board = await world.ann.slash(world.channel, "analyse", game="bunny")
    assert "Analysebrett: Bounce Bunny Bounce" in world.text(board)
    assert button(board, "Expertenzug")
