"""A game of Bouncers in Discord, from `/play` to its end, and all that can go wrong on the way."""

import re

import discord
import pytest
from simcord.actors import MemberActor

from engines import GAMES
from tests.bot.kit import World, buttons, press, reply
from tests.bot.seated import open_table
from tests.bot.ways import by_way
from tests.marks import quick_first

BOUNCERS = GAMES["bouncers"]

ASKED = "Which piece bounces?"
"""The first question to a player."""


@pytest.fixture
async def opened(world: World) -> None:
    """Ann has opened a table of Bouncers, Ben has joined, and the first board is shown."""
    await world.ann.slash(world.channel, "open", game="bouncers")
    await world.ben.click(world.last(), label="Join")


async def test_the_first_board_of_a_table_pings_the_player_who_begins(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bouncers")
    world.says(shown, "Bouncers #1", "one seat open")
    assert not shown.ephemeral
    await world.ben.click(reply(shown), label="Join")
    lobby, board = world.messages()
    assert "The game has begun." in world.text(lobby)
    assert buttons(lobby) == []
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(board)
    assert world.pinged(board) == {world.ann.id}
    assert world.picture(board).alt.startswith("Bouncers")
    assert world.picture(board).image.width == 1024


async def test_a_move_picked_in_the_panel_posts_the_next_board_and_pings_the_other(world: World, opened: None) -> None:
    first = world.last()
    panel = await world.ann.click(first, label="Move")
    assert panel.ephemeral
    assert ASKED in world.text(panel)
    await world.ann.click(reply(panel), label="b2")
    assert "**Where does b2 bounce to?**" in world.text(panel)
    await world.ann.click(reply(panel), label="Back")
    assert ASKED in world.text(panel)
    await press(world.ann, reply(panel), "b2", "b3")
    assert world.last().id == first.id, "a path that can go on is not played before its player says so"
    await world.ann.click(reply(panel), label="Play")
    board = world.last()
    assert board.id != first.id
    assert "**Ann** bounces b2 → b3." in world.text(board)
    assert world.pinged(board) == {world.ben.id}
    assert "**Ann** bounces b2 → b3." in world.text(panel)
    retired = world.messages()[1]
    assert retired.id == first.id
    assert world.text(retired) == "-# #1 · 🔴 **Ann** begins", "nothing was done on it"
    assert (buttons(retired), world.pictures(retired)) == ([], [])


async def test_a_typed_move_costs_four_calls_to_discord(world: World, opened: None) -> None:
    before = world.watch.count()
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert answer.ephemeral
    assert "**Ann** bounces b2 → b3." in world.text(answer)
    assert world.watch.count() - before == 4
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last())


async def test_autocomplete_walks_the_choices_and_filters_by_what_is_typed(world: World, opened: None) -> None:

    async def offered(member: MemberActor, typed: str) -> list[str]:
        return [choice["value"] for choice in await member.autocomplete(world.channel, "move", "action", typed)]

    assert await offered(world.ann, "") == ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"]
    assert await offered(world.ann, "c") == ["c2"]
    assert await offered(world.ann, "b2 ") == ["b2 a3", "b2 b3", "b2 c3"]
    assert await offered(world.ann, "b2 b") == ["b2 b3"]
    assert (await offered(world.ann, "b2 b3 "))[0] == "b2 b3"
    assert await offered(world.ann, "nonsense ") == []
    assert await offered(world.ann, "2") == await offered(world.ann, ""), "also what stands within a suggestion is found"
    assert await offered(world.ann, "b2 3") == ["b2 a3", "b2 b3", "b2 c3"]
    assert await offered(world.ann, "b2 nonsense") == []
    assert await offered(world.ben, "") == []


WRONG = ["c3", "b2", "b2 b4", "b2 b3 b2", "hello world", "b2 !!", "z9 z8", "b7 b6", "b2 b3 b9", "B2 TO B3", "b2-", "stop"]


@pytest.mark.parametrize("typed", quick_first(4, WRONG))
async def test_a_mistyped_move_gets_a_private_error_with_what_is_possible(world: World, typed: str, opened: None) -> None:
    board = world.last()
    answer = await world.ann.slash(world.channel, "move", action=typed)
    assert answer.ephemeral
    assert "You can " in world.text(answer)
    assert world.last().id == board.id
    played = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert "**Ann** bounces b2 → b3." in world.text(played)


@pytest.mark.parametrize(("typed", "answer"), [
    ("B2-B3", "**Ann** bounces b2 → b3."),
    ("b2 b3", "**Ann** bounces b2 → b3."),
    ("b2|b3", ASKED),
    ("b2 " * 40, ASKED),
])  # fmt: skip
async def test_a_typed_move_is_played_once_its_table_is_known(world: World, typed: str, answer: str) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "bouncers", world.ann, world.cleo)
    asked = await world.ann.slash(world.channel, "move", action=typed)
    assert "Which one?" in world.text(asked)
    await world.ann.click(reply(asked), label="#2 Bouncers: Ann, Cleo")
    assert answer in world.text(asked)


async def test_people_who_are_not_to_move_or_do_not_play_are_told_so_privately(world: World, opened: None) -> None:
    board = world.last()
    for member, words in (
        (world.ben, "Nothing to do for now. Waiting for Ann."),
        (world.cleo, "You’re not playing at table #1."),
    ):
        answer = await member.click(board, label="Move")
        assert answer.ephemeral
        assert words in world.text(answer)
    answer = await world.ben.slash(world.channel, "move", action="b7 b6")
    assert "It’s not your turn yet" in world.text(answer)
    answer = await world.cleo.slash(world.channel, "move", action="b7 b6")
    assert "You’re not in a game in this channel" in world.text(answer)


async def test_a_repeated_interaction_plays_once(world: World, opened: None) -> None:
    await world.ann.slash(world.channel, "move", action="b2 b3")
    count = len(world.messages())
    await world.repeat_last_interaction()
    assert len(world.messages()) == count
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last())


async def test_one_of_two_simultaneous_clicks_is_played_and_the_other_is_told(world: World, opened: None) -> None:
    panels = []
    for token in ("b2", "c2"):
        panel = await world.ann.click(world.last(), label="Move")
        await world.ann.click(reply(panel), label=token)
        await world.ann.click(reply(panel), label=f"{token[0]}3")
        panels.append(panel)
    async with world.at_once():
        for panel in panels:
            await world.ann.click(reply(panel), label="Play")
    boards = [m for m in world.messages() if "which piece bounces?" in world.text(m)]
    assert len(boards) == 1
    told = [world.text(panel) for panel in panels]
    assert sum("**Ann** bounces" in text for text in told) == 1


async def test_a_click_on_an_old_board_gets_the_current_one(world: World, opened: None) -> None:
    panel = await world.ann.click(world.last(), label="Move")
    await world.ann.slash(world.channel, "move", action="c2 c3")
    await world.ben.slash(world.channel, "move", action="b7 b6")
    await world.ann.click(reply(panel), label="c2")
    assert "The board has changed since. Here’s how it stands now." in world.text(panel)
    assert ASKED in world.text(panel)
    await world.ann.click(reply(panel), label="c3")
    assert "**Where does c3 bounce to?**" in world.text(panel)


@pytest.mark.slow
async def test_every_button_works_after_a_restart(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers")
    await world.restart()
    await world.ben.click(world.last(), label="Join")
    await world.restart()
    panel = await world.ann.click(world.last(), label="Move")
    await world.restart()
    await world.ann.click(reply(panel), label="b2")
    await world.restart()
    await world.ann.click(reply(panel), label="b3")
    await world.restart()
    await world.ann.click(reply(panel), label="Play")
    assert "**Ann** bounces b2 → b3." in world.text(world.last())
    await world.restart()
    more = await world.ben.click(world.last(), label="More")
    await world.restart()
    await world.ben.click(reply(more), label="Resign")
    await world.restart()
    await world.ben.click(reply(more), label="Resign")
    assert "Ann wins" in world.text(world.last())


async def test_an_unposted_board_is_posted_at_the_next_start(world: World, opened: None) -> None:
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=503, times=None)
    await world.ann.slash(world.channel, "move", action="b2 b3")
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last())
    world.env.backend.faults.clear()
    await world.restart()
    await world.pass_time(1000)
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last())


async def test_resigning_asks_first_and_ends_the_game(world: World, opened: None) -> None:
    await world.ann.slash(world.channel, "move", action="b2 b3")
    await world.ben.slash(world.channel, "move", action="b7 b6")
    asked = await by_way(world.ann, world.channel, "resign")
    assert "You can’t take that back" in world.text(asked)
    await world.ann.click(reply(asked), label="Play on")
    assert "nothing’s changed" in world.text(asked)
    asked = await by_way(world.ann, world.channel, "resign")
    await world.ann.click(reply(asked), label="Resign")
    end = world.last()
    assert "\nAnn resigned. **Ben wins!**\n-# Ratings: Ann 1000 → 950 (−50) · Ben 1000 → 1050 (+50)" in world.text(end)
    assert world.text(end).count("Ann resigned") == 1, "it is said once"
    assert "leaves the game" not in world.text(end)
    assert [b.label for b in buttons(end)] == ["Rematch", "Share", "Review", "More"]
    more = await world.ben.click(end, label="More")
    assert [b.label for b in buttons(more)] == [
        "Board", "Rematch", "What happened?", "Board in words", "Review", "Analyse", "Share", "Rules", "Verify",
    ]  # fmt: skip


async def test_a_game_in_which_somebody_never_acted_ends_unrated_and_says_so(world: World, opened: None) -> None:
    await world.ann.slash(world.channel, "move", action="b2 b3")
    asked = await by_way(world.ben, world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    assert "Ben resigned. **Ann wins!**\n-# Ratings unchanged: Ben never made a move." in world.text(world.last())


async def test_a_draw_is_offered_and_accepted(world: World, opened: None) -> None:
    answer = await by_way(world.ann, world.channel, "draw")
    assert "You offered Ben a draw" in world.text(answer)
    offer = world.last()
    assert world.pinged(offer) == {world.ben.id}
    answer = await by_way(world.ben, world.channel, "draw")
    assert "It’s a draw!" in world.text(answer)
    assert "**It’s a draw!**" in world.text(world.last())


async def test_boards_and_games_can_be_looked_at_by_anybody(world: World, opened: None) -> None:
    shown = await world.cleo.slash(world.channel, "board")
    assert shown.ephemeral
    assert "It’s 🔴 Ann’s turn." in world.text(shown)
    assert "16 pieces" not in world.text(shown), "words come with a button"
    words = await world.cleo.click(reply(shown), label="Board in words")
    assert "Ann, moving up: 16 pieces on a1" in world.text(words)
    listed = await world.ann.slash(world.channel, "games")
    world.says(listed, "**#1 Bouncers**", "**Which piece bounces?**")
    listed = await world.cleo.slash(world.channel, "games", mine=True)
    assert "No games going on here" in world.text(listed)


async def test_with_several_games_in_a_channel_the_bot_asks_which(world: World, opened: None) -> None:
    await world.cleo.slash(world.channel, "open", game="bouncers", opponent=world.ann)
    await world.ann.click(world.messages()[-2], label="Accept")
    asked = await world.ann.slash(world.channel, "board")
    assert "Which one?" in world.text(asked)
    assert [one.label for one in buttons(asked)] == ["#2 Bouncers: Cleo, Ann", "#1 Bouncers: Ann, Ben"]
    named = await world.cleo.slash(world.channel, "move", action="c2 c3", game="2")
    assert "**Cleo** bounces c2 → c3." in world.text(named)


async def test_a_typed_move_is_for_a_game_in_which_it_is_ones_turn(world: World) -> None:
    async def offered(option: str, typed: str) -> list[tuple[str, str]]:
        found = await world.ann.autocomplete(world.channel, "move", option, typed)
        return [(choice["name"], choice["value"]) for choice in found]

    await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "bouncers", world.cleo, world.ann)
    await open_table(world, "bouncers", world.ann, world.cleo)
    third, first = "#3 Bouncers: Ann, Cleo", "#1 Bouncers: Ann, Ben"
    assert await offered("action", "") == [(f"{third} …", "#3 "), (f"{first} …", "#1 ")]
    assert await offered("action", "ben") == [(f"{first} …", "#1 ")]
    assert await offered("game", "") == [(third, "3"), (first, "1")]
    assert ("b2 …", "#1 b2") in await offered("action", "#1 ")
    assert [value for _, value in await offered("action", "#1 b2 b")] == ["#1 b2 b3"]
    assert await offered("action", "#2 ") == []
    asked = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert [one.label for one in buttons(asked)] == [third, first]
    panel = await world.ann.slash(world.channel, "move", action="#1")
    assert "Which piece bounces?" in world.text(panel)
    played = await world.ann.slash(world.channel, "move", action="#1 b2 b3")
    assert "**Ann** bounces b2 → b3." in world.text(played)
    alone = await offered("action", "")
    assert alone
    assert not any(value.startswith("#") for _, value in alone), "the game is clear now"
    await world.cleo.slash(world.channel, "move", action="b2 b3", game="2")
    assert ("#2 Bouncers: Cleo, Ann …", "#2 ") in await offered("action", "")


async def test_an_invited_player_is_pinged_and_can_decline(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    lobby, invitation = world.messages()
    assert world.pinged(invitation) == {world.ben.id}
    full = await world.cleo.click(lobby, label="Accept")
    assert "not invited" in world.text(full)
    await world.ben.click(lobby, label="Decline")
    assert "one seat open" in world.text(world.messages()[0])
    await world.cleo.click(world.messages()[0], label="Join")
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last())


async def test_bots_and_oneself_cannot_be_invited(world: World) -> None:
    answer = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ann)
    assert answer.ephemeral
    assert "already in. Invite somebody else" in world.text(answer)
    assert world.messages() == []


async def test_a_game_in_a_thread_is_played_there(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", thread=True)
    await world.ben.click(world.messages()[0], label="Join")
    (thread,) = world.channel.threads
    assert "Bouncers #1" in (thread.name or "")
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(thread))
    await world.ann.slash(thread, "move", action="b2 b3")
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last(thread))


async def test_a_private_table_is_played_in_a_private_thread_and_nobody_else_learns_of_it(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    lobby = world.messages()[0]
    refused = await world.cleo.click(lobby, label="Accept")
    assert "There’s no table #1 here." in world.text(refused)
    await world.ben.click(lobby, label="Accept")
    (thread,) = world.channel.threads
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(thread))
    for command in ("board", "games"):
        looked = await by_way(world.cleo, world.channel, command, **({"game": "1"} if command == "board" else {}))
        assert "#1 here" in world.text(looked) or "No games going on here" in world.text(looked)
    assert await world.cleo.autocomplete(world.channel, "board", "game", "") == []
    assert len(await world.ben.autocomplete(world.channel, "board", "game", "")) == 1


async def test_the_help_begins_with_practice_and_has_at_most_five_doors(world: World) -> None:
    helped = await world.ann.slash(world.channel, "help")
    assert world.text(helped).splitlines()[2].startswith("- *Practise alone*")
    labels = [found.label for found in buttons(reply(helped))]
    assert labels == ["Practise alone", *(f"Learn {game.title}" for game in GAMES.values())]
    assert len(labels) <= 5
    await world.ann.click(reply(helped), label="Practise alone")
    assert "How strong should it be?" in world.text(helped)


async def test_a_missing_permission_is_named_before_a_table_is_opened(world: World) -> None:
    channel = world.guild.create_text_channel(
        "quiet", overwrites={world.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )
    answer = await world.ann.slash(channel, "open", game="bouncers")
    assert answer.ephemeral
    text = world.text(answer)
    assert re.search(r"I still need: .*Attach Files", text), text
