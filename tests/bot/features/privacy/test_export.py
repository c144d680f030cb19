"""*Your data* in `/settings`: everything that is kept about somebody, for them alone."""

import json
from typing import Any

import pytest
import sqlalchemy as sa
from simcord.results import InteractionResult

from tests.bot.kit import World, reply
from tests.bot.present import present
from tests.bot.seated import open_table
from tests.bot.settings_panels import act, remind, switch
from tests.bot.unsaid import unsaid


def exported(world: World, answer: InteractionResult) -> dict[str, Any]:
    """The file attached to an answer, parsed."""
    (attachment,) = present(answer.followups[-1] if answer.followups else answer.response).attachments
    assert attachment.filename == "springboard-export.json"
    content = present(world.env.backend.cdn.get(attachment.url))
    found: dict[str, Any] = json.loads(content)
    return found


async def test_somebody_gets_a_file_that_nobody_else_sees(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.slash(world.channel, "move", action="b2 b3")
    await remind(world, world.ben, late=False)
    posted = len(world.messages())
    answer = await act(world, world.ben, "settings", "data", "export")
    assert reply(answer).ephemeral
    assert "Here is everything I keep about you" in world.text(answer)
    assert len(world.messages()) == posted
    found = exported(world, answer)
    assert found["user_id"] == str(world.ben.id)
    assert [one["settings"] for one in found["settings"]] == [{"remind_late": False}]
    (there,) = found["tables"]
    assert (there["table"], there["seat"][0]["name"]) == (table.table_id, "Ben")
    assert "actions" not in there, "Ann's move is hers"
    hers = exported(world, await act(world, world.ann, "settings", "data", "export"))
    assert [entry["tokens"] for entry in hers["tables"][0]["actions"]] == [["b2", "b3"]]
    for own, other in ((found, world.ann), (hers, world.ben)):
        assert str(other.id) not in json.dumps(own)


async def test_nothing_is_kept_about_strangers_and_forgotten_people(world: World) -> None:
    answer = await act(world, world.cleo, "settings", "data", "export")
    assert reply(answer).ephemeral
    assert world.text(answer) == "We keep nothing about you."
    await switch(world, world.cleo, preview=False)
    assert exported(world, await act(world, world.cleo, "settings", "data", "export"))["settings"]
    asked = await act(world, world.cleo, "settings", "data", "forget")
    await world.cleo.click(asked.response or asked.followups[-1], label="Forget me")
    assert "We keep nothing about you." in world.text(await act(world, world.cleo, "settings", "data", "export"))


async def test_the_export_says_what_did_not_fit_and_what_is_damaged(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        await open_table(world, "bouncers", world.ann, world.ben)
    await switch(world, world.ann, preview=False)
    with world.env._bot_scope():
        async with world.client.core.store.write() as writer:
            await writer.execute(sa.text(f"UPDATE people SET vacation_from = 'soon' WHERE user_id = {world.ann.id}"))
    monkeypatch.setattr("bot.features.privacy.export.MOST_BYTES", 1)
    answer = world.text(await act(world, world.ann, "settings", "data", "export"))
    assert not unsaid(answer, "The 3 oldest of your 3 tables didn’t fit.", "1 entry is damaged and was left out.")
