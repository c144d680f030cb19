"""One person's windows, each in one place: what they show and pass on."""

import io
from collections.abc import Callable
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.sandbox import open_sandbox
from storage.store import Store
from tests.bot.sandbox.windows import Site, until
from tests.bot.toy import Toy, png, shown

pytestmark = pytest.mark.slow


async def test_every_window_is_of_one_person_in_one_place(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "bounce-club")
    assert (await ann.command("open", game="bouncers"))["settlement"] == "settled"
    await ann.look()
    await ben.look()
    assert "Bouncers #1" in ann.text
    assert ben.shown["messages"] == {}
    assert (ann.shown["channel"]["name"], ben.shown["channel"]["name"]) == ("games", "bounce-club")
    assert (ann.shown["viewerId"], ben.shown["viewerId"]) == (ann.who, ben.who)


async def test_what_one_does_the_others_see_without_asking(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    await ann.command("open", game="bouncers")
    await ben.look()
    assert (await ben.click("Join"))["settlement"] == "settled"
    assert "Ben" in (await ann.look()).text


async def test_a_click_counts_while_the_message_is_the_same_though_the_page_is_newer(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    cleo = await site.open("Cleo", "bounce-club")
    await ann.command("open", game="bouncers")
    await ben.look()
    await cleo.look()
    assert (await cleo.command("open", game="bouncers"))["settlement"] == "settled"
    seen = ben.shown["publishedRevision"]
    said = await ben.click("Join")
    assert (said["rejected"], said["settlement"]) == (False, "settled")
    assert (await ben.look()).shown["publishedRevision"] > seen + 1


async def test_a_click_counts_while_its_button_exists_despite_edits(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.tournaments.change.EDITED_AFTER", 0.0)
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    await ann.command("event create", game="bouncers", format="round_robin")
    await until(ann, "Open the event")
    await ann.click("Open the event")
    await until(ann, "Enter")
    await until(ben, "Enter")
    await ann.click("Enter")
    await until(ann, "1 of 8 is in")
    assert "1 of 8 is in" not in ben.text, "he sees the message as it was"
    assert (await ben.click("Enter"))["settlement"] == "settled"
    await until(ben, "You’re in!")


async def test_a_click_on_a_message_that_has_changed_since_is_refused(site: Site) -> None:
    ann, ben, cleo = [await site.open(name, "games") for name in ("Ann", "Ben", "Cleo")]
    await ann.command("open", game="bouncers", seats="2")
    await ben.look()
    await cleo.look()
    assert (await ben.click("Join"))["settlement"] == "settled"
    said = await cleo.click("Join")
    assert said["rejected"]
    assert [one["code"] for one in said["diagnostics"]] == ["stale-revision"]
    assert "Cleo" not in (await ann.look()).text


async def test_closing_a_page_is_no_fault(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def closed(*_: object, **__: object) -> None:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr("bot.sandbox.proxy.PreviewProxy._forward", closed)
    assert await site.ask("DELETE", "/api/pages/1") == (502, "This page is no longer open.")
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


async def test_a_private_channel_is_offered_and_shown_only_to_those_who_see_it(site: Site) -> None:
    state = await site.state()
    names = {person["id"]: person["name"] for person in state["people"]}
    (attic,) = (place for place in state["places"] if place["name"] == "attic")
    assert [names[one] for one in attic["seenBy"]] == ["Ann", "Cleo", "Émile", "田中"]
    ann, ben = await site.open("Ann", "attic"), await site.open("Ben", "attic")
    await ann.act("send_message", content="A secret.")
    assert "A secret." in (await ann.look()).text
    await ben.look()
    assert ben.shown["status"] == "access_denied"
    assert "A secret." not in str(ben.shown)


async def test_direct_messages_are_a_place_of_their_own_for_one_person(tmp_path: Path) -> None:
    def make(_: Store, *, now: Callable[[], float]) -> discord.Client:
        client = Toy(tmp_path / "toy.sqlite3", now)
        client.task = write
        return client

    async def write(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Look at your messages.", ephemeral=True)
        await interaction.user.send(view=shown(1), file=discord.File(io.BytesIO(png(1)), "count.png"))

    async with open_sandbox(0, make) as address, aiohttp.ClientSession() as session:
        site = Site(address, session)
        ann = await site.open("Ann", "games")
        await ann.command("do")
        (place,) = (one for one in (await site.state())["places"] if one["kind"] == "direct")
        assert place["seenBy"] == [ann.who]
        letter = await site.open("Ann", place["name"])
        assert "Clicked 1 times" in letter.text
        assert (await letter.click("More"))["settlement"] == "settled"
        await letter.look()
        assert "image/png" in str(letter.shown["assets"])


async def test_what_the_sandbox_does_by_itself_is_refused(site: Site) -> None:
    ann = await site.open("Ann", "games")
    with pytest.raises(AssertionError, match="by itself"):
        await ann.act("close")
    with pytest.raises(AssertionError, match="by itself"):
        await ann.act("viewer", viewer_id=ann.who)
    assert (await ann.look()).shown["viewerId"] == ann.who


@pytest.mark.parametrize("who", ["", "1.2", "x.y", "ann"])
async def test_nobody_and_nowhere_cannot_be_opened(site: Site, who: str) -> None:
    status, _ = await site.ask("POST", "/api/pages", json={}, headers={"X-Simcord-Capability": who})
    assert status == 404


async def test_a_window_that_was_closed_does_nothing_any_more(site: Site) -> None:
    ann = await site.open("Ann", "games")
    assert (await site.ask("DELETE", f"/api/pages/{ann.context}", page=ann))[0] == 200
    with pytest.raises(AssertionError, match="no longer open"):
        await ann.act("send_message", content="Hello?")
