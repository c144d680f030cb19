"""The sandbox's first message."""

from bot.features.lessons.courses import COURSES
from bot.sandbox import greet
from engines import GAMES
from tests.bot.kit import World


async def test_whoever_is_greeted_can_learn_each_game_with_one_click(world: World) -> None:
    with world.env._bot_scope():
        await greet(world.client.get_partial_messageable(world.channel.id, guild_id=world.guild.id))
    await world.settle()
    for game in COURSES:
        shown = await world.ann.click(world.last(), label=f"Learn {GAMES[game].title}")
        assert shown.ephemeral
        assert "step 1 of" in world.text(shown)
    assert len(world.messages()) == 1
