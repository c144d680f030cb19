"""Phones in the sandbox light up with what a message was created with, and lead to where it came from."""

import json

import pytest

from tests.bot.sandbox.windows import Site

pytestmark = pytest.mark.slow


async def phones(site: Site) -> dict[str, list[str]]:
    status, state = await site.ask("GET", "/sandbox/state")
    assert status == 200
    names = {person["id"]: person["name"] for person in state["people"]}
    return {names[who]: [one["words"] for one in shown] for who, shown in state["phones"].items()}


async def test_a_turn_lights_up_the_phone_of_whoever_is_asked_and_no_other(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    await ann.command("play", game="bouncers", opponent=ben.who)
    shown = await phones(site)
    assert shown["Ben"] == ["Ann invites you to Bouncers #1, 1 day a turn. Are you in? You have 14 days to answer. @Ben"]
    assert shown["Ann"] == []
    await (await ben.look()).click("Accept")
    shown = await phones(site)
    assert shown["Ann"] == ["The game begins. Your turn in Bouncers #1: which piece bounces? 24 h left. @Ann"]
    await (await ann.look()).command("move", action="b2 b3")
    shown = await phones(site)
    assert shown["Ben"][0] == "Ann bounces b2 → b3. Your turn in Bouncers #1: which piece bounces? 24 h left. @Ben"
    assert len(shown["Ann"]) == 1, "the edit that makes it a board lights up nothing"
    assert shown["Cleo"] == []
    assert "picture" not in json.dumps(shown)
