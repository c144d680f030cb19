"""Every way to a seat carries a mark of the table's game: nobody joins another game than they have read about."""

import re
from dataclasses import replace
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult, ResponseMessage

from bot.core.play import Play
from bot.core.terms import Terms
from bot.messages.click import Click
from storage.schema.records import Status, Table
from tests.bot.forging import forged
from tests.bot.kit import Button, World, buttons, reply
from tests.bot.seated import asked_for_a_word, core_of, open_table, user_of
from tests.bot.ways import by_way

SEATING = {"join", "accept", "fair", "word", "add-word", "add-computer"}
"""Verbs that give somebody a seat, or open a form that does."""


async def the_table(world: World, number: int = 1) -> Table:
    return (await core_of(world).snapshot(number)).table


async def change(world: World, number: int = 1, **options: str) -> None:
    """Ann, who opened the table, changes its house rules."""
    await core_of(world).service(Terms).change(number, user_of(world.ann), options or {"colours": "2"})


def named(message: Any, label: str) -> Button:
    (found,) = [one for one in buttons(message) if one.label == label]
    return found


def clicked(found: Button) -> Click:
    click = Click.read(found.custom_id or "")
    assert click is not None
    return click


def answer(said: InteractionResult) -> ResponseMessage:
    return said.followups[-1] if said.followups else reply(said)


async def assert_refused(world: World, who: MemberActor, said: InteractionResult, label: str, number: int = 1) -> None:
    """Somebody is told privately what is played now, has not joined, and does so with the button in that answer."""
    snapshot = await core_of(world).snapshot(number)
    assert snapshot.seat_of(who.id) is None
    told = answer(said)
    assert told.ephemeral
    assert re.search("have changed.*two colours each", world.text(told), re.DOTALL)
    await who.click(told, label=label)
    assert (await core_of(world).snapshot(number)).seat_of(who.id) is not None


@pytest.mark.parametrize("label", ["Join", "Accept"])
async def test_a_seat_in_the_lobby_shows_what_is_played_now(world: World, label: str) -> None:
    invited: dict[str, Any] = {"opponent": world.ben} if label == "Accept" else {}
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=3, **invited)
    read = clicked(named(shown, label))
    await change(world)
    await assert_refused(world, world.ben, await forged(world.ben, reply(shown), read), label)


async def test_accepting_an_invitation_shows_what_is_played_now(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="pucks", seats=3, opponent=world.ben)
    invitation = world.last()
    await change(world)
    await assert_refused(world, world.ben, await world.ben.click(invitation, label="Accept"), "Accept")


async def test_a_word_that_is_sent_after_the_rules_have_changed_seats_nobody(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=3)
    asked = await asked_for_a_word(world.ben, shown)
    await change(world)
    said = await world.ben.submit_modal(asked, {"word": "carrot"})
    await assert_refused(world, world.ben, said, "Join")
    assert "carrot" not in world.text(said)


@pytest.mark.parametrize("marked", [True, False], ids=["marked", "of a version whose buttons have no mark"])
async def test_no_word_is_asked_for_under_other_rules_than_were_read(world: World, marked: bool) -> None:
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=3)
    page = await world.ben.click(reply(shown), label="How?")
    read = clicked(named(page, "Add your own randomness"))
    await change(world)
    said = await forged(world.ben, reply(shown), read if marked else replace(read, version=0))
    assert said._interaction.modal is None
    await assert_refused(world, world.ben, said, "Join")


async def test_a_word_of_somebody_who_sits_there_is_taken_whatever_they_have_read(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=3)
    asked = await asked_for_a_word(world.ann, shown)
    await change(world)
    assert "carrot" in world.text(await world.ann.submit_modal(asked, {"word": "carrot"}))


@pytest.mark.slow
@pytest.mark.parametrize("typed", [False, True])
async def test_joining_a_rematch_shows_what_is_played_now(world: World, typed: bool) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")
    await core_of(world).service(Play).resign(table.table_id, user_of(world.ben))
    await table.show_all()
    over = world.last()
    pressed = clicked(named(over, "Rematch"))
    await (by_way(world.ann, world.channel, "rematch") if typed else world.ann.click(over, label="Rematch"))
    await change(world, 2)
    said = await (by_way(world.ben, world.channel, "rematch") if typed else forged(world.ben, over, pressed))
    await assert_refused(world, world.ben, said, "Accept", 2)


async def test_a_computer_sits_down_to_what_was_read_too(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=2)
    panel = await world.ann.click(reply(shown), label="Play against the computer")
    await change(world)
    said = await world.ann.click(reply(panel), label="Easy")
    told = answer(said)
    assert re.search("have changed.*two colours each", world.text(told), re.DOTALL)
    assert (await the_table(world)).status is Status.OPEN
    again = await world.ann.click(told, label="Play against the computer")
    await world.ann.click(reply(again), label="Easy")
    assert (await the_table(world)).status is Status.PLAYING


async def test_a_panel_for_computers_that_follows_the_lobby_keeps_to_what_was_read(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=3)
    panel = await world.ann.click(reply(shown), label="Add a computer")
    await change(world)
    old = await world.ben.click(world.messages()[0], label="Join")
    await world.ben.click(answer(old), label="Join")
    await world.pass_time(1)
    assert "One seat is open." in world.text(panel)
    said = await world.ann.click(reply(panel), label="Easy")
    assert "have changed" in world.text(answer(said))


async def test_what_a_game_plays_stays_when_it_has_begun_so_a_substitute_reads_nothing_old(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")
    await by_way(world.ben, world.channel, "substitute", newcomer=world.cleo)
    offer = world.last()
    assert "House rules" not in [one.label for one in buttons(table.board())]
    shown = await forged(world.ann, offer, Click("house-set", 1, tokens=("colours", "2")))
    assert "its rules can’t change" in world.text(shown)
    await world.cleo.click(offer, label="Accept")
    assert (await the_table(world)).options == {"setup": "random"}


async def test_every_button_that_leads_to_a_seat_has_the_mark(world: World) -> None:
    """A button without the mark would go on seating people after a change."""
    shown = await world.ann.slash(world.channel, "open", game="pucks", seats=4, opponent=world.ben)
    panel = await world.ann.click(reply(shown), label="Add a computer")
    page = await world.ann.click(reply(shown), label="How?")
    before = [one.custom_id for message in (shown, panel, page, world.last()) for one in buttons(message)]
    clicks = [click for custom_id in before if (click := Click.read(custom_id or "")) and click.verb in SEATING]
    assert {click.verb for click in clicks} == SEATING - {"add-word"}
    assert len({click.version for click in clicks} - {0}) == 1
    assert all(click.version for click in clicks)
