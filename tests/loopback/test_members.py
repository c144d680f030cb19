"""The gateway is asked who is on a server, by ids and without a privileged intent. Nothing waits long for an answer."""

from bot.core.table.audience import Unseen
from bot.outbox.members import ANSWERED_WITHIN, FRESH_FOR, SILENT_FOR
from loopback.model import Channel
from tests.loopback.natures import Nature
from tests.loopback.world import LoopbackWorld


async def test_who_cannot_see_a_place_is_told_by_the_gateway(world: LoopbackWorld) -> None:
    discord, asked = world.loopback.discord, world.loopback.gateway.asked
    people = [world.ann.id, world.ben.id, world.cleo.id]
    secret, public = (discord.people_thread(world.channel, "thread", world.ann, private=only) for only in (True, False))
    await world.people.slash(world.ann, world.channel, "games")  # by then the bot has heard of the threads

    async def unseen(place: Channel) -> dict[int, Unseen]:
        return dict(await world.client.members.who_cannot_see(world.guild.id, place.id, people))

    assert await unseen(world.channel) == {}
    assert sorted(asked[0]) == sorted({world.ben.id, world.cleo.id}), "whoever has just pressed something is there"
    assert await unseen(public) == {}
    assert await unseen(secret) == {world.ben.id: Unseen.THREAD, world.cleo.id: Unseen.THREAD}
    discord.deny(world.channel, world.ben, "view_channel")
    discord.leave(world.guild, world.cleo)
    await world.people.slash(world.ann, world.channel, "games")
    await world.people.until(lambda: False, FRESH_FOR)
    assert await unseen(world.channel) == {world.ben.id: Unseen.CHANNEL, world.cleo.id: Unseen.LEFT}
    discord.come_back(world.guild, world.cleo)
    await world.people.until(lambda: False, 10)
    assert await unseen(world.channel) == {world.ben.id: Unseen.CHANNEL}


async def test_who_has_left_can_be_named_and_the_answer_says_so(world: LoopbackWorld) -> None:
    """Discord accepts a non-member's id, which is then missing from the members it names."""
    world.loopback.discord.leave(world.guild, world.ben)
    answer = await world.people.slash(world.ann, world.channel, "open", game="bouncers", opponent=world.ben)
    assert answer.text == "Ben isn’t on this server any more. Pick somebody else."
    assert answer.original is not None
    assert answer.original.private
    assert world.people.seen(world.channel, Nature.LOBBY) == []


async def test_where_no_answer_comes_people_are_invited_all_the_same(world: LoopbackWorld) -> None:
    members, gateway = world.client.members, world.loopback.gateway
    gateway.deaf = True
    began = world.now()
    assert await members.who_cannot_see(world.guild.id, world.channel.id, [world.ben.id, world.cleo.id]) == {}
    assert ANSWERED_WITHIN <= world.now() - began < ANSWERED_WITHIN + 1
    assert await members.who_cannot_see(world.guild.id, world.channel.id, [world.ben.id]) == {}
    assert len(gateway.asked) == 1, "nobody waits again at once"
    await world.people.until(lambda: False, SILENT_FOR)
    gateway.deaf = False
    world.loopback.discord.leave(world.guild, world.ben)
    unseen = await members.who_cannot_see(world.guild.id, world.channel.id, [world.ben.id])
    assert unseen == {world.ben.id: Unseen.LEFT}
