"""Everything people do is answered, including what their Discord still shows of an earlier version of the bot."""

import re
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from discord import app_commands

from bot.core.listing import Lists
from bot.features.playing import commands as playing
from bot.messages.click import Click
from loopback.model import Interaction
from tests.loopback.natures import Nature
from tests.loopback.world import LoopbackWorld

OLD_COMMAND = (
    "I’ve been updated, but your Discord still shows the old version of this command. Restart Discord, then try again."
)
OLD_BUTTON = "This button is too old for me."
OLD_FORM = "This form is too old for me. Press its button again to open a new one."
PERSON, STRING, INTEGER, SUBCOMMAND = 6, 3, 4, 1


def option(name: str, kind: int = STRING, *options: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "type": kind, "description": "x", "options": list(options)}


def still_shown(world: LoopbackWorld, name: str, *options: dict[str, Any]) -> None:
    """People's Discord shows a command as it was before."""
    now = world.loopback.discord.commands.get(name, {"id": "1"})
    world.loopback.discord.commands[name] = {"id": now["id"], "name": name, "options": list(options)}


def told(answer: Interaction) -> str:
    assert answer.shown, f"nothing was answered: {answer.calls}"
    assert all(message.private for message in answer.shown)
    return answer.text


async def test_a_command_that_has_changed_since_is_answered(world: LoopbackWorld) -> None:
    still_shown(world, "poke")
    still_shown(world, "games", option("shape"))
    still_shown(world, "board", option("game", INTEGER))
    still_shown(world, "settings", option("sound", SUBCOMMAND, option("on")))
    still_shown(world, "event")
    still_shown(world, "rules")
    still_shown(world, "draw")
    still_shown(world, "event", option("list", SUBCOMMAND))

    opened = await world.people.slash(world.cleo, world.channel, "open", game="bouncers")

    async def used(name: str, **options: Any) -> str:
        return told(await world.people.slash(world.ann, world.channel, name, **options))

    assert await used("poke") == OLD_COMMAND, "there is no such command"
    assert await used("games", shape="long") == OLD_COMMAND, "there is no such option"
    assert await used("board", game=1) == OLD_COMMAND, "it is of another type"
    assert await used("settings sound", on="yes") == OLD_COMMAND, "there is no such subcommand"
    assert await used("event") == OLD_COMMAND, "it has subcommands now"
    assert re.fullmatch(r"There’s no `/draw` any more\. Instead: </board:\d+>, then \*Offer a draw\*.*", await used("draw"))
    assert re.fullmatch(r"There’s no `/event list` any more\. Instead: </event show:\d+>, .*", await used("event list"))
    assert await used("rules") == OLD_COMMAND, "an option must be given now"
    for on in (world.ben, opened.original):
        assert on is not None
        assert told(await world.people.menu(world.ann, world.channel, "Poke", on)) == OLD_COMMAND, "there is no such menu"
    assert "#1 Bouncers" in await used("games")
    assert world.errors() == []


async def test_suggestions_of_a_command_that_has_changed_since_are_none(world: LoopbackWorld) -> None:
    still_shown(world, "poke", option("whom"))
    still_shown(world, "games", option("shape"))
    still_shown(world, "learn", option("game"))
    still_shown(world, "play", option("options"))

    async def suggested(name: str, typing: str) -> Any:
        return (await world.people.suggest(world.ann, world.channel, name, typing, **{typing: "b"})).choices

    assert (await suggested("poke", "whom"), await suggested("games", "shape")) == ([], [])
    assert await suggested("learn", "game") == [], "the command is gone"
    assert await suggested("play", "options") == [], "the option is gone"
    assert world.errors() == []


async def test_suggestions_that_fail_are_none(world: LoopbackWorld) -> None:
    with mock.patch.object(world.client.core.service(Lists), "summaries", side_effect=KeyError("game")):
        assert (await world.people.suggest(world.ann, world.channel, "board", "game", game="1")).choices == []
    assert [one["event"] for one in world.errors()] == ["unexpected error"]


async def test_a_command_that_fails_before_it_could_answer_is_answered(world: LoopbackWorld) -> None:
    with mock.patch.object(playing.games, "_callback", side_effect=KeyError("games")):
        answer = await world.people.slash(world.ann, world.channel, "games")
    assert "something went wrong on my side" in told(answer)
    assert [one["event"] for one in world.errors()] == ["unexpected error"]


async def test_somebody_who_is_no_member_can_be_named_in_every_command_and_it_is_answered(world: LoopbackWorld) -> None:
    """Discord accepts a person's id, and then lists them among the users but not the members."""
    gone = world.ben
    world.loopback.discord.leave(world.guild, gone)
    named = dict(who_can_be_named(world))
    assert {"play", "open", "stats"} <= set(named)
    for command, options in named.items():
        for option in options:
            more: dict[str, Any] = {} if command == "stats" else {"game": "bouncers"}
            answer = await world.people.slash(world.chief, world.channel, command, **{option: gone}, **more)
            assert told(answer), (command, option)
            if option.startswith(("opponent", "newcomer")):
                assert answer.text == "Ben isn’t on this server any more. Pick somebody else."
    challenged = await world.people.menu(world.ann, world.channel, "Challenge to a game", gone)
    assert told(challenged) == "Ben isn’t on this server any more. Pick somebody else."
    assert told(await world.people.menu(world.ann, world.channel, "Stats", gone))
    assert (world.people.seen(world.channel, Nature.LOBBY), world.errors()) == ([], [])


def who_can_be_named(world: LoopbackWorld) -> Iterator[tuple[str, list[str]]]:
    """Every command with options that take a person, and these options."""
    for command in world.client.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            options = [one.display_name for one in command.parameters if one.type.value == PERSON]
            if options:
                yield command.qualified_name, options


async def test_the_seat_of_somebody_who_has_left_the_server_can_be_given_away(world: LoopbackWorld) -> None:
    await world.people.slash(world.ann, world.channel, "open", game="pucks", seats=3, opponent=world.ben, opponent2=world.cleo)
    (lobby,) = world.people.seen(world.channel, Nature.LOBBY)
    for invited in (world.ben, world.cleo):
        await world.people.click(invited, lobby, "sb|accept")
    await world.people.until(lambda: bool(world.people.around(world.channel, Nature.BOARD)), 60)
    world.loopback.discord.leave(world.guild, world.cleo)
    asked = await world.people.by_way(world.ann, world.channel, "substitute", game="1")
    panel = asked.original
    assert panel is not None
    forged = Click("seat-to", 1, tokens=(str(world.cleo.id),)).custom_id
    panel.components = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": forged}]}]
    answer = await world.people.click(world.ann, panel, forged, str(world.chief.id))
    assert told(answer) == "Only Cleo can hand over this seat."


async def test_every_click_is_answered_also_one_that_nobody_knows(world: LoopbackWorld) -> None:
    opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers")
    lobby = opened.original
    assert lobby is not None
    for custom_id in ("sb|gone|1|0|0|", "sb|join|1", "sb2:join:1", "another view", Click("rules", 1).custom_id):
        lobby.components = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": custom_id}]}]
        assert told(await world.people.click(world.ben, lobby, custom_id)).startswith(OLD_BUTTON), custom_id
    assert world.errors() == []


@pytest.mark.parametrize("custom_id", ["sb|gone|1|0|0|", "another form", Click("add-word", 1, tokens=("x",)).custom_id])
async def test_every_form_is_answered_also_one_that_nobody_knows(world: LoopbackWorld, custom_id: str) -> None:
    await world.people.slash(world.ann, world.channel, "open", game="bouncers", seats=2)
    form = Interaction(1, "token", world.ben, world.channel.id, 3, world.now())
    form.modal = {"custom_id": custom_id, "components": [{"type": 18, "component": {"type": 4, "custom_id": "word"}}]}
    assert (told(await world.people.submit(world.ben, form, "hello")), world.errors()) == (OLD_FORM, [])
