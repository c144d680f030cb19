"""Nobody is asked to play where they cannot see it, and lists name nobody who has left the server."""

import re
from typing import Any

import pytest

from bot.core.table.audience import Unseen
from bot.features.matchmaking.service import Seeks
from bot.outbox.members import FRESH_FOR
from tests.bot.coming_and_going import asked_about, come_back, hide, leave, let_in, private_thread
from tests.bot.features.matchmaking.test_match import invitations, to_round, wait
from tests.bot.features.tournaments.test_tournaments import opened, tournament_message
from tests.bot.kit import World, a_chief, buttons, reply, selects
from tests.bot.seated import core_of, open_table, pings
from tests.bot.service import DAY
from tests.bot.ways import by_way

HELP = "Pick somebody else, use another channel, or ask a moderator to let them in."


async def tables(world: World) -> list[int]:
    with world.env._bot_scope():
        return [table.id for table in await core_of(world).tables(guild_id=world.guild.id)]


async def test_nobody_is_invited_to_a_channel_that_they_cannot_see(world: World) -> None:
    hide(world, world.ben)
    since = len(world.watch.calls)
    answer = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    assert answer.ephemeral or answer.followups[-1].ephemeral
    assert f"Ben can’t see <#{world.channel.id}>. {HELP}" in world.text(answer)
    await world.pass_time(120)
    assert (pings(world, since), await tables(world)) == ([], [])
    let_in(world, world.ben)
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    assert await tables(world) == [1]


async def test_nobody_is_invited_to_a_private_thread_that_they_are_not_in(world: World) -> None:
    thread = private_thread(world, world.ann, world.cleo)
    answer = await world.ann.slash(thread, "open", game="trampoline", opponent=world.ben, opponent2=world.cleo)
    text = world.text(answer)
    assert f"Ben isn’t in <#{thread.id}>, which is private. Pick somebody else, use another channel, or mention them" in text
    assert "Cleo" not in text
    assert await tables(world) == []
    world.env.backend.add_thread_member(thread.id, world.ben.id)
    await world.ann.slash(thread, "open", game="trampoline", opponent=world.ben, opponent2=world.cleo)
    assert await tables(world) == [1]


async def test_in_a_thread_that_everybody_sees_nobody_has_to_be_in_it(world: World) -> None:
    created = world.env.backend.create_thread(world.channel.id, "open", world.ann.id)
    thread = next(one for one in world.channel.threads if one.id == created.id)
    await world.ann.slash(thread, "open", game="bouncers", opponent=world.ben)
    assert await tables(world) == [1]


async def test_a_rematch_invites_nobody_who_has_left_the_server_until_they_are_back(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    asked = await by_way(world.ben, world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    leave(world, world.ben)
    await world.pass_time(FRESH_FOR)
    refused = await by_way(world.ann, world.channel, "rematch", game=str(table.table_id))
    assert "Ben isn’t on this server any more. Pick somebody else." in world.text(refused)
    assert await tables(world) == []
    come_back(world, world.ben)
    await world.pass_time(10)
    await by_way(world.ann, world.channel, "rematch", game=str(table.table_id))
    assert len(await tables(world)) == 1


async def test_a_seat_is_handed_to_nobody_who_cannot_see_the_game(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    hide(world, world.cleo)
    refused = await by_way(world.ann, world.channel, "substitute", newcomer=world.cleo)
    assert f"Cleo can’t see <#{world.channel.id}>. {HELP}" in world.text(refused)
    let_in(world, world.cleo)
    assert "Asked" in world.text(await by_way(world.ann, world.channel, "substitute", newcomer=world.cleo))


async def ladder(world: World, who: Any) -> Any:
    return await who.slash(world.channel, "ladder", game="bouncers")


async def test_nobody_is_challenged_who_cannot_see_the_channel(world: World) -> None:
    for one in (world.ann, world.ben):
        await one.click(reply(await ladder(world, one)), label="Join")
    hide(world, world.ann)
    shown = await ladder(world, world.ben)
    question = await world.ben.select(reply(shown), [str(world.ann.id)], custom_id=selects(shown)[0].custom_id)
    refused = await world.ben.click(reply(question), label="Challenge")
    assert f"Ann can’t see <#{world.channel.id}>. {HELP}" in world.text(refused)
    assert await tables(world) == []


async def test_a_match_seats_people_who_see_the_channel_and_the_others_are_told_why_they_do_not_wait(world: World) -> None:
    dev = world.join("Dev")
    for one in (world.ann, world.ben, world.cleo, dev):
        await wait(world, one)
    hide(world, world.ben)
    leave(world, dev)
    await to_round(world)
    (asked,) = invitations(world)
    assert world.pinged(asked) == {world.ann.id, world.cleo.id}, "the round goes on with the others"
    (told,) = world.direct_messages(world.ben)
    assert "you can’t see where it would be played" in told
    assert "⏳" not in world.text(await world.ben.slash(world.guild.create_text_channel("else"), "match"))
    with world.env._bot_scope():
        assert not await core_of(world).service(Seeks).is_waiting(world.guild.id, dev.id)


async def test_two_of_whom_one_has_left_are_no_match_and_the_other_one_waits_on(world: World) -> None:
    await wait(world, world.ann, world.ben)
    leave(world, world.ben)
    await to_round(world)
    assert invitations(world) == []
    await wait(world, world.cleo)
    await to_round(world)
    (asked,) = invitations(world)
    assert world.pinged(asked) == {world.ann.id, world.cleo.id}


async def test_nobody_enters_an_event_whose_channel_they_cannot_see(world: World) -> None:
    await opened(world, a_chief(world))
    elsewhere = world.guild.create_text_channel("else")
    hide(world, world.ben)
    shown = await world.ben.slash(elsewhere, "event show")
    if "Details" in [one.label for one in buttons(shown)]:
        shown = await world.ben.click(reply(shown), label="Details")
    refused = await world.ben.click(reply(shown), label="Enter")
    assert f"This event is played in <#{world.channel.id}>, which you can’t see." in world.text(refused)


@pytest.mark.slow
async def test_the_organiser_is_told_who_cannot_see_a_round_and_the_table_marks_who_has_left(world: World) -> None:
    chief, dev = a_chief(world), world.join("Dev")
    people = (world.ann, world.ben, world.cleo, dev)
    await opened(world, chief, format="round_robin")
    message = tournament_message(world)
    for one in people:
        await one.click(message, label="Enter")
    await world.pass_time(DAY + 60)
    for one in people:
        await one.click(tournament_message(world), label="Check in")
    hide(world, world.ben)
    leave(world, dev)
    await world.pass_time(DAY)
    (told,) = world.direct_messages(chief)
    assert "Spring Cup: 2 players can’t see it any more." in told
    assert "Dev isn’t on this server any more." in told
    assert f"Ben can’t see <#{world.channel.id}>." in told
    call = next(one for one in world.messages() if "everybody plays everybody" in world.text(one))
    assert dev.id not in world.pinged(call)
    assert "Dev (no longer on this server)" in world.text(call)
    assert "Dev (left)" in world.picture(tournament_message(world)).alt
    shown = await chief.click(tournament_message(world), label="My games")
    organise = await chief.click(reply(shown), label="Organise …")
    assert "⚠️ Dev isn’t on this server any more. Ben can’t see" in world.text(organise).replace("\n", " ")
    shown = await chief.click(tournament_message(world), label="My games")
    table = await chief.click(reply(shown), label="Standings")
    assert re.search(r"Dev: \d.* \(no longer on this server\)", world.text(table))
    come_back(world, dev)
    await dev.slash(world.channel, "event show")
    shown = await chief.click(tournament_message(world), label="My games")
    assert "on this server" not in world.text(await chief.click(reply(shown), label="Standings")), "their results had stayed"


async def test_answers_are_remembered_for_some_minutes_and_a_hundred_people_are_asked_about_at_once(world: World) -> None:
    asked, audience = asked_about(world), core_of(world).audience
    members = [world.join(f"P{number}") for number in range(120)]
    gone, ids = members[5], [member.id for member in members]
    leave(world, gone)
    where = (world.guild.id, world.channel.id, ids)
    with world.env._bot_scope():
        assert await audience.who_cannot_see(*where) == {gone.id: Unseen.LEFT}
        assert [len(each) for each in asked] == [100, 20]
        assert (await audience.who_cannot_see(*where), len(asked)) == ({gone.id: Unseen.LEFT}, 2)
    await world.pass_time(10)
    with world.env._bot_scope():
        await audience.who_cannot_see(*where)
    assert asked[2:] == [[gone.id]], "before somebody is refused it is looked again"
    await world.pass_time(FRESH_FOR)
    with world.env._bot_scope():
        await audience.who_cannot_see(*where)
    assert [len(each) for each in asked[3:]] == [100, 20]


async def test_people_who_are_named_in_a_command_need_no_question(world: World) -> None:
    asked = asked_about(world)
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    assert (asked, await tables(world)) == ([], [1])


async def test_in_an_outage_of_a_server_nobody_seems_to_have_left_it(world: World) -> None:
    guild, audience = world.client.get_guild(world.guild.id), core_of(world).audience
    assert guild is not None
    leave(world, world.ben)
    where = (world.guild.id, world.channel.id, [world.ben.id])
    for unavailable, unseen in ((True, {}), (False, {world.ben.id: Unseen.LEFT})):
        guild.unavailable = unavailable
        with world.env._bot_scope():
            assert await audience.who_cannot_see(*where) == unseen
