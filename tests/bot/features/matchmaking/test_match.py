"""`/match` as people use it: waiting, being asked, accepting; and one message a server about waiting people."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.core.table.snapshot import User
from bot.features.matchmaking.service import OwnSeek, SeekPosts, Seeks
from bot.features.matchmaking.waiting import ANEW_EVERY, EVERY
from bot.features.matchmaking.wishes import PLAYS
from bot.messages.click import Click
from bot.outbox.access import Access
from loopback.limits import Kind
from storage.schema.records import PostKind, Status
from tests.bot.forging import chosen
from tests.bot.kit import World, _components, a_chief, a_world, buttons, labels, reply, selects
from tests.bot.outbox.test_permissions import allow
from tests.bot.refusals import a_bad_line, refusal
from tests.bot.seated import clicks, core_of, seeded
from tests.bot.service import DAY, HOUR, some
from tests.bot.settings_panels import act, fill


def messages(world: World, channel: Any = None) -> list[Any]:
    """The messages about waiting people."""
    return [message for message in world.messages(channel) if ("seek", 0) in clicks(message)]


def invitations(world: World) -> list[Any]:
    return [message for message in world.messages() if "I’ve matched you up!" in world.text(message)]


def chosen_in(message: Any) -> list[list[str]]:
    """The labels of the chosen options in each menu with options."""
    menus = [item for item in _components(message) if item.get("type") == 3]
    return [[option["label"] for option in menu["options"] if option.get("default")] for menu in menus]


async def seek_of(world: World, member: MemberActor) -> OwnSeek:
    with world.env._bot_scope():
        return await core_of(world).service(Seeks).get(world.guild.id, User(member.id, member.name))


async def to_round(world: World) -> None:
    """Let time pass until the next round is over."""
    await world.pass_time(EVERY - world.now() % EVERY + 1.0)


async def wait(world: World, *people: MemberActor, **options: Any) -> list[Any]:
    """These people wait for a game, using the panel for a variant or fewer days."""
    days, variant = options.pop("days", None), options.pop("variant", None)
    wanted = {"game": "bouncers"} | options
    answers = []
    for one in people:
        if days is not None:
            panel = await one.click(reply(await one.slash(world.channel, "match")), label="More options")
            await one.select(reply(panel), [str(days)], custom_id=selects(panel)[2].custom_id)
        if variant is None:
            answers.append(await one.slash(world.channel, "match", **wanted))
            continue
        panel = await one.slash(world.channel, "match")
        panel = await one.select(reply(panel), [f"{wanted['game']}/{variant}"], custom_id=selects(panel)[0].custom_id)
        answers.append(await one.click(reply(panel), label="Wait for a game"))
    return answers


async def test_two_people_find_a_game_accept_it_and_play(world: World) -> None:
    (shown,) = await wait(world, world.ann)
    assert shown.ephemeral
    assert "⏳ You’re waiting for 1 game" in world.text(shown)
    (message,) = messages(world)
    assert "**Bouncers**: somebody is waiting" in world.text(message)
    assert "ann" not in world.text(message).lower(), "nobody is named"
    await wait(world, world.ben)
    await to_round(world)
    (asked,) = invitations(world)
    assert world.pinged(asked) == {world.ann.id, world.ben.id}
    assert labels(asked) == ["Accept", "Decline", "Rules", "Watch"]
    await world.ann.click(asked, label="Accept")
    assert f"<@{world.ben.id}> hasn’t answered yet" in world.text(invitations(world)[0])
    await world.ben.click(invitations(world)[0], label="Accept")
    with world.env._bot_scope():
        (table,) = await core_of(world).tables(guild_id=world.guild.id)
    assert (table.status, table.matched) == (Status.PLAYING, True)
    await world.pass_time(HOUR + 1)
    assert "Nobody else is waiting for a game right now." in world.text(messages(world)[0])


async def test_declining_closes_the_table_and_the_other_waits_on(world: World) -> None:
    await wait(world, world.ann, world.ben)
    await to_round(world)
    (asked,) = invitations(world)
    declined = await world.ben.click(asked, label="Decline")
    assert "you’re not waiting for games any more" in "\n".join(world.text(one) for one in declined.followups)
    lobby = next(message for message in world.messages() if "Not everybody could make it." in world.text(message))
    assert [one.label for one in buttons(lobby) if one.label in {"Accept", "Decline", "Leave"}] == []
    assert "⏳ You’re waiting for 1 game" in world.text(await world.ann.slash(world.channel, "match"))
    assert "⏳" not in world.text(await world.ben.slash(world.channel, "match"))


async def test_the_panel_offers_everything_and_keeps_what_is_chosen(world: World) -> None:
    shown = await world.ann.slash(world.channel, "match")
    assert shown.ephemeral
    games, _ = selects(shown)
    assert len(games.options) == len(PLAYS)
    assert chosen_in(shown) == [[], ["1 day a turn"]]
    assert next(one for one in buttons(shown) if one.label == "Wait for a game").disabled
    shown = await world.ann.select(reply(shown), ["bouncers/8x8-12", "bunny/standard"], custom_id=games.custom_id)
    assert chosen_in(shown)[0] == ["Bouncers: 8×8, 12 pieces each", "Bounce Bunny Bounce"]
    shown = await world.ann.click(reply(shown), label="More options")
    assert chosen_in(shown) == [
        [],
        ["Rated or not"],
        ["Wait up to 7 days"],
        ["Find me 1 game"],
        ["Anybody, however often they run out of time"],
    ]
    seats, _, _, games, late, people = selects(shown)
    await world.ann.select(reply(shown), ["2", "4"], custom_id=seats.custom_id)
    await world.ann.select(reply(shown), ["3"], custom_id=games.custom_id)
    await world.ann.select(reply(shown), ["10"], custom_id=late.custom_id)
    shown = await world.ann.select(reply(shown), [world.ben, world.cleo], custom_id=people.custom_id)
    shown = await world.ann.click(reply(shown), label="Wait for a game")
    assert chosen_in(shown)[0] == ["2 players", "4 players"]
    assert chosen_in(shown)[3:] == [["Find me 3 games"], ["At most 10% time-outs"]]
    assert "⏳ You’re waiting for 3 games" in world.text(shown)
    own = await seek_of(world, world.ann)
    assert set(own.avoided) == {world.ben.id, world.cleo.id}
    shown = await world.ann.select(reply(shown), [], custom_id=people.custom_id)
    assert (await seek_of(world, world.ann)).avoided == ()
    shown = await world.ann.click(reply(shown), label="Stop waiting")
    assert "You’re no longer waiting." in world.text(shown)


async def test_the_usual_variant_is_sought(world: World) -> None:
    await wait(world, world.ann)
    assert (await seek_of(world, world.ann)).seek.wishes.plays == ("bouncers/8x8-16",)


async def test_me_too_waits_for_the_same_and_brings_the_message_up_to_date(world: World) -> None:
    await wait(world, world.ann, clock="1h")
    (message,) = messages(world)
    shown = await world.ben.click(message, label="Me too")
    assert "⏳ You’re waiting for 1 game" in world.text(shown.followups[0])
    assert "**Bouncers**: a few are waiting" in world.text(messages(world)[0])
    await to_round(world)
    assert len(invitations(world)) == 1


@pytest.mark.slow
async def test_a_server_has_one_message_and_mentions_its_role_once_in_six_hours(world: World) -> None:
    chief, role = a_chief(world), world.guild.create_role("players", mentionable=True)
    shown = await fill(world, chief, "server-settings", "matching", channel=world.channel, role=role)
    assert f"**✅ Matching · saved**\nIn <#{world.channel.id}>, mentions <@&{role.id}>" in world.text(shown)
    assert messages(world) == []
    people = [world.join(f"player{number}") for number in range(6)]
    began = len(world.watch.calls)
    for number, member in enumerate(people):
        game, variant = PLAYS[list(PLAYS)[number]]
        await wait(world, member, game=game, variant=variant)
        await world.pass_time(20 * 60.0)
        assert len(messages(world)) == 1
    sent = [call for call in world.watch.calls[began:] if call.kind is Kind.SEND]
    edits = [call for call in world.watch.calls[began:] if call.kind is Kind.EDIT]
    assert len(sent) == 1
    assert len(edits) == 1, "once an hour"
    first = messages(world)[0].id
    await world.pass_time(ANEW_EVERY)
    second = messages(world)[0].id
    assert second != first, "five people have begun to wait since"
    await world.pass_time(ANEW_EVERY)
    assert messages(world)[0].id == second, "nobody new is waiting"
    await wait(world, world.ann)
    assert len(messages(world)) == 1
    assert messages(world)[0].id != second
    assert f"<@&{role.id}>" in world.text(messages(world)[0])


async def test_it_moves_and_is_switched_off(world: World) -> None:
    await wait(world, world.ann)
    chief, other = a_chief(world), world.guild.create_text_channel("match")
    await fill(world, chief, "server-settings", "matching", channel=other)
    await world.settle()
    assert (len(messages(world)), len(messages(world, other))) == (0, 1)
    await act(world, chief, "server-settings", "matching", "off")
    await world.settle()
    assert messages(world, other) == []
    (letter,) = world.direct_messages(world.ann)
    assert "I no longer match people up there" in letter
    (refused,) = await wait(world, world.ben)
    assert "Matching is switched off on this server." in world.text(refused)


@pytest.mark.slow
async def test_waiting_too_long_is_told_directly(world: World) -> None:
    await wait(world, world.ann, days=1)
    await world.pass_time(DAY + EVERY)
    (letter,) = world.direct_messages(world.ann)
    assert "couldn’t find a match" in letter
    assert "/play" in letter


@pytest.mark.slow
async def test_a_rationed_letter_comes_later_and_one_that_is_refused_does_not(world: World) -> None:
    await wait(world, world.ann, days=1)
    with a_bad_line(world, r"POST /users/@me/channels", refusal(429)):
        await world.pass_time(DAY + EVERY)
    await world.pass_time(HOUR)
    assert len(world.direct_messages(world.ann)) == 1
    await wait(world, world.ben, days=1)
    with a_bad_line(world, r"POST /users/@me/channels", refusal(403, 50007)):
        await world.pass_time(DAY + EVERY)
    await world.pass_time(DAY)
    assert world.direct_messages(world.ben) == []
    assert "⏳" not in world.text(await world.ben.slash(world.channel, "match"))


async def test_people_who_cannot_see_the_channel_are_told_so(world: World) -> None:
    hidden = world.guild.create_text_channel("hidden")
    await fill(world, a_chief(world), "server-settings", "matching", channel=hidden)
    allow(world, hidden.id, view_channel=False)
    (refused,) = await wait(world, world.ann)
    assert "played in a channel that you can’t see" in world.text(refused)


async def test_the_first_to_wait_chooses_no_channel_that_others_cannot_see(world: World) -> None:
    hidden = world.guild.create_text_channel("hidden")
    insiders = world.guild.create_role("insiders")
    allow(world, hidden.id, view_channel=False)
    own = next(one for one in world.env.backend.get_guild(world.guild.id).roles.values() if one.managed)
    for role_id in (insiders.id, own.id):
        seen = Overwrite(target_id=role_id, type=OverwriteType.ROLE, allow=discord.Permissions(view_channel=True).value)
        world.env.backend.set_overwrite(hidden.id, seen)
    insider = world.guild.add_member(world.env.create_user("insider"), roles=[insiders])
    refused = await insider.slash(hidden, "match", game="bouncers")
    assert f"not everybody can see <#{hidden.id}>" in world.text(refused)
    await wait(world, world.ann)
    assert (await seek_of(world, world.ann)).channel_id == world.channel.id
    not_waiting = some((await seek_of(world, insider)).seek)
    assert not_waiting.since is None


async def test_where_the_bot_cannot_post_nobody_waits(world: World) -> None:
    allow(world, world.channel.id, send_messages=False)
    (refused,) = await wait(world, world.ann)
    assert "I can’t run a game here." in world.text(refused)
    with world.env._bot_scope():
        assert await core_of(world).service(SeekPosts).get(world.guild.id, PostKind.SEEKS) is None


@pytest.mark.slow
async def test_after_a_restart_all_goes_on(world: World) -> None:
    await wait(world, world.ann, world.ben)
    await world.restart()
    await to_round(world)
    assert len(invitations(world)) == 1
    await world.restart()
    for member in (world.ann, world.ben):
        await member.click(invitations(world)[0], label="Accept")
    assert len(messages(world)) == 1


@pytest.mark.parametrize(
    "tokens", [("plays", "chess/standard"), ("clocks", "x"), ("junk", "1"), ("days", "9999"), ("rated", "perhaps")]
)
async def test_forged_choices_are_refused(world: World, tokens: Sequence[str]) -> None:
    shown = await world.ann.slash(world.channel, "match")
    name, value = tokens
    refused = await chosen(world.ann, reply(shown), Click("seek-set", tokens=(name,)), value)
    assert "That can’t be chosen." in world.text(refused)


async def test_a_wait_begun_while_the_message_is_sent_is_in_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben, sent = User(world.ann.id, world.ann.name), User(world.ben.id, world.ben.name), Access.send

    async def meanwhile(access: Access, *what: Any) -> discord.Message:
        message = await sent(access, *what)
        monkeypatch.setattr(Access, "send", sent)
        seeks = access.core.service(Seeks)
        wishes = (await seeks.get(world.guild.id, ben)).seek.wishes
        await seeks.choose(world.guild.id, ann, lambda _: wishes)
        await seeks.wait(world.guild.id, ann, world.channel.id)  # the message is there, but is not on record yet
        return message

    monkeypatch.setattr(Access, "send", meanwhile)
    await wait(world, world.ben)
    await world.settle()
    (message,) = messages(world)
    assert "**Bouncers**: a few are waiting" in world.text(message)


@pytest.mark.slow
async def test_being_avoided_looks_like_different_wishes(tmp_path: Path) -> None:
    seen = []
    for avoids in (True, False):
        async with a_world(tmp_path / str(avoids), seeded(1)) as world:
            if avoids:
                shown = await world.ben.slash(world.channel, "match")
                shown = await world.ben.click(reply(shown), label="More options")
                await world.ben.select(reply(shown), [world.ann], custom_id=Click("seek-avoid").custom_id)
            await wait(world, world.ben, clock="1d" if avoids else "1h")
            await wait(world, world.ann)
            for _ in range(30):
                await to_round(world)
            panel = await world.ann.slash(world.channel, "match")
            seen.append(([world.text(message) for message in world.messages(viewer=world.ann)], world.text(panel)))
            assert invitations(world) == []
    assert seen[0] == seen[1]
