"""What takes long is put off at once, and answered when it is done."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest import mock

import discord
import pytest
import pytest_asyncio
from discord import app_commands
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.app import Springboard, make_client
from bot.core.pings import WINDOW
from bot.core.table.history import History
from bot.features.posts.service import Posts
from bot.interactions.reply import ALREADY_ANSWERED, Reply
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from bot.registry import HANDLERS
from engines.bunny import Bunny
from engines.game import Action
from engines.pucks import Pucks
from loopback.limits import Kind
from storage.schema.records import PostKind
from storage.store import Store
from tests.bot.daily_posts import day_of, open_posts, solve
from tests.bot.kit import World, a_chief, a_world, buttons, reply, select, selects
from tests.bot.puzzles import puzzles, with_days
from tests.bot.scripted import scripted
from tests.bot.seated import Seated, core_of, open_table, walked
from tests.bot.settings_panels import act, form_click, open_panel
from tests.bot.stretches import AT_A_STRETCH, Stretches
from tests.bot.ways import by_way


@contextlib.asynccontextmanager
async def impatient(folder: Path, now: Callable[[], float]) -> AsyncIterator[Springboard]:
    """The real bot, for which everything takes too long: it puts every answer off at once, as it does when it is slow."""
    store = await Store.open(folder / "springboard.sqlite3")
    try:
        yield make_client(store, now=now, defer_after=0)
    finally:
        await store.close()


@pytest_asyncio.fixture
async def slow_world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with people and a bot that is slow in everything."""
    with puzzles(with_days()):
        async with a_world(tmp_path, impatient) as made:
            yield made


COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"game": "bunny"},
    "move": {"action": "b2 b3"},
    "watch": {},
    "board": {},
    "games": {},
    "rules": {"game": "bunny"},
    "help": {},
    "replay": {},
    "analyse": {"game": "bunny"},
    "puzzle": {"game": "bunny"},
    "match": {"game": "bouncers"},
    "event create": {"game": "bouncers", "format": "swiss"},
    "event show": {},
    "stats": {},
    "ladder": {"game": "bouncers"},
    "settings": {},
    "server-settings": {},
}
"""Every command with options that make it do something, or refuse to."""


def all_commands(world: World) -> set[str]:
    """Every command that the bot has registered."""
    return {c.qualified_name for c in world.client.tree.walk_commands() if not isinstance(c, app_commands.Group)}


def answer_of(result: InteractionResult) -> str:
    """What was answered, in the placeholder or beside it."""
    return " / ".join(str(one.components) + one.content for one in (result.response, *result.followups) if one is not None)


@pytest.mark.slow
async def test_every_command_is_put_off_when_it_takes_long_and_answered_then(slow_world: World) -> None:
    world = slow_world
    assert set(COMMANDS) == all_commands(world) - {"open"}, "that one is for tests alone"
    chief = a_chief(world)
    people: dict[str, Any] = {"cleo": world.cleo, "ben": world.ben}
    for number, (name, options) in enumerate(COMMANDS.items()):
        channel = world.guild.create_text_channel(f"games-{number}")
        opener = world.join(f"P{number}")
        await open_table(world, "bouncers", opener, world.ben, channel=channel)
        who = chief if name.startswith("server") else opener
        if "game" in options and options["game"] == "1":
            options = options | {"game": str(number + 1 if number < 1 else number + 2)}
        given = {key: people.get(value, value) for key, value in options.items()}
        calls = len(world.watch.calls)
        result = await by_way(who, channel, name, **given)
        assert world.watch.calls[calls].kind is Kind.DEFER, name
        said = answer_of(result)
        assert said, name
        assert "went wrong" not in said, name
        assert all(one.ephemeral for one in [result.response] if one is not None), name


async def test_a_post_that_is_brought_up_to_date_late_stays_public_and_the_panel_private(slow_world: World) -> None:
    world = slow_world
    with world.env._bot_scope():
        await (
            core_of(world)
            .service(Posts)
            .choose(world.guild.id, PostKind.DAILY, channel_id=world.channel.id, hour=1, zone="UTC", role_id=None)
        )
    await world.pass_time(3600)
    today = await day_of(world)
    await solve(world, world.ben, today)
    calls = len(world.watch.calls)
    panel = await world.ann.click(open_posts(world)[0], label="Solve")
    assert world.watch.calls[calls].kind is Kind.DEFER_UPDATE
    assert "✅ **1** has solved it: Ben" in world.text(open_posts(world)[0])
    assert panel.followups[-1].ephemeral
    assert "Give up" in [one.label for one in buttons(panel)]


async def test_an_error_after_a_public_answer_was_put_off_stays_private(slow_world: World) -> None:
    world = slow_world
    quiet = world.guild.create_text_channel(
        "quiet", overwrites={world.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )
    calls = len(world.watch.calls)
    refused = await world.ann.slash(quiet, "open", game="bouncers")
    assert world.watch.calls[calls].kind is Kind.DEFER
    assert refused.followups[-1].ephemeral
    assert "I still need: Attach Files" in world.text(refused)
    assert world.messages(quiet) == [], "the placeholder is gone"


@pytest.mark.slow
async def test_every_button_is_answered_when_it_takes_long(slow_world: World) -> None:
    world = slow_world
    pressed: set[str] = set()
    stretches = Stretches()

    async def press(member: MemberActor, message: Any, label: str) -> InteractionResult:
        if isinstance(message, InteractionResult):
            message = message.followups[-1] if message.followups else message.response
        (found,) = (b for b in buttons(message) if b.label == label)
        click = Click.read(found.custom_id or "")
        assert click is not None
        pressed.add(click.verb)
        calls = len(world.watch.calls)
        with stretches.counted():
            result = await member.click(message, custom_id=found.custom_id)
        assert stretches.take() < AT_A_STRETCH, f"{label} keeps the event loop"
        assert world.watch.calls[calls].kind in {Kind.DEFER, Kind.DEFER_UPDATE}, label
        assert "went wrong" not in answer_of(result), label
        return result

    ann, ben, cleo = world.ann, world.ben, world.cleo
    lobby = reply(await ann.slash(world.channel, "open", game="bouncers", opponent=ben))
    await press(ben, lobby, "Decline")
    await press(cleo, lobby, "Join")
    table = Seated(world, 1, [ann, cleo], world.channel)
    panel = await press(ann, table.board(), "Move")
    await press(ann, panel, "b2")
    await press(ann, panel, "Back")
    await press(ann, panel, "b2")
    await press(ann, panel, "b3")
    await press(ann, panel, "Play")
    assert "**Ann** bounces b2 → b3." in world.text(table.board())
    pressed |= await plans(world, ann, lambda label: press(ann, panel, label))
    await press(ben, await press(ben, table.board(), "More"), "Board in words")
    await press(ben, table.board(), "What happened?")
    await press(ben, await press(ben, table.board(), "Watch"), "Every turn")
    more = await press(ann, table.board(), "More")
    await press(ann, more, "Undo")
    await press(cleo, world.last(), "Decline")
    await press(ann, await press(ann, table.board(), "More"), "Undo")
    await press(cleo, world.last(), "Accept")
    assert "takes back" in world.text(table.board())
    for person, action in ((ann, "b2 b3"), (cleo, "b7 b6"), (ann, "c2 c3"), (cleo, "c7 c6")):
        await person.slash(world.channel, "move", action=action)  # or there would be nothing to show again at the end
    await world.pass_time(WINDOW)  # or that would be too much for Cleo's peace
    await press(ann, await press(ann, table.board(), "More"), "Offer a draw")
    await press(cleo, world.last(), "Decline")
    await press(ann, await press(ann, table.board(), "More"), "Offer a draw")
    await press(ann, await press(ann, table.board(), "More"), "Take the offer back")
    await press(ann, await press(ann, table.board(), "More"), "Offer a draw")
    offer = world.last()
    await press(ann, await press(ann, table.board(), "More"), "Board")
    rules = await press(ann, await press(ann, table.board(), "More"), "Rules")
    await press(ann, rules, "Next")
    await by_way(ann, world.channel, "substitute", newcomer=ben)
    await press(ben, world.last(), "Decline")
    await by_way(ann, world.channel, "substitute", newcomer=ben)
    await press(ben, world.last(), "Accept")
    await press(cleo, offer, "Accept")
    await press(ben, await press(ben, await press(ben, table.board(), "Replay"), "Share"), "Post here")
    await press(ben, await press(ben, table.board(), "More"), "Verify")
    await press(ben, table.board(), "Rematch")
    await press(cleo, world.last(), "Accept")
    table = Seated(world, 2, [cleo, ben], world.channel)
    await press(ben, await press(ben, await ben.slash(world.channel, "replay", game="2"), "Share"), "Post here")
    await press(ben, await press(ben, await press(ben, table.board(), "More"), "Resign"), "Play on")
    await press(ben, await press(ben, await press(ben, table.board(), "More"), "Resign"), "Resign")
    lobby = reply(await ann.slash(world.channel, "open", game="trampoline"))
    await press(ben, await ben.slash(world.channel, "games"), "#3 BOUNCE")
    await press(ben, lobby, "Join")
    page = await press(ben, lobby, "How?")
    assert "Please press the button again" in answer_of(await press(ben, page, "Add your own randomness"))
    await press(ben, lobby, "Leave")
    await press(ben, lobby, "Join")
    await press(ann, lobby, "Start")
    await press(ann, world.last(), "Roll 3 dice")
    await press(ann, await act(world, ann, "settings", "data", "forget"), "Forget me")
    await open_table(world, "pucks", cleo, ben, seats=2, options="setup:random")
    await press(cleo, world.last(), "Hand")
    await press(cleo, await a_last_action(world, cleo), "Play and end the turn")
    more = await press(ben, world.last(), "More")
    pressed |= await orders(world, ben, lambda label: press(ben, more, label))
    pressed |= await select_in_a_panel(world)
    (newest, *_) = await world.client.core.tables(guild_id=world.guild.id)
    asked = await cleo.slash(world.channel, "watch")
    await press(cleo, asked, f"#{newest.id} Bounce Bunny Bounce: Ben, Cleo")
    pressed |= await page_of_rules(world)
    lesson = await by_way(cleo, world.channel, "learn", game="bouncers")
    for label in ("Skip this step", "Previous step", "c4", "Play", "Next step", "Start over"):
        await press(cleo, lesson, label)
    lobby = reply(await cleo.slash(world.channel, "open", game="pucks"))
    house = await press(cleo, lobby, "House rules")
    pressed |= await house_rules_chosen(cleo, house)
    assert "Please press the button again" in answer_of(await press(cleo, house, "My own board …"))
    await press(cleo, house, "Done")
    await computers(world, press)
    await challenge(world, press)
    await puzzle(world, press)
    pressed |= await seeks(world, press)
    pressed |= await ladder(world, press)
    await events(world, press)
    pressed |= {"event-player", "event-replace", "event-game", "event-pair"}
    await the_day(world, press)
    pressed |= await settings(world, press)
    pressed |= await hint_and_review(world, press)
    await world.pass_time(WINDOW)
    table = await open_table(world, "bouncers", cleo, ben)
    for answer in ("Decline", "Accept"):
        await press(cleo, await press(cleo, table.board(), "More"), "Call off")
        await press(ben, world.last(), answer)
    # A form cannot be opened late, and so is not sent, nor is one of several time zones picked after it. The list of planned
    # replies, and that of the cards in an order have a
    # single page here. Which of several games is meant is asked after a command, and tested there. The rest of a
    # turn is spent in `test_panel.py`. Managers are asked about threads in `test_threads_question.py`.
    # A menu of branches takes more of them than buttons do: see `test_analyse.py`. Tables and events are set up in
    # `test_setup.py` and `test_tournaments.py`, and leaderboards are posted in `test_menus.py`.
    drafts = {verb for verb in HANDLERS if verb.startswith(("setup-", "event-plan-"))}
    assert set(HANDLERS) == pressed | drafts | {
        "leaderboard",
        "post-leaderboard",
        "typed",
        "substitute",
        "seat-to",
        "today",
        "add-word",
        "house-code",
        "nudge",
        "hand-over",
        "relieve",
        "plan-page",
        "order-page",
        "rest",
        "spend",
        "use-threads",
        "analysis-choose",
        "settings-back",
        "settings-save",
        "settings-zone",
        "server-back",
        "server-save",
        "server-zone",
    }


async def settings(world: World, press: Callable[[MemberActor, Any, str], Awaitable[InteractionResult]]) -> set[str]:
    """Ann looks at her settings and her data; whoever manages the server removes a player and closes a table."""
    ann, chief = world.ann, a_chief(world)
    asked = await press(ann, await open_panel(world, ann), "Go on vacation")
    assert "Please press the button again" in answer_of(asked)
    await press(ann, await press(ann, await open_panel(world, ann), "Export my data"), "Back to the settings")
    shown = await open_panel(world, chief, "server-settings")
    late = await chief.click(reply(shown), custom_id=form_click("server-settings", "language"))
    assert "Please press the button again" in answer_of(late)
    table = await open_table(world, "trampoline", world.join("Una"), world.join("Vic"), world.join("Wim"), seats=3)
    listed = await press(chief, await open_panel(world, chief, "server-settings"), "Pick a table")
    await press(chief, await press(chief, listed, "Back to the settings"), "Pick a table")
    picked = await chief.select(reply(listed), [str(table.table_id)])
    for label in ("Close this table", "Back"):
        await press(chief, picked, label)
    await chief.select(reply(picked), [select(picked).options["Wim"]])
    await press(chief, picked, "Remove")
    await press(chief, picked, "Back")
    await chief.select(reply(picked), [str(table.table_id)])
    for label in ("Close this table", "Close it"):
        await press(chief, picked, label)
    return {"server-form", "server-table", "server-remove"}


async def challenge(world: World, press: Callable[[MemberActor, Any, str], Awaitable[InteractionResult]]) -> None:
    """Ann challenges Ben from the menu on him."""
    asked = await world.ann.context_menu(world.channel, "Challenge to a game", world.ben)
    await press(world.ann, asked, "Bounce Bunny Bounce")


async def computers(world: World, press: Callable[[MemberActor, Any, str], Awaitable[InteractionResult]]) -> None:
    """Ann practises, Cleo has a computer sit down and leave again, and one takes the seat that Ben has left."""
    ann, ben, cleo = world.ann, world.ben, world.cleo
    await press(ann, await press(ann, await ann.slash(world.channel, "help"), "Practise alone"), "Let others watch")
    lobby = reply(await cleo.slash(world.channel, "open", game="trampoline", seats=3))
    panel = await press(cleo, lobby, "Add a computer")
    await press(cleo, panel, "Add a computer")
    (leave,) = [one.label for one in buttons(panel) if one.label.startswith("Remove ")]
    await press(cleo, panel, leave)
    table = await open_table(world, "trampoline", ann, ben, cleo, seats=3)
    game = str(table.table_id)
    await ben.click(reply(await by_way(ben, world.channel, "resign", game=game)), label="Resign")
    for answer in ("Decline", "Accept"):
        await by_way(ann, world.channel, "substitute", leaver=ben, computer="hard", game=game)
        await press(cleo, world.last(), answer)
    await cleo.slash(world.channel, "open", game="bouncers", computer="easy")
    (newest, *_) = await world.client.core.tables(guild_id=world.guild.id)
    alone = Seated(world, newest.id, [cleo], world.channel)
    await press(cleo, await press(cleo, await press(cleo, alone.board(), "More"), "Call off"), "Call off")


async def hint_and_review(world: World, press: Callable[..., Awaitable[InteractionResult]]) -> set[str]:
    """Ben and Cleo play a game in which Cleo takes a hint and then blunders, and look back on it."""
    ben, cleo = world.ben, world.cleo
    with scripted(lost={("b2", "b3"): 0.3}):
        table = await open_table(world, "bouncers", cleo, ben, options="rated:no")
        await press(cleo, await press(cleo, table.board(), "Move"), "Hint")
        await table.type(cleo, ("b2", "b3"))
        await press(ben, await press(ben, await press(ben, table.board(), "More"), "Resign"), "Resign")
        shown = await press(ben, table.board(), "Review")
        await world.pass_time(20)
        await press(ben, shown, "Next")
        before = len(world.watch.calls)
        await ben.select(reply(shown), ["1"])
        assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
        await press(ben, await press(ben, shown, "Play it out"), "Back")
        await press(ben, await press(ben, shown, "Summary"), "Moves")
        before = len(world.watch.calls)
        await ben.select(reply(shown), ["1"])
        assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
        await press(ben, await press(ben, await press(ben, shown, "Moves"), "Summary"), "Next")
        await press(ben, await press(ben, shown, "Share"), "Post here")
        await press(ben, shown, "Back")
        theirs = await press(cleo, table.board(), "Review")
        for label in ("What would have been better?", "b2", "b3", "Play", "Try again", "Show me", "Review"):
            await press(cleo, theirs, label)
        await analysis(world, ben, press, await press(ben, shown, "Analyse"))
    return {"review-page", "review-move"}


async def analysis(world: World, ben: MemberActor, press: Callable[..., Awaitable[InteractionResult]], shown: Any) -> None:
    """Ben goes back and forth in an analysis of the game, asks the expert, and shares a position; Cleo opens it."""
    for label in ("Show it", "◀", "▶ 2", "Back", "Expert’s move", "Play it", "⏮", "c2", "Back", "Share", "Post here"):
        await press(ben, shown, label)
    await press(world.cleo, world.last(), "Analyse")
    await press(ben, await ben.slash(world.channel, "analyse"), "Where I left off")
    begin = await press(ben, await ben.slash(world.channel, "analyse"), "BOUNCE from the start")
    await press(ben, begin, "Roll 3 dice")
    await press(ben, begin, "Draw again")


async def the_day(world: World, press: Callable[..., Awaitable[InteractionResult]]) -> None:
    """Cleo looks at the post about the day, at what goes on by now, and at all games."""
    news = world.guild.create_text_channel("news")
    with world.env._bot_scope():
        await (
            core_of(world)
            .service(Posts)
            .choose(world.guild.id, PostKind.TODAY, channel_id=news.id, hour=9, zone="UTC", role_id=None)
        )
    await world.pass_time(86460)
    await press(world.cleo, await press(world.cleo, world.last(news), "What’s on now"), "All games")


async def puzzle(world: World, press: Callable[..., Awaitable[InteractionResult]]) -> None:
    """Ann plays something wrong in a puzzle, gives it up, says that it is wrong, and looks at others and at the table."""
    ann = world.ann
    panel = await by_way(ann, world.channel, "daily")
    for label in ("Give up", "Give up", "Post here", "Standings", "Yesterday", "Back"):
        await press(ann, panel, label)
    panel = await ann.slash(world.channel, "puzzle", game="bouncers", difficulty="medium")
    for label in (
        "g4",
        "Play",
        "Try again",
        "Give up",
        "Give up",
        "Something’s wrong",
        "Next puzzle",
        "Give up",
        "Give up",
        "Analyse",
    ):
        await press(ann, panel, label)


async def seeks(world: World, press: Callable[..., Awaitable[InteractionResult]]) -> set[str]:
    """Ann seeks a game, Ben would like to play, too, and Ann wants none any more."""
    ann, ben = world.ann, world.ben
    panel = await ann.slash(world.channel, "match")
    pressed = await house_rules_chosen(ann, panel)
    await press(ann, panel, "Wait for a game")
    message = next(message for message in world.messages() if "Who’s up for a game?" in world.text(message))
    await press(ben, message, "Me too")
    await press(ann, panel, "More options")
    (people,) = (menu for menu in selects(reply(panel)) if not menu.options)
    await ann.select(reply(panel), [ben], custom_id=people.custom_id)
    await press(ann, panel, "Stop waiting")
    return pressed | {"seek-avoid"}


async def ladder(world: World, press: Callable[..., Awaitable[InteractionResult]]) -> set[str]:
    """Cleo and Ben come to a ladder, Ben challenges Cleo, and leaves it."""
    for person in (world.cleo, world.ben):
        panel = await person.slash(world.channel, "ladder", game="bouncers")
        await press(person, panel, "Join")
    pressed = await house_rules_chosen(world.ben, panel)
    await press(world.ben, panel, "Back")
    await press(world.ben, panel, "Leave the ladder")
    return pressed


async def events(world: World, press: Callable[..., Awaitable[InteractionResult]]) -> None:
    """Cleo and seven others play an event, and a chief does all there what organisers can do.

    Ben is none of them: whoever plays a rated game is given no advice, and whose games are over is a matter of the draw.
    """
    chief, dev = a_chief(world), world.join("Deva")
    people = [world.cleo, dev, *(world.join(f"Eve{n}") for n in range(6))]
    await by_way(chief, world.channel, "event create", game="bouncers", format="swiss", name="Cup", thread=False)
    await world.pass_time(60)

    def message() -> Any:
        return next(one for one in world.messages() if "🏆 Cup" in world.text(one))

    async def choose(panel: InteractionResult, words: str, *values: Any) -> InteractionResult:
        menu = next(one for one in selects(reply(panel)) if words in one.placeholder)
        before = len(world.watch.calls)
        chosen = await chief.select(reply(panel), values or [*menu.options.values()][:1], custom_id=menu.custom_id)
        assert world.watch.calls[before].kind is Kind.DEFER_UPDATE, words
        return chosen

    for person in people:
        await press(person, message(), "Enter")
    await press(people[-1], await press(people[-1], message(), "Rules"), "Leave")
    await press(chief, await press(chief, await press(chief, message(), "Rules"), "Organise …"), "Open check-in now")
    await world.pass_time(60)
    for person in people[:-1]:
        await press(person, message(), "Check in")
    await press(chief, await press(chief, await press(chief, message(), "Rules"), "Organise …"), "Start now")
    await world.pass_time(60)
    await press(dev, await press(dev, await press(dev, message(), "Rules"), "Leave"), "Leave")
    panel = await press(chief, await press(chief, message(), "Rules"), "Organise …")
    await press(chief, panel, "Pause")
    shown = await choose(panel, "Set the result")
    await press(chief, shown, buttons(shown)[0].label)
    first, second = [*next(one for one in selects(reply(panel)) if "Next round" in one.placeholder).options.values()][:2]
    await choose(panel, "Next round", first, second)
    removed = next(iter(next(one for one in selects(reply(panel)) if "Remove or replace" in one.placeholder).options.values()))
    await press(chief, await choose(panel, "Remove or replace", removed), "Remove")
    await press(chief, await choose(panel, "Remove or replace", removed), "Let them back in")
    for name, answer in (("Zed", "Decline"), ("Zoe", "Accept")):
        asked = world.join(name)
        player = await choose(panel, "Remove or replace")
        await chief.select(reply(player), [asked], custom_id=selects(reply(player))[0].custom_id)
        await world.pass_time(60)
        await press(asked, world.last(), answer)


async def plans(world: World, ann: MemberActor, press: Callable[[str], Awaitable[InteractionResult]]) -> set[str]:
    """Ann plans two replies in her panel, looks at one of them, and forgets them again."""
    for label in ("Plan ahead", "b7", "b6", "That’s it", "c2", "c3", "That’s it", "Save"):
        panel = await press(label)
    for label in ("Current board", "Add a reply", "c7", "c6", "That’s it", "d2", "d3", "That’s it", "Save"):
        await press(label)
    before = len(world.watch.calls)
    await ann.select(reply(panel), ["1"])
    assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
    for label in ("Remove", "Clear all", "Clear all"):
        await press(label)
    return {"plan-go"}


async def orders(world: World, ben: MemberActor, press: Callable[[str], Awaitable[InteractionResult]]) -> set[str]:
    """Ben gives a standing order, after he has gone back from another one, and removes it."""
    for label in ("Orders", "Whistle if …", "Back", "U-Turn if …", "U-Turn if anyone plays …"):
        panel = await press(label)
    for value in ("double", "0"):
        before = len(world.watch.calls)
        await ben.select(reply(panel), [value])
        assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
        assert "went wrong" not in answer_of(panel)
        if value == "double":
            await press("Save")
    return {"order-choose", "order-drop"}


async def house_rules_chosen(opener: MemberActor, panel: InteractionResult) -> set[str]:
    """An opener chooses something in every menu of the panel of house rules."""
    pressed = set()
    message = panel.followups[-1] if panel.followups else panel.response
    assert message is not None
    for number in range(len(selects(message))):
        menu = selects(message)[number]  # another one each time, since what is chosen has changed
        click = Click.read(menu.custom_id)
        assert click is not None
        pressed.add(click.verb)
        chosen = await opener.select(message, list(menu.options.values())[:1], custom_id=menu.custom_id)
        assert "went wrong" not in answer_of(chosen)
    return pressed


async def page_of_rules(world: World) -> set[str]:
    """Ann chooses a page of rules from the list of titles."""
    shown = await world.ann.slash(world.channel, "rules", game="bunny")
    before = len(world.watch.calls)
    await world.ann.select(reply(shown), ["2"])
    assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
    assert "went wrong" not in answer_of(shown)
    return {"rules-page"}


async def a_last_action(world: World, member: MemberActor) -> InteractionResult:
    """A panel of Puck Bumpers in which a player has picked a move, with which the turn can be ended."""
    (table, *_) = await world.client.core.tables(guild_id=world.guild.id)
    await member.slash(world.channel, "move", action="draw")
    history = (await world.client.core.snapshot(table.id)).playing
    piece = history.game.choices(history.state, history.to_act[0])[0].token
    with mock.patch.object(Pucks, "foresee", Pucks.play):
        panel = await member.click(world.last(), label="Move")
        await member.click(reply(panel), custom_id=Click("pick", table.id, history.version, 0, (piece,)).custom_id)
        if not any(one.label == "Play and end the turn" for one in buttons(panel)):
            await member.click(reply(panel), custom_id=buttons(panel)[0].custom_id)
    return panel


async def select_in_a_panel(world: World) -> set[str]:
    """Ben and Cleo play Bounce Bunny Bounce until one of them has many cards to choose from, in a select with pages."""

    def chosen(history: History) -> tuple[int, Action] | None:
        many = history.state.phase in {"spy", "swap"}
        return (
            None if many or history.outcome is not None else (history.to_act[0], walked(history, history.to_act[0], table.dice))
        )

    table = await open_table(world, "bunny", world.ben, world.cleo)
    await table.act_on(chosen)
    await table.show_all()
    while await table.over():  # without a Spy or a Swap
        table = await open_table(world, "bunny", world.ben, world.cleo)
        await table.act_on(chosen)
        await table.show_all()
    (member,) = await table.awaited()
    with mock.patch.object(Bunny, "region", return_value=None):  # or it would ask row by row
        panel = await member.click(table.board(), label="Move")
        await member.click(reply(panel), label="Next")
        before = len(world.watch.calls)
        await member.select(reply(panel), [next(iter(select(panel).options.values()))])
    assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
    assert "went wrong" not in answer_of(panel)
    return {"page", "choose"}


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("put_off", [True, False])
async def test_an_answer_that_is_there_already_is_replaced_unless_another_process_may_have_given_it(
    alone: bool, put_off: bool
) -> None:
    there = discord.HTTPException(mock.Mock(status=400), {"code": ALREADY_ANSWERED, "message": "already acknowledged"})
    interaction = mock.Mock(client=mock.Mock(alone=alone), edit_original_response=mock.AsyncMock())
    interaction.response.defer = interaction.response.send_message = mock.AsyncMock(side_effect=there)
    answer = Reply(interaction, public=True)
    if put_off:
        await answer.defer()
    await answer.show(MessageBuilder().text("It isn’t possible just now."))
    assert interaction.edit_original_response.await_count == int(alone)
