"""What people in the sandbox wait for: answers, and nothing else."""

import aiohttp
import pytest

from storage.schema.records import JobKind
from tests.bot.kit import SETTLE_SECONDS
from tests.bot.sandbox.here import sandbox_here
from tests.bot.sandbox.windows import Site, until
from tests.bot.service import jobs


@pytest.mark.slow
async def test_an_answer_does_not_wait_for_what_is_to_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.tournaments.change.EDITED_AFTER", SETTLE_SECONDS / 2)
    async with sandbox_here() as (address, core), aiohttp.ClientSession() as session:
        ann = await Site(address, session).open("Ann", "games")
        await ann.command("event create", game="bouncers", format="round_robin")
        await until(ann, "Open the event")
        await ann.click("Open the event")
        await until(ann, "Enter")
        assert (await ann.click("Enter"))["settlement"] == "settled"
        await until(ann, "You’re in!")
        owed = [job for job in await jobs(core()) if job.kind is JobKind.EVENT]
        assert len(owed) == 1, "the message of the event is edited later"


@pytest.mark.slow
async def test_what_the_bot_does_by_itself_is_seen_without_a_press() -> None:
    async with sandbox_here() as (address, _), aiohttp.ClientSession() as session:
        ann = await Site(address, session).open("Ann", "games")
        await ann.command("open", game="bouncers", computer="hard")
        await until(ann, "It’s Ann’s turn")
