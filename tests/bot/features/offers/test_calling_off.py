"""Calling a game off in Discord: where it is offered, how it is answered, and what remains of the game."""

import re

import pytest

from storage.schema.records import Offers, Status
from tests.bot.kit import World, buttons, labels, reply
from tests.bot.seated import Seated, open_table
from tests.bot.ways import by_way


@pytest.fixture
async def table(world: World) -> Seated:
    return await open_table(world, "bouncers", world.ann, world.ben)


async def more(world: World, table: Seated, label: str) -> bool:
    """Whether *More* offers a button to Ann."""
    shown = await world.ann.click(table.board(), label="More")
    return label in {one.label for one in buttons(reply(shown))}


async def test_a_game_is_called_off_with_the_buttons_and_the_last_board_says_so(world: World, table: Seated) -> None:
    await world.cleo.slash(world.channel, "watch", what="end")
    shown = await world.ann.click(table.board(), label="More")
    await world.ann.click(reply(shown), label="Call off")
    offer = world.last()
    assert world.pinged(offer) == {world.ben.id}
    assert "Ann would like to call off Bouncers #1, with no result. OK?" in world.text(offer)
    await world.ben.click(offer, label="Accept")
    (settled,) = [message for message in world.messages() if message.id == offer.id]
    assert "Ben agreed: the game is called off." in world.text(settled)
    assert buttons(settled) == []
    end = table.board()
    assert "**Called off by agreement, no result.**" in world.text(end)
    assert "Ratings" not in world.text(end)
    assert buttons(end)[0].label == "Rematch"
    assert any("is over. Called off by agreement, no result." in world.text(message) for message in world.messages())
    stats = world.text(await world.ann.slash(world.channel, "stats"))
    assert "No rated games yet." in stats
    assert "Bouncers with Ben: no result" in stats


async def test_it_is_declined_and_the_game_goes_on(world: World, table: Seated) -> None:
    asked = await by_way(world.ann, world.channel, "call-off")
    assert "Asked Ben to call the game off. Until they agree, it goes on." in world.text(asked)
    assert not await more(world, table, "Call off")
    assert not await more(world, table, "Agree to call off"), "Ann has agreed already"
    offer = world.last()
    await world.ben.click(offer, label="Decline")
    (settled,) = [message for message in world.messages() if message.id == offer.id]
    assert "Ben declined. On with the game!" in world.text(settled)
    assert (await table.snapshot()).table.offers == Offers()


async def test_the_board_tells_of_the_proposal_and_a_button_agrees(world: World, table: Seated) -> None:
    await by_way(world.ben, world.channel, "call-off")
    await table.type(world.ann, ("b2", "b3"))
    assert re.search(r"Ben would like to call the game off\. \*More\* has \*Agree to call off\*\.", world.text(table.board()))
    assert await more(world, table, "Agree to call off")
    assert "Called off by agreement, no result." in world.text(await by_way(world.ann, world.channel, "call-off"))
    assert (await table.snapshot()).table.status is Status.FINISHED


async def test_after_two_moves_each_it_is_not_offered_and_an_old_button_says_so(world: World, table: Seated) -> None:
    asked = await by_way(world.ann, world.channel, "resign")
    assert "*Call off* ends it with no result, if all agree." in world.text(asked)
    assert labels(reply(asked)) == ["Resign", "Call off", "Play on"]
    for member, action in ((world.ann, "b2 b3"), (world.ben, "b7 b6"), (world.ann, "c2 c3")):
        assert await more(world, table, "Call off")
        await table.type(member, tuple(action.split()))
    await table.type(world.ben, ("c7", "c6"))
    assert not await more(world, table, "Call off")
    assert [one.label for one in buttons(reply(await by_way(world.ann, world.channel, "resign")))] == ["Resign", "Play on"]
    late = await by_way(world.ann, world.channel, "call-off")
    assert late.ephemeral
    possible = r"the game can’t be called off any more\. You can offer a draw or resign: \*More\* under the board has both\."
    assert re.search(rf"Everybody has made two moves, so {possible}", world.text(late))


@pytest.mark.parametrize("restarted", [False, True], ids=["in one go", "after a restart"])
async def test_an_offers_button_also_works_after_a_restart(world: World, restarted: bool, table: Seated) -> None:
    await by_way(world.ann, world.channel, "call-off")
    offer = world.last()
    if restarted:
        await world.restart()
    await world.ben.click(offer, label="Accept")
    assert "**Called off by agreement, no result.**" in world.text(table.board())


async def test_against_computers_alone_a_confirmation_comes_first(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", computer="easy")
    table = Seated(world, 1, [world.ann], world.channel)
    shown = await world.ann.click(table.board(), label="More")
    asked = reply(await world.ann.click(reply(shown), label="Call off"))
    assert "Call the game off? It ends without a result." in world.text(asked)
    assert (await table.snapshot()).table.status is Status.PLAYING
    kept = await world.ann.click(asked, label="Play on")
    assert "nothing’s changed" in world.text(kept)
    asked = reply(await by_way(world.ann, world.channel, "call-off"))
    told = await world.ann.click(asked, label="Call off")
    assert "You called the game off. It has no result." in world.text(told)
    assert (await table.snapshot()).table.status is Status.FINISHED
