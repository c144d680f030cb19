"""What needs the consent of others, in Discord: undoing, handing over, nudging, rematches; and watching."""

import pytest

from bot.messages.click import Click
from storage.schema.records import Offers
from tests.bot.forging import forged
from tests.bot.kit import World, button, buttons, labels, reply
from tests.bot.seated import Seated, open_table, pings
from tests.bot.service import HOUR, some
from tests.bot.settings_panels import remind
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


@pytest.fixture
async def table(world: World) -> Seated:
    return await open_table(world, "bouncers", world.ann, world.ben)


async def test_an_undo_is_asked_for_and_accepted_with_a_button(world: World, table: Seated) -> None:
    await table.type(world.ann, ("b2", "b3"))
    asked = await by_way(world.ann, world.channel, "undo")
    assert "Asked Ben to let you take this back. Ann: b2 → b3" in world.text(asked)
    offer = world.last()
    assert "Ann would like to take back a move in Bouncers #1: “b2 → b3”. OK?" in world.text(offer)
    assert world.pinged(offer) == {world.ben.id}
    wrong = await world.cleo.click(offer, label="Accept")
    assert "You’re not playing at table #1." in world.text(wrong)
    await world.ben.click(offer, label="Accept")
    assert "**Ann** takes back “b2 → b3”." in world.text(table.board())
    assert pings(world)[-1] == world.ann.id
    assert await table.awaited() == [world.ann]
    assert buttons(world.messages()[[m.id for m in world.messages()].index(offer.id)]) == []


@pytest.mark.parametrize("what", ["undo", "draw"])
async def test_the_asker_is_told_to_wait_and_withdraws_with_the_other_button(world: World, what: str, table: Seated) -> None:
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, what)
    offer = world.last()
    own = await world.ann.click(offer, label="Accept")
    assert own.ephemeral
    assert "You asked for this yourself, and I’m waiting for Ben. *Decline* withdraws it." in world.text(own)
    assert (await table.snapshot()).table.offers != Offers()
    await world.ann.click(offer, label="Decline")
    (shown,) = [message for message in world.messages() if message.id == offer.id]
    assert "Ann withdrew the offer. On with the game!" in world.text(shown)
    assert (await table.snapshot()).table.offers == Offers()


async def test_agreeing_by_command_among_several_is_confirmed(world: World) -> None:
    await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    await by_way(world.ann, world.channel, "draw")
    agreed = await by_way(world.ben, world.channel, "draw")
    assert "You agreed. I’m still waiting for the others." in world.text(agreed)
    assert "You offered Cleo a draw. It stands until Cleo moves or declines." in world.text(
        await by_way(world.ann, world.channel, "draw")
    )


async def test_an_undo_is_declined_with_a_button_and_everybody_sees_it(world: World, table: Seated) -> None:
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, "undo")
    offer = world.last()
    await world.ben.click(offer, label="Decline")
    (shown,) = [message for message in world.messages() if message.id == offer.id]
    world.says(shown, "Ben", "declined")
    assert buttons(shown) == []
    assert await table.awaited() == [world.ben]


@pytest.mark.parametrize("what", ["undo", "draw"])
async def test_a_lapsed_offer_cannot_be_accepted_and_makes_no_new_one(world: World, what: str, table: Seated) -> None:
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, what)
    offer = world.last()
    accepting = some(Click.read(button(offer, "Accept").custom_id or ""))
    await table.type(world.ben, ("b7", "b6"))
    count = len(world.messages())
    late = await forged(world.ben, offer, accepting)  # pressed before the button had gone
    assert "That offer is gone." in world.text(late)
    assert len(world.messages()) == count
    assert (await table.snapshot()).table.offers == Offers()


async def test_among_three_all_others_have_to_agree_to_an_undo(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, world.cleo, seats=3, options="setup:random")
    await table.type(world.ann, ("draw",))
    for piece in ("p1", "p2", "p3", "p4", "m1", "m2", "i1", "i2"):
        ways = await table.choices(world.ann, (piece,))
        if ways:
            break
    await table.type(world.ann, (piece, ways[0].token))
    await by_way(world.ann, world.channel, "undo")
    offer = world.last()
    assert set(world.pinged(offer)) == {world.ben.id, world.cleo.id}
    first = await world.ben.click(offer, label="Accept")
    assert "You agreed. I’m still waiting for the others." in world.text(first)
    assert first.ephemeral
    version = (await table.snapshot()).table.version
    await world.cleo.click(offer, label="Accept")
    assert (await table.snapshot()).table.version == version + 1
    assert "takes back" in world.text(table.board())


async def test_a_seat_is_handed_over_to_somebody_who_accepts(world: World, table: Seated) -> None:
    await table.type(world.ann, ("b2", "b3"))
    asked = await by_way(world.ben, world.channel, "substitute", newcomer=world.cleo)
    assert "once they accept, it counts as your loss, however it ends." in world.text(asked)
    offer = world.last()
    assert world.pinged(offer) == {world.cleo.id}
    world.says(offer, "Will you take over Ben’s seat in Bouncers #1?", "It’s a rated game, but the result won’t count for you.")
    wrong = await world.ann.click(offer, label="Accept")
    assert "Nobody’s offering you a seat at table #1." in world.text(wrong)
    await world.cleo.click(offer, label="Accept")
    assert pings(world)[-1] == world.cleo.id
    assert "🔵 Cleo" in world.text(world.last())
    taken = await world.cleo.slash(world.channel, "move", action="b7 b6")
    assert "**Cleo** bounces b7 → b6." in world.text(taken)
    settled = next(message for message in world.messages() if message.id == offer.id)
    assert "Cleo takes over the seat. Good luck! For the ratings, this counts as a loss for Ben." in world.text(settled)


async def test_resigning_says_what_it_means_for_the_rating(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    own = await by_way(world.ben, world.channel, "resign")
    assert "It counts as a rated loss, even if somebody takes over your seat." in world.text(own)
    await by_way(world.ben, world.channel, "substitute", newcomer=world.cleo)
    await world.cleo.click(world.last(), label="Accept")
    stand_in = await by_way(world.cleo, world.channel, "resign")
    assert "It’s a rated game, but you’re a stand-in: your rating stays as it is." in world.text(stand_in)
    again = await by_way(world.cleo, world.channel, "substitute", newcomer=world.join("Dev"))
    assert "counts as your loss" not in world.text(again)
    await open_table(world, "bouncers", world.ann, world.ben, options="rated:no")
    assert "rated" not in world.text(await by_way(world.ann, world.channel, "resign", game="2"))


async def test_a_nudge_reminds_once_a_turn_after_half_the_time(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await remind(world, world.ann, half=False, late=False)
    early = await by_way(world.ben, world.channel, "nudge")
    assert "You can nudge <t:" in world.text(early)
    await world.pass_time(12 * HOUR)
    await by_way(world.ben, world.channel, "nudge")
    assert "Ben nudges you. Bouncers #1 is waiting for you: which piece bounces? 12 h left." in world.text(world.last())
    assert pings(world) == [world.ann.id] * 2
    again = await by_way(world.ben, world.channel, "nudge")
    assert "one nudge per turn" in world.text(again)


async def test_a_rematch_is_one_click_for_each_and_the_seats_move_on(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    (thread,) = world.channel.threads
    await world.ben.click(reply(await by_way(world.ben, thread, "resign")), label="Resign")
    over = world.last(thread)
    await world.ben.click(over, label="Rematch")
    lobby = world.last(thread)
    assert "Bouncers #2" in world.text(lobby)
    assert world.pinged(lobby) == {world.ann.id}
    await world.ann.click(lobby, label="Accept")
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last(thread))
    assert "The game has begun" in world.text(next(m for m in world.messages(thread) if m.id == lobby.id))


async def test_two_simultaneous_rematches_get_one_table(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    over = world.last()
    async with world.at_once():
        await world.ben.click(over, label="Rematch")
        await world.ann.click(over, label="Rematch")
    assert "#3" not in "".join(map(world.text, world.messages()))
    assert "which piece bounces?" in world.text(world.last())


async def test_a_player_who_resigned_can_ask_for_a_rematch_but_no_outsider(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    asked = await by_way(world.ben, world.channel, "rematch")
    assert "You’re in! Table #2." in world.text(asked)
    never = await by_way(world.cleo, world.channel, "rematch")
    assert "You didn’t play at table #1." in world.text(never)


async def test_watchers_are_told_of_the_end_or_of_every_turn(world: World, table: Seated) -> None:
    dev = world.join("Dev")
    await world.cleo.slash(world.channel, "watch", what="end")
    await dev.slash(world.channel, "watch", what="turn")
    await table.type(world.ann, ("b2", "b3"))
    assert pings(world)[1:] == [world.ben.id, dev.id]
    since = len(world.watch.calls)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    assert sorted(pings(world, since)) == sorted([world.cleo.id, dev.id])
    late = await world.cleo.slash(world.channel, "watch", game="1")
    assert "The game at table #1 is over." in world.text(late)


async def test_a_player_who_also_watches_is_pinged_once_a_turn(world: World, table: Seated) -> None:
    await world.ben.slash(world.channel, "watch", what="turn")
    since = len(world.watch.calls)
    await table.type(world.ann, ("b2", "b3"))
    assert pings(world, since) == [world.ben.id]


async def test_an_offer_of_a_draw_is_taken_back_behind_more(world: World, table: Seated) -> None:
    made = await by_way(world.ann, world.channel, "draw")
    assert "*More* under the board has *Take the offer back*." in world.text(made)
    offer = world.last()
    theirs = await world.ben.slash(world.channel, "board")
    assert "Take the offer back" not in labels(theirs)
    refused = await forged(world.ben, reply(theirs), Click("draw-back", table.table_id))
    assert "That offer is gone." in world.text(refused)
    assert (await table.snapshot()).table.offers != Offers()
    mine = await world.ann.slash(world.channel, "board")
    back = await world.ann.click(reply(mine), label="Take the offer back")
    assert "You took your offer of a draw back." in world.text(back)
    assert (await table.snapshot()).table.offers == Offers()
    (shown,) = [message for message in world.messages() if message.id == offer.id]
    assert "Ann withdrew the offer. On with the game!" in world.text(shown)
    assert buttons(shown) == []


async def test_the_cost_of_handing_a_seat_over_is_told_beforehand(world: World) -> None:
    price = "once they accept, it counts as your loss"
    for rated in ("yes", "no"):
        table = await open_table(world, "bouncers", world.ann, world.ben, options=f"rated:{rated}")
        board = await world.ann.slash(world.channel, "board", game=str(table.table_id))
        asked = await world.ann.click(reply(board), label="Substitute")
        assert "Who takes over your seat?" in world.text(asked)
        assert (price in world.text(asked)) is (rated == "yes")
