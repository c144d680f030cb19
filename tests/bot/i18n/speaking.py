"""People and servers that speak other languages: their clicks, and the messages to them."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.components import walk_components
from simcord.results import InteractionResult

from bot.core.people import Users
from bot.messages.click import Click
from loopback.limits import GALLERY, TEXT, Kind
from tests.bot.kit import World, buttons
from tests.bot.seated import Seated, core_of, open_table


def speaks(monkeypatch: pytest.MonkeyPatch, world: World, member: MemberActor, locale: str) -> None:
    emit = world.env.backend.emit

    def translated(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE" and int(payload["member"]["user"]["id"]) == member.id:
            payload = {**payload, "locale": locale}
        emit(event, payload)

    monkeypatch.setattr(world.env.backend, "emit", translated)


async def the_server_speaks(world: World, code: str) -> None:
    await core_of(world).service(Users).change_server(world.guild.id, language=code)


async def press(member: MemberActor, message: Any, verb: str) -> InteractionResult:
    """Press the first button of a verb, whatever its label."""
    wanted = next((custom_id for custom_id, click in clicks(message).items() if click.verb == verb), None)
    assert wanted is not None, f"there is no button for {verb}"
    return await member.click(message, custom_id=wanted)


def clicks(message: Any) -> dict[str, Click]:
    """The clicks of a message's buttons by custom id."""
    pressed = ((one.custom_id or "", Click.read(one.custom_id or "")) for one in buttons(message) if not one.disabled)
    return {custom_id: click for custom_id, click in pressed if click is not None}


async def seated(world: World, game: str, **options: Any) -> Seated:
    """Ann has opened a table, and Ben has joined."""
    table = await open_table(world, game, world.ann, **options)
    lobbies = [m for m in world.messages() if any(c.verb == "join" and c.table == table.table_id for c in clicks(m).values())]
    await press(world.ben, lobbies[-1], "join")
    table.people = (world.ann, world.ben)
    return table


def said(world: World, since: int = 0) -> Iterator[str]:
    """Everything people can read in what was sent: texts, labels, alt texts, thread names, autocomplete."""
    for call in world.watch.calls[since:]:
        body = call.body if isinstance(call.body, dict) else {}
        if call.kind is Kind.CHOICES:
            yield from (choice["name"] for choice in body["data"]["choices"])
        if call.kind is Kind.THREAD:
            yield body["name"]
        message = call.message
        yield message.get("content") or ""
        for item in walk_components(message.get("components") or []):
            yield from (item[key] for key in ("label", "placeholder") if item.get(key))
            yield from (option["label"] for option in item.get("options") or [])
            if item.get("type") == TEXT:
                yield item["content"]
            if item.get("type") == GALLERY:
                yield from (shown["description"] for shown in item["items"])
