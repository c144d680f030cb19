"""Playing with computers in Discord: how they join a table, what is seen and heard of them, and whole games."""

import re
from dataclasses import replace
from typing import Any

import aiohttp
import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.core.jobs import Outbox
from bot.features.playing import messages
from bot.features.verify.service import Proof
from bot.i18n.language import ENGLISH
from bot.messages import panel as panel_module
from bot.messages.builder import Picture
from bot.messages.click import Click
from bot.messages.pictures import picture
from bot.messages.players import COMPUTER_MARK
from bot.messages.story import WIDTH
from engines.game import Action, Event, legal_actions
from loopback.limits import ANSWERS
from storage.schema.records import EntryKind, Level, Status
from tests.bot.forging import forged
from tests.bot.kit import Message, World, a_chief, button, buttons, labels, press, reply
from tests.bot.outbox.test_permissions import allow
from tests.bot.refusals import EDIT, SEND, a_bad_line
from tests.bot.seated import Seated, all_that_is_public, core_of, open_table, pings
from tests.bot.service import some
from tests.bot.settings_panels import fill, open_panel
from tests.bot.ways import by_seats, by_way
from tests.marks import quick_first

A_WHILE = 6.0
"""Seconds in which a computer plays a turn, even one of several actions."""


async def opened(world: World, game: str, *people: MemberActor, **options: object) -> Seated:
    """The table that the first of these people opens with `/play`."""
    await people[0].slash(world.channel, "open", game=game, **options)
    (table, *_) = await core_of(world).tables(guild_id=world.guild.id)
    place = next((thread for thread in world.channel.threads if thread.id == table.thread_id), world.channel)
    return Seated(world, table.id, people, place)


@pytest.fixture
async def table(world: World) -> Seated:
    """A game of Ann's against an easy computer, which everybody can watch."""
    return await opened(world, "bouncers", world.ann, computer="easy")


async def played_by_computers(table: Seated) -> None:
    """Let time pass until the computers have nothing left to do."""
    for _ in range(100):
        snapshot = await table.snapshot()
        if not snapshot.thinking:
            return
        await table.world.pass_time(A_WHILE)
    raise AssertionError("the computers do not play")


@pytest.mark.slow
async def test_a_game_against_a_computer_begins_at_once_and_each_round_edits_its_board(world: World, table: Seated) -> None:
    lobby, board = world.messages()
    name = (await table.snapshot()).players[1].name
    assert f"🔵{COMPUTER_MARK} {name} (computer, easy)" in world.text(board)
    world.says(lobby, f"{name} (computer, easy)", "not rated")
    assert "Join" not in labels(lobby)
    for _ in range(3):
        calls, heard = len(world.watch.calls), len(pings(world))
        (seat,) = (await table.snapshot()).playing.to_act
        assert seat == 0
        panel = await table.type(world.ann, await table.random_action(world.ann))
        assert f"-# {name} is thinking …" in world.text(panel)
        assert world.text(world.last()).strip().splitlines()[-1] == f"{name} is thinking …"
        await played_by_computers(table)
        assert [message.id for message in world.messages()] == [lobby.id, board.id], "all is shown in one place"
        story = world.text(world.last())
        assert f"<@{world.ann.id}>, " in story
        assert f"**{name}**" in story, "it tells what the computer played"
        assert len(pings(world)) == heard, "whoever has just played looks at the board"
        acted = list(world.watch.calls[calls:])
        assert len([call for call in acted if call.kind in ANSWERS]) == 2
        assert len(acted) <= 4, "two turns: the answer, the edit, and another edit of both"
        assert "Which piece bounces?" in world.text(panel)


async def practised(
    world: World, game: str = "bouncers", level: str = "easy", *, openly: bool = False
) -> tuple[Seated, InteractionResult]:
    """A practice game opened by Ann, and her panel."""
    shown = await world.ann.slash(world.channel, "help")
    panel = await world.ann.click(reply(shown), label="Practise alone")
    if openly:
        await world.ann.click(reply(panel), label="Let others watch")
    (wanted,) = [one for one in buttons(panel) if (one.custom_id or "").endswith(f"|{game} {level}")]
    await world.ann.click(reply(panel), custom_id=wanted.custom_id)
    (newest, *_) = sorted(await core_of(world).tables(guild_id=world.guild.id), key=lambda table: -table.id)
    return Seated(world, newest.id, (world.ann,), world.channel), panel


async def test_a_game_alone_is_played_in_one_private_message(world: World) -> None:
    table, panel = await practised(world)
    rival = (await table.snapshot()).players[1].name
    assert f"{rival} (computer, easy)" in before_the_picture(panel)
    assert "To win, capture all 16 or leave your opponent without a move." in world.text(panel)
    for _ in range(3):
        assert "Which piece bounces?" in world.text(panel)
        await table.press(world.ann, reply(panel), await table.random_action(world.ann))
        assert f"{rival} is thinking …" in world.text(panel)
        assert labels(panel)[:1] == ["Refresh"]
        await played_by_computers(table)
        answer = re.search(rf"\*\*{rival}\*\* (\*\*)?bounces", world.text(panel))
        assert answer is not None, "what the computer has played"
        assert "**Ann** " not in world.text(panel), "one’s own move was certain, so it is not told again"
    assert "Which piece bounces?" in world.text(panel)
    assert labels(panel)[-3:] == ["Hint", "What happened?", "More"]
    more = await world.ann.click(reply(panel), label="More")
    assert {"Rules", "Undo", "Resign"} <= {one.label for one in buttons(more)}
    await world.ann.click(reply(more), label="Back")
    assert "Which piece bounces?" in world.text(panel)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["bouncers", "trampoline", "bunny", "pucks"])
async def test_pictures_show_the_answer_and_what_was_drawn(world: World, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    shown: list[tuple[Event, ...]] = []

    async def noted(*args: Any, **values: Any) -> Picture:
        shown.append(tuple(values.get("events", ())))
        return await picture(*args, **values)

    for module in (messages, panel_module):  # of whoever waits, and of whoever picks
        monkeypatch.setattr(module, "picture", noted)
    table, panel = await practised(world, game)
    await played_by_computers(table)  # who may begin
    turns = 0
    while turns < 2:
        snapshot = await table.snapshot()
        if snapshot.table.status is not Status.PLAYING:
            break
        await table.press(world.ann, reply(panel), await table.random_action(world.ann))
        if not (await table.snapshot()).thinking:
            continue
        assert {event.seat for event in shown[-1] if event.detail is not None} == {0}, "one’s own turn, while it thinks"
        await played_by_computers(table)
        turns += 1
        own = {0} if game in {"trampoline", "bunny"} else set[int]()
        assert {event.seat for event in shown[-1] if event.detail is not None} <= own | {1}, (
            "what was certain is not shown again"
        )
        assert all(event.known_to(0) for event in shown[-1])


def before_the_picture(panel: InteractionResult) -> str:
    """The texts of a message above its picture."""
    above: list[str] = []
    (container,) = reply(panel).components
    for part in container["components"]:
        if part["type"] == discord.ComponentType.media_gallery.value:
            return "\n".join(above)
        above.append(part.get("content", ""))
    raise AssertionError("it has no picture")


@pytest.mark.slow
async def test_a_long_answer_leaves_the_title_in_view_on_a_phone_and_what_happened_tells_all(world: World) -> None:
    table, panel = await practised(world, "pucks")
    while " more: *What happened?*" not in before_the_picture(panel):
        await table.press(world.ann, reply(panel), await a_move_or_else(table))
        await played_by_computers(table)
    title, _, *told = before_the_picture(panel).split("\n")
    assert title.startswith("**Puck Bumpers #")
    assert "**Ann**" not in "".join(told)
    assert sum(-(-len(line.replace("*", "")) // WIDTH) for line in told) <= 6, "five rows, and the count of the others"
    await world.ann.click(reply(panel), label="What happened?")
    assert re.search(r"^1\\?\. ", world.text(panel), re.MULTILINE)
    assert " more:" not in world.text(panel)


@pytest.mark.slow
async def test_what_happened_tells_the_answer_throughout_the_turn(world: World) -> None:
    table, panel = await practised(world, "pucks")
    turns = 0
    while turns < 2 or (await table.snapshot()).playing.state.phase != "draw":
        await table.press(world.ann, reply(panel), await a_move_or_else(table))
        turns += (await table.snapshot()).thinking
        await played_by_computers(table)

    async def told() -> list[str]:
        if "What happened?" not in labels(panel):
            await world.ann.click(reply(panel), label="More")
        await world.ann.click(reply(panel), label="What happened?")
        lines = world.text(panel).split("### Since your last turn\n")[1].split("\n")
        await world.ann.click(reply(panel), label="Back")
        return lines

    answer = [line for line in await told() if "moves" in line or "slides" in line]
    assert answer
    for _ in range(2):
        await table.press(world.ann, reply(panel), await a_move_or_else(table))
        now = await told()
        assert [line for line in now if line in answer] == answer
        assert "**Ann**" in "".join(now), "and what she has done since"


@pytest.mark.slow
async def test_a_turn_of_several_actions_is_told_whole_until_the_computer_has_answered(world: World) -> None:
    table, panel = await practised(world, "bunny")
    await played_by_computers(table)
    await table.press(world.ann, reply(panel), ("enter", "c"))
    while not (await table.snapshot()).thinking:
        phase = (await table.snapshot()).playing.state.phase
        await table.press(world.ann, reply(panel), ("pass",) if phase == "shock" else await table.random_action(world.ann))
    assert "**Ann** hops in on c1" in before_the_picture(panel)
    await played_by_computers(table)
    answered = before_the_picture(panel)
    assert "**Ann** hops in on c1" not in answered or (await table.snapshot()).playing.log[-2].entry.tokens == ("enter", "c")
    await press(world.ann, reply(panel), "What happened?", "Back")
    assert before_the_picture(panel) == answered


@pytest.mark.slow
async def test_whatever_replaces_a_game_alone_has_a_button_back_to_it(world: World) -> None:
    table, panel = await practised(world)
    await table.press(world.ann, reply(panel), await table.random_action(world.ann))
    await played_by_computers(table)

    async def opened_from_more(label: str) -> None:
        await world.ann.click(reply(panel), label="More")
        await world.ann.click(reply(panel), label=label)

    answer = before_the_picture(panel)
    assert answer.count("bounces") == 1
    await opened_from_more("Rules")
    await press(world.ann, reply(panel), "Next", "Back")
    assert "Which piece bounces?" in world.text(panel)
    assert before_the_picture(panel) == answer, "what the computer has done stands there again"
    await press(world.ann, reply(panel), "What happened?", "Back")
    assert before_the_picture(panel) == answer
    for label in ("Resign", "Call off"):
        await opened_from_more(label)
        await world.ann.click(reply(panel), label="Play on")
        world.says(panel, "nothing’s changed", "Which piece bounces?")
    await opened_from_more("Offer a draw")
    await world.pass_time(A_WHILE)
    world.says(panel, "declined the draw.", "Which piece bounces?")
    await opened_from_more("Undo")
    world.says(panel, "Taken back!", "Which piece bounces?")
    await opened_from_more("Resign")
    await world.ann.click(reply(panel), label="Resign")
    assert "You resigned" in world.text(panel)
    assert "Rematch" in labels(panel)


@pytest.mark.slow
async def test_a_player_who_can_only_end_the_turn_is_told_why_and_may_undo(world: World) -> None:
    table, panel = await practised(world, "pucks")
    for _ in range(80):
        if "none of your cards can be played now." in world.text(panel) and "Undo" in labels(panel):
            break
        await played_by_computers(table)
        assert ("Keep going with" in world.text(panel)) <= ("Undo" in labels(panel))
        await table.press(world.ann, reply(panel), await a_move_or_else(table))
    shown = labels(panel)
    assert shown.index("Undo") == shown.index("End turn") + 1
    assert "Spend the rest" not in shown
    await world.ann.click(reply(panel), label="Undo")
    world.says(panel, "Taken back!", "action left")


@pytest.mark.parametrize(("game", "offered"), [("bouncers", True), ("trampoline", False)])
async def test_an_undo_is_offered_only_where_something_can_be_taken_back(world: World, game: str, offered: bool) -> None:
    table, panel = await practised(world, game)

    async def in_more() -> bool:
        more = await world.ann.click(reply(panel), label="More")
        found = "Undo" in labels(more)
        await world.ann.click(reply(panel), label="Back")
        return found

    assert not await in_more(), "nothing is done yet"
    await table.press(world.ann, reply(panel), await table.random_action(world.ann))
    await played_by_computers(table)
    if not await table.over():
        assert await in_more() == offered, "a roll cannot be taken back"


async def test_a_late_undo_is_a_line_in_the_panel_and_no_other_message(world: World) -> None:
    table, panel = await practised(world)
    await table.press(world.ann, reply(panel), await table.random_action(world.ann))
    await played_by_computers(table)
    await world.ann.click(reply(panel), label="More")
    await by_way(world.ann, world.channel, "undo")
    late = await world.ann.click(reply(panel), label="Undo")
    assert "There’s nothing to take back yet." in before_the_picture(panel)
    assert "Which piece bounces?" in world.text(panel)
    assert not late.followups


async def test_a_late_undo_among_people_is_a_line_with_the_way_back(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.act(world.ann, ("b2", "b3"))
    await table.show_all()
    more = await world.ann.click(table.board(), label="More")
    await table.act(world.ben, ("b7", "b6"))
    late = await world.ann.click(reply(more), label="Undo")
    assert "You can only take back your own last move, and only if nobody has moved since." in world.text(more)
    assert not late.followups
    await world.ann.click(reply(more), label="Back")
    assert "Which piece bounces?" in world.text(more)


@pytest.mark.slow
async def test_an_end_tells_the_players_own_last_turn_too_and_no_resignation_twice(world: World) -> None:
    lost = 0
    for game in ("trampoline", "bouncers"):
        table, panel = await practised(world, game)
        while not await table.over():
            await table.press(world.ann, reply(panel), await table.random_action(world.ann))
            await played_by_computers(table)
        ended = world.text(panel)
        winner = some((await table.snapshot()).playing.outcome)
        last = (await table.snapshot()).playing.in_force[-1]
        if winner.winners != (0,):
            lost += 1
            assert re.search(r"\*\*Ann\*\* (\*\*)?(rolls|bounces|moves)|\*\*Ann (rolls|bounces|moves)", ended)
        if last.entry.kind is EntryKind.WITHDRAW:
            assert ended.count("resigned.") == 1
        more = await world.ann.click(reply(panel), label="More")
        assert "What happened?" in labels(more)
        await world.ann.click(reply(panel), label="Back")
        assert world.text(panel) == ended, "the way back leads to the same"
        if "Replay" in labels(panel):
            await world.ann.click(reply(panel), label="Replay")
            analysable = "Analyse" in labels(panel)
            assert analysable == (await table.snapshot()).playing.has_choices, "luck alone leaves nothing to analyse"
            await world.ann.click(reply(panel), label="Analyse" if analysable else "Back")
            await world.ann.click(reply(panel), label="Back") if analysable else None
            assert world.text(panel) == ended
    assert lost, "whoever plays at random loses"


async def a_move_or_else(table: Seated) -> Action:
    """An action of Ann's: a move if possible, else a card, else the end of the turn."""
    history = (await table.snapshot()).playing
    actions = list(legal_actions(history.game, history.state, 0))
    cards = [action for action in actions if action[0] == "play"]
    moves = [action for action in actions if action[0] not in {"play", "place", "end"}]
    return table.dice.choice(moves or cards or actions)


@pytest.mark.slow
async def test_the_panel_ends_with_the_result_and_another_game_goes_on_in_it(world: World) -> None:
    table, panel = await practised(world, "trampoline")
    rolls = 0
    while not await table.over():
        await table.press(world.ann, reply(panel), ("roll",))
        await played_by_computers(table)
        rolls += 1
        assert rolls < 100
    winner = some((await table.snapshot()).playing.outcome)
    assert ("**You win!**" if winner.winners == (0,) else " win") in world.text(panel)
    assert "Ann wins!" not in world.text(panel)
    assert world.text(panel).count("**Ann** rolls") <= 1, "the last roll is told once"
    offered = labels(panel)
    assert [label for label in offered if label != "Replay"] == ["Rematch", "Share", "More"]
    await world.ann.click(reply(panel), label="Rematch")
    await played_by_computers(replace(table, table_id=table.table_id + 1))
    assert any((one.label or "").startswith("Roll") for one in buttons(panel))


async def test_shorter_and_longer_bouncers_can_be_practised_after_each_other(world: World) -> None:
    asked = await world.ann.click(reply(await world.ann.slash(world.channel, "help")), label="Practise alone")
    await world.ann.click(reply(asked), label="8×8, 12 pieces each")
    assert "**Bouncers**, 8×8, 12 pieces each" in world.text(asked)
    await world.ann.click(reply(asked), label="Hard")
    for number, variant, other in ((1, "8x8-12", "8×8, 16 pieces each"), (2, "8x8-16", "8×8, 12 pieces each")):
        snapshot = await core_of(world).snapshot(number)
        assert (snapshot.table.variant, snapshot.table.solo) == (variant, True)
        assert Level.HARD in [player.computer for player in snapshot.players]
        more = await world.ann.click(reply(asked), label="More")
        await press(world.ann, reply(more), "Resign", "Resign")
        await world.ann.click(reply(asked), label=other)
        assert "Which piece bounces?" in world.text(asked)
    assert (await core_of(world).snapshot(3)).table.variant == "8x8-12"


@pytest.mark.parametrize("how", ["restart", "expired"])
async def test_the_next_press_takes_over_from_a_forgotten_one(world: World, how: str) -> None:
    table, panel = await practised(world)
    await table.press(world.ann, reply(panel), await table.random_action(world.ann))
    if how == "restart":
        await world.restart()
    else:
        with world.env._bot_scope():
            await world.client.computers.close()
        await world.pass_time(16 * 60)
        await world.restart()
    await played_by_computers(table)
    assert "is thinking …" in world.text(panel)
    await world.ann.click(reply(panel), label="Refresh")
    world.says(panel, "Which piece bounces?", "bounces")


async def test_a_player_who_opens_another_panel_goes_on_there(world: World) -> None:
    table, panel = await practised(world, openly=True)
    await table.press(world.ann, reply(panel), await table.random_action(world.ann))
    other = await world.ann.click(table.board(), label="Move")
    await played_by_computers(table)
    assert "Which piece bounces?" not in world.text(panel)
    assert other.ephemeral


@pytest.mark.slow
async def test_a_game_of_ones_own_is_neither_posted_nor_seen_by_others(world: World) -> None:
    table, panel = await practised(world)
    for _ in range(2):
        await table.press(world.ann, reply(panel), await table.random_action(world.ann))
        await played_by_computers(table)
    await world.pass_time(60 * 86400)
    assert world.messages() == []
    assert pings(world) == []
    assert await core_of(world).service(Outbox).next_due() is None
    assert f"#{table.table_id}" not in world.text(await world.ben.slash(world.channel, "games"))
    assert "There’s no table" in world.text(await world.ben.slash(world.channel, "board", game=str(table.table_id)))


@pytest.mark.slow
async def test_a_game_of_ones_own_can_be_found_again_and_shared(world: World) -> None:
    table, _ = await practised(world)
    again = await world.ann.slash(world.channel, "board", game=str(table.table_id))
    assert "Which piece bounces?" in world.text(again)
    assert again.ephemeral
    refused = await forged(world.ann, reply(again), Click("substitute", table.table_id))
    assert "You’re playing this game alone" in world.text(refused)
    draw = await by_way(world.ann, world.channel, "draw", game=str(table.table_id))
    await world.pass_time(A_WHILE)
    assert "declined the draw." in world.text(draw)
    await table.type(world.ann, ("b2", "b3"))
    await played_by_computers(table)
    shown = await by_way(world.ann, world.channel, "resign", game=str(table.table_id))
    await world.ann.click(reply(shown), label="Resign")
    assert await table.over()
    over = await world.ann.slash(world.channel, "board", game=str(table.table_id))
    shared = await world.ann.click(reply(over), label="Share")
    await world.ann.click(reply(shared), label="Post here")
    await world.pass_time(60)
    assert len(world.messages()) == 1, "what one shares is posted, and nothing else"


async def test_a_private_game_with_computers_alone_is_unseen_even_where_nothing_can_be_posted(world: World) -> None:
    allow(world, world.channel.id, send_messages=False, create_private_threads=False)
    panel = await world.ann.slash(world.channel, "open", game="bouncers", computer="easy", private=True)
    assert panel.ephemeral
    assert "Which piece bounces?" in world.text(panel)
    assert world.messages() == []
    assert world.channel.threads == []


async def test_whether_others_can_watch_is_remembered(world: World) -> None:
    await practised(world, openly=True)
    assert len(world.messages()) == 2
    shown = await open_panel(world, world.ann)
    assert "Others can watch you practise: On" in world.text(shown)
    asked = await world.ann.click(reply(await world.ann.slash(world.channel, "help")), label="Practise alone")
    assert "Everybody here can watch." in world.text(asked)
    await world.ann.click(reply(asked), label="Just for me")
    assert "Nobody else sees your game." in world.text(asked)


@pytest.mark.slow
async def test_the_last_of_several_computers_brings_the_panel(world: World) -> None:
    table = await opened(world, "trampoline", world.ann, computer="easy", seats=3)
    await played_by_computers(table)
    panel = await table.type(world.ann, ("roll",))
    await played_by_computers(table)
    names = [player.name for player in (await table.snapshot()).players[1:]]
    assert all(name in world.text(panel) for name in names)
    assert any((one.label or "").startswith("Roll") for one in buttons(panel))


@pytest.mark.slow
async def test_a_whole_game_against_computers_leaves_one_board_and_its_replay(world: World) -> None:
    table = await opened(world, "trampoline", world.ann, computer="easy", seats=3)
    lobby = world.messages()[0]
    await played_by_computers(table)
    board = world.last()
    while (await table.snapshot()).table.status is Status.PLAYING:
        await table.type(world.ann, ("roll",))
        await played_by_computers(table)
    await world.pass_time(60)
    first, last, replay = world.messages()
    assert (first.id, last.id) == (lobby.id, board.id)
    assert "wins" in world.text(last)
    assert "Rematch" in labels(last)
    assert any(".gif" in file.filename for file in replay.attachments)
    assert await core_of(world).service(Outbox).next_due() is None


async def test_a_server_that_keeps_old_boards_has_one_for_each_turn_against_computers(world: World) -> None:
    await fill(world, a_chief(world), "server-settings", "new-tables", old_boards="keep")
    table = await opened(world, "bouncers", world.ann, computer="easy")
    told = len(world.messages())
    await table.type(world.ann, await table.random_action(world.ann))
    await played_by_computers(table)
    assert len(world.messages()) == told + 1


@pytest.mark.slow
async def test_a_person_who_has_looked_away_gets_a_new_board(world: World, table: Seated) -> None:
    for _ in range(2):
        board = world.last()
        await world.pass_time(3600)
        await table.type(world.ann, await table.random_action(world.ann))
        await played_by_computers(table)
        assert world.last().id != board.id, "Discord rations edits of the one before"
        (folded,) = (message for message in world.messages() if message.id == board.id)
        assert world.text(folded).startswith("-# #1 · ")
    board = world.last()
    shown = await by_way(world.ann, world.channel, "resign")
    await world.ann.click(reply(shown), label="Resign")
    assert world.last().id != board.id, "it is not the answer to a move"


async def test_an_edit_whose_result_is_unknown_is_repeated_to_the_same_effect(world: World, table: Seated) -> None:
    board = world.last()
    with a_bad_line(world, EDIT, aiohttp.ServerDisconnectedError, arrives=True):
        await table.type(world.ann, await table.random_action(world.ann))
        await played_by_computers(table)
    await world.restart()
    await world.pass_time(600)
    snapshot = await table.snapshot()
    assert world.last().id == board.id == snapshot.table.board_message_id
    assert (snapshot.table.board_version, snapshot.table.board_turn) == (snapshot.table.version, snapshot.table.turn)
    assert f"<@{world.ann.id}>, " in world.text(world.last())


async def test_a_board_that_was_deleted_in_a_game_against_computers_is_posted_anew(world: World, table: Seated) -> None:
    board = world.last()
    world.env.backend.delete_message(world.channel.id, board.id)
    await table.type(world.ann, await table.random_action(world.ann))
    await played_by_computers(table)
    assert world.last().id != board.id
    assert f"<@{world.ann.id}>, " in world.text(world.last())


async def test_a_roll_by_a_button_of_the_board_is_told_with_the_answer_of_the_computer(world: World) -> None:
    table = await opened(world, "trampoline", world.ann, computer="easy")
    name = (await table.snapshot()).players[1].name
    await played_by_computers(table)
    for _ in range(2):
        board = world.last()
        await world.ann.click(board, label=next(one.label for one in buttons(board) if "Roll" in (one.label or "")))
        await played_by_computers(table)
        (own, *_, answer) = (line for line in world.text(world.last()).splitlines() if "**" in line and "#" not in line)
        rolled = (await table.snapshot()).playing.log[-2].events[0].detail
        assert "**Ann**" in own
        assert " + ".join(str(die) for die in rolled.dice) in own
        assert f"**{name}**" in answer


async def test_computers_take_all_chosen_seats_that_nobody_is_invited_to(world: World) -> None:
    alone = await opened(world, "trampoline", world.ann, computer="hard", seats=4)
    snapshot = await alone.snapshot()
    assert snapshot.table.status is Status.PLAYING
    assert [player.computer for player in snapshot.players] == [None, Level.HARD, Level.HARD, Level.HARD]
    assert len({player.name for player in snapshot.players}) == 4
    invited = await opened(world, "trampoline", world.ann, computer="easy", seats=3, opponent=world.ben)
    snapshot = await invited.snapshot()
    assert snapshot.table.status is Status.OPEN, "one of them is a person who is to agree"
    await world.ben.click(world.last(), label="Accept")
    snapshot = await invited.snapshot()
    assert snapshot.table.status is Status.PLAYING
    assert sorted(player.computer is None for player in snapshot.players) == [False, True, True]


@pytest.mark.parametrize(("options", "said"), [
    ({"seats": 2, "opponent": "ben"}, "There’s no seat left for a computer. Choose more seats, or invite fewer people."),
    ({"opponent": "ben"}, "Bouncers is for 2 players."),
    ({"seats": 3}, "Bouncers is for 2 players."),
])  # fmt: skip
async def test_computers_without_a_seat_are_refused_in_words(world: World, options: dict[str, object], said: str) -> None:
    wanted = {name: world.ben if value == "ben" else value for name, value in options.items()}
    shown = await world.ann.slash(world.channel, "open", game="bouncers", computer="easy", **wanted)
    assert world.text(shown) == said
    assert world.messages() == []


async def test_computers_come_and_go_in_the_lobby(world: World) -> None:
    table = await opened(world, "pucks", world.ann, seats=3, options="setup:random")
    refused = await world.ben.click(reply_of(world), label="Add a computer")
    assert labels(refused) == ["Easy", "Medium", "Hard", "Expert"]
    refused = await world.ben.click(reply(refused), label="Hard")
    assert "Take a seat first" in world.text(refused)
    panel = await world.ann.click(reply_of(world), label="Add a computer")
    assert panel.ephemeral
    panel = await world.ann.click(reply(panel), label="Hard")
    name = (await table.snapshot()).players[1].name
    world.says(reply_of(world), f"{name} (computer, hard)", "not rated")
    removing = some(Click.read(button(panel, f"Remove {name}").custom_id or ""))
    await world.ann.click(reply(panel), label=f"Remove {name}")
    assert name not in world.text(reply_of(world))
    assert "not rated" not in world.text(reply_of(world)), "it is as it was before"
    again = await forged(world.ann, reply(panel), removing)
    assert "isn’t at table" in world.text(again)
    for level in ("Easy", "Expert"):
        panel = await world.ann.click(reply(await world.ann.click(reply_of(world), label="Add a computer")), label=level)
    assert "the game is on" in world.text(panel)
    assert (await table.snapshot()).table.status is Status.PLAYING
    assert [player.computer for player in (await table.snapshot()).players] == [None, Level.EASY, Level.EXPERT]


async def test_somebody_alone_at_a_table_for_two_is_offered_a_computer_beside_join(world: World) -> None:
    table = await opened(world, "bouncers", world.ann)
    assert labels(reply_of(world))[:2] == ["Join", "Play against the computer"]
    assert "… one seat open for another player (*Join*) or a computer" in world.text(reply_of(world))
    panel = await world.ann.click(reply_of(world), label="Play against the computer")
    await world.ann.click(reply(panel), label="Easy")
    assert (await table.snapshot()).is_alone


@pytest.mark.parametrize("by", ["Leave", "Join"])
async def test_the_panel_for_the_computers_follows_what_happens_in_the_lobby(world: World, by: str) -> None:
    await opened(world, "bouncers", world.ann)
    panel = await world.ann.click(reply_of(world), label="Play against the computer")
    await (world.ann if by == "Leave" else world.ben).click(reply_of(world), label=by)
    await world.pass_time(1)
    assert buttons(panel) == []
    assert ("This table is closed." if by == "Leave" else "the game is on!") in world.text(panel)


async def test_the_panel_for_the_computers_of_a_larger_table_goes_on_while_people_come_and_go(world: World) -> None:
    await opened(world, "trampoline", world.ann, seats=3)
    panel = await world.ann.click(reply_of(world), label="Add a computer")
    assert "2 seats are open." in world.text(panel)
    await world.ben.click(reply_of(world), label="Join")
    await world.pass_time(1)
    assert "One seat is open." in world.text(panel)
    await world.ben.click(reply_of(world), label="Leave")
    await world.pass_time(1)
    assert "2 seats are open." in world.text(panel)


def reply_of(world: World) -> Message:
    return world.messages()[0]


@pytest.mark.parametrize("way", quick_first(1, ["help", "rules"]))
async def test_practising_alone_is_two_clicks_away(world: World, way: str) -> None:
    shown = await by_way(world.ann, world.channel, way, **({"game": "bunny"} if way == "rules" else {}))
    asked = await world.ann.click(reply(shown), label="Practise alone")
    easy = [one for one in buttons(asked) if (one.custom_id or "").endswith("|bunny easy")]
    answer = await world.ann.click(reply(asked), custom_id=easy[0].custom_id)
    (table,) = await core_of(world).tables(guild_id=world.guild.id)
    snapshot = await core_of(world).snapshot(table.id)
    assert (table.game, table.status) == ("bunny", Status.PLAYING)
    assert [player.computer for player in snapshot.players] == [None, Level.EASY]
    name = snapshot.players[1].name
    above = world.text(answer).splitlines()
    assert above[0] == f"**Bounce Bunny Bounce #{table.id}**"
    assert f"{name} (computer, easy)" in above[1]
    assert "/board" in world.text(answer), "that brings it back"
    await played_by_computers(Seated(world, table.id, [world.ann], world.channel))
    assert world.messages() == []


async def test_practising_alone_keeps_to_the_channels_of_the_server(world: World) -> None:
    elsewhere = world.guild.create_text_channel("elsewhere")
    chief = a_chief(world)
    await fill(world, chief, "server-settings", "channels", channels=[elsewhere])
    asked = await world.ann.click(reply(await world.ann.slash(world.channel, "help")), label="Practise alone")
    refused = await world.ann.click(reply(asked), custom_id=buttons(asked)[0].custom_id)
    assert f"Games on this server are played in <#{elsewhere.id}>." in world.text(refused)
    assert await core_of(world).tables(guild_id=world.guild.id) == ()


async def test_the_next_message_tells_what_could_not_be_added_to_an_old_one(world: World, table: Seated) -> None:
    board = world.last()
    await world.pass_time(2 * 3600)
    await table.type(world.ann, ("b2", "b3"))
    assert world.last().id == board.id
    assert "b2 → b3" not in world.text(world.last()), "a message that is older than an hour is not edited"
    await played_by_computers(table)
    (retired, told) = world.messages()[-2:]
    assert retired.id == board.id
    world.says(told, "**Ann** bounces b2 → b3.", f"**{(await table.snapshot()).players[1].name}**")


async def test_an_unrecorded_board_loses_its_buttons_although_its_player_was_quicker(world: World, table: Seated) -> None:
    await world.pass_time(3600)
    await table.type(world.ann, await table.random_action(world.ann))
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await played_by_computers(table)
        known = (await table.snapshot()).table.board_message_id
        assert known != world.last().id, "it is there, but was not noted"
        await table.type(world.ann, await table.random_action(world.ann))
    await played_by_computers(table)
    await world.pass_time(3600)
    newest = (await table.snapshot()).table.board_message_id
    assert newest == world.last().id
    live = [message.id for message in world.messages()[1:] if any(button.label == "Move" for button in buttons(message))]
    assert live == [newest]
    assert await core_of(world).service(Outbox).next_due() is None


@pytest.mark.slow
async def test_another_person_is_pinged_once_and_told_of_everything_since(world: World) -> None:
    table = await opened(world, "trampoline", world.ann, computer="easy", seats=3, opponent=world.ben)
    await world.ben.click(world.last(), label="Accept")
    table.people = [world.ann, world.ben]
    for _ in range(4):
        (acting,) = await table.awaited()
        heard, told = len(pings(world)), len(world.messages())
        await world.pass_time(3600)
        await table.type(acting, await table.random_action(acting))
        if (await table.snapshot()).thinking:
            assert len(world.messages()) == told
            assert len(pings(world)) == heard, "nobody is called to see a computer think"
            await played_by_computers(table)
        (following,) = await table.awaited()
        if following != acting:
            assert pings(world)[heard:] == [following.id]
            assert len(world.messages()) == told + 1


@pytest.mark.slow
async def test_somebody_who_has_been_away_is_pinged(world: World, table: Seated) -> None:
    """A computer that has thought for very long, because the bot was away, may not assume that anybody is looking."""
    await table.act(world.ann, await table.random_action(world.ann))
    heard = len(pings(world))
    await world.restart()
    await played_by_computers(table)
    assert pings(world)[heard:] == [], "the computer has answered within minutes"
    await table.act(world.ann, await table.random_action(world.ann))
    with world.env._bot_scope():
        await world.client.computers.close()
    await world.pass_time(3600)
    assert (await table.snapshot()).thinking
    heard = len(pings(world))
    await world.restart()
    await played_by_computers(table)
    assert pings(world)[heard:] == [world.ann.id]


async def test_a_private_game_with_a_computer_stays_in_its_thread(world: World) -> None:
    table = await opened(world, "trampoline", world.ann, opponent=world.ben, computer="easy", seats=3, private=True)
    await world.ben.click(world.last(table.channel), label="Accept")
    await played_by_computers(table)
    name = (await table.snapshot()).players[2].name
    assert name in world.text(world.last(table.channel))
    assert name not in "\n".join(map(world.text, world.messages()))


@pytest.mark.slow
async def test_asking_something_of_a_computer_is_answered_in_words(world: World, table: Seated) -> None:
    name = (await table.snapshot()).players[1].name
    offered = await by_way(world.ann, world.channel, "draw")
    assert f"You offered {name} a draw." in world.text(offered), "above the game, on the board where it was pressed"
    heard = len(pings(world))
    await world.pass_time(A_WHILE)
    assert world.text(world.last()) == f"🔵{COMPUTER_MARK} {name} declined the draw."
    assert (await table.snapshot()).table.offers.draw is None
    assert pings(world)[heard:] == []
    await table.type(world.ann, await table.random_action(world.ann))
    refused = await by_way(world.ann, world.channel, "nudge")
    assert "A computer is thinking" in world.text(refused)
    await played_by_computers(table)
    heard = len(pings(world))
    undone = await by_way(world.ann, world.channel, "undo")
    assert "Taken back!" in world.text(undone)
    assert pings(world)[heard:] == [], "that is nobody's doing but Ann's"
    assert ((await table.snapshot()).playing.to_act, (await table.snapshot()).playing.in_force) == ((0,), ())
    resigned = await world.ann.click(reply(await by_way(world.ann, world.channel, "resign")), label="Resign")
    assert "You resigned" in world.text(resigned)
    again = await world.ann.click(world.last(), label="Rematch")
    assert "Table #2: you play 🔵, and Ricochet begins." in world.text(again)
    (rematch, *_) = await core_of(world).tables(guild_id=world.guild.id)
    snapshot = await core_of(world).snapshot(rematch.id)
    assert snapshot.table.status is Status.PLAYING
    assert [player.computer for player in snapshot.players] == [Level.EASY, None]


async def test_a_computer_takes_the_seat_of_somebody_who_left_if_the_others_want_it(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    early = await by_way(world.ann, world.channel, "substitute", leaver=world.ben, computer="hard")
    assert "Ben is still in the game." in world.text(early)
    asked = await by_seats(world.ann, world.channel)
    assert "Who takes over your seat?" in world.text(asked)
    assert buttons(asked) == [], "a computer takes no seat that is not left"
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    assert "Who takes over the seat that Ben just left?" in world.text(await by_seats(world.ann, world.channel))
    asked = await by_way(world.ann, world.channel, "substitute", leaver=world.ben, computer="hard")
    assert world.text(asked) == "Asked the others to let a computer take the seat."
    offer = world.last()
    question = f"Ann would like a computer player (hard) in Ben’s seat in BOUNCE #{table.table_id}. OK? <@{world.cleo.id}>"
    assert world.text(offer) == question
    assert pings(world)[-1] == world.cleo.id
    await world.cleo.click(offer, label="Accept")
    name = (await table.snapshot()).players[1].name
    settled = next(message for message in world.messages() if message.id == offer.id)
    assert f"Cleo agreed: {name} (computer) takes over the seat." in world.text(settled)
    assert (await table.snapshot()).computers == (1,)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), [
    ("bouncers", {}),
    ("bunny", {}),
    ("trampoline", {"seats": 3}),
    ("pucks", {"seats": 2, "options": "setup:random to-win:2"}),
])  # fmt: skip
async def test_a_whole_game_against_the_easy_level_is_told(world: World, game: str, options: dict[str, object]) -> None:
    table = await opened(world, game, world.ann, computer="easy", **options)
    await played_by_computers(table)
    heard = len(pings(world))
    for _ in range(400):
        if await table.over():
            break
        await table.type(world.ann, await table.random_action(world.ann))
        await played_by_computers(table)
    assert await table.over()
    snapshot = await table.snapshot()
    ended = world.text(table.board())
    assert ENGLISH(snapshot.result() or "", snapshot.names) in ended
    log = await table.core.service(Proof).log(snapshot)
    assert all(f"{player.name} (computer, easy)" in log for player in snapshot.players if player.computer is not None)
    assert {"Rematch", "Replay", "More"} <= {one.label for one in buttons(table.board())}
    assert pings(world)[heard:] == [], "Ann has been there all the time"
    seen = all_that_is_public(world)
    assert not any(f"<@{player.user_id}>" in seen for player in snapshot.players if player.computer is not None)
    assert "It all checks out" in world.text(await by_way(world.ann, world.channel, "verify", game=str(table.table_id)))
