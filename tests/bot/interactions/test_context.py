"""What every answer starts from: the settings of whoever is answered."""

import pytest

from bot.core.people import Users
from bot.core.table.settings import PersonSettings
from tests.bot.kit import World, reply


async def test_a_command_is_answered_despite_unreadable_settings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: int) -> PersonSettings:
        raise OSError("the disk is tired")

    monkeypatch.setattr(world.client.core.service(Users), "settings", broken)
    world.expected_errors.add("settings not read")
    assert "Springboard" in world.text(reply(await world.ann.slash(world.channel, "help")))
