"""The people of the loopback, with all that they do and see."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from loopback.answers import ANSWER_WITHIN, TOKEN_LIFETIME
from loopback.model import Channel, Interaction, Message, Person
from loopback.server import Loopback

COMMAND, CLICK, SUGGEST, FORM = 2, 3, 4, 5
SUBCOMMAND: Final = 1
PERSON_MENU, MESSAGE_MENU = 2, 3
_BUTTON, _SELECT, _TEXT, _RADIO = 2, 3, 4, 21


def _standing(control: Mapping[str, Any]) -> list[str]:
    """Return the values that a field of a form holds before anybody changes them."""
    if control["type"] == _TEXT:
        return [control["value"]] if control.get("value") else []
    chosen = [option["value"] for option in control.get("options") or [] if option.get("default")]
    return chosen or [str(known["id"]) for known in control.get("default_values") or []]


class NobodyThere(Exception):
    """The bot is not connected, and people are told so at once."""


class People:
    """Lets people act. Each action waits for the bot's callback until it is too late, unless its name begins with `begin_`.

    Patient people also act while the bot is away. They then wait for whichever process takes its place.
    """

    def __init__(self, loopback: Loopback, *, patient: bool = False) -> None:
        self.loopback = loopback
        self.discord = loopback.discord
        self.patient = patient

    async def slash(self, who: Person, where: Channel, name: str, /, **options: Any) -> Interaction:
        """Use a slash command. `name` includes the subcommand."""
        return await self._done(self.begin_slash(who, where, name, **options))

    async def click(self, who: Person, message: Message, custom_id: str, *values: str) -> Interaction:
        """Press a button, or choose `values` in a menu. The beginning of the custom id is enough."""
        return await self._done(self.begin_click(who, message, custom_id, *values))

    async def suggest(self, who: Person, where: Channel, name: str, typing: str, /, **options: Any) -> Interaction:
        """Type into the option `typing`, which has autocomplete."""
        return await self._done(self.begin_suggest(who, where, name, typing, **options))

    async def menu(self, who: Person, where: Channel, name: str, on: Person | Message) -> Interaction:
        """Choose in the context menu of a person or message."""
        resolved: dict[str, Any] = {}
        if isinstance(on, Person):
            self._name(on, where, resolved)
        else:
            resolved["messages"] = {str(on.id): on.payload(self.discord.base)}
        kind = PERSON_MENU if isinstance(on, Person) else MESSAGE_MENU
        data = {"id": "1", "name": name, "type": kind, "target_id": str(on.id), "resolved": resolved}
        return await self._done(self._interact(COMMAND, who, where, data))

    async def submit(self, who: Person, opened: Interaction, *words: str) -> Interaction:
        """Fill in the inputs of a form in order, and submit it."""
        assert opened.modal is not None, "no form was opened"
        parts = []
        for part, word in zip(opened.modal["components"], words, strict=True):
            inner = part.get("component") or part["components"][0]
            filled = {"type": inner["type"], "id": inner.get("id", 1), "custom_id": inner["custom_id"], "value": word}
            parts.append({"type": part["type"], "id": part.get("id", 1),
                          **({"component": filled} if "component" in part else {"components": [filled]})})  # fmt: skip
        return await self._send_off(who, opened, parts, {})

    async def fill(self, who: Person, opened: Interaction, **given: Any) -> Interaction:
        """Fill in the fields of a form by name, and submit it.

        A field's name is the part of its custom id before the first colon. Text inputs and radio buttons take one string.
        Checkboxes and menus take several strings, or channels. Fields that are not given keep their values.
        """
        assert opened.modal is not None, "no form was opened"
        parts, resolved = [], dict[str, Any]()
        for part in opened.modal["components"]:
            inner = part["component"]
            name = inner["custom_id"].partition(":")[0]
            value = given.pop(name) if name in given else _standing(inner)
            filled = {"type": inner["type"], "id": inner.get("id", 1), "custom_id": inner["custom_id"]}
            if inner["type"] in {_TEXT, _RADIO}:
                filled["value"] = value if isinstance(value, str) else "".join(value)
            else:
                chosen = [value] if isinstance(value, str | Channel) else list(value)
                filled["values"] = [self._resolve(who, one, resolved) for one in chosen]
            parts.append({"type": part["type"], "id": part.get("id", 1), "component": filled})
        assert not given, f"the form has no {sorted(given)}"
        return await self._send_off(who, opened, parts, resolved)

    async def _send_off(
        self, who: Person, opened: Interaction, parts: list[dict[str, Any]], resolved: dict[str, Any]
    ) -> Interaction:
        assert opened.modal is not None
        data = {"custom_id": opened.modal["custom_id"], "components": parts, "resolved": resolved}
        return await self._done(self._interact(FORM, who, self.discord.channels[opened.channel_id], data, opened.message))

    def _resolve(self, who: Person, chosen: str | Channel, resolved: dict[str, Any]) -> str:
        """Return the value of a choice in a menu. If it is a channel, add the channel to the interaction's resolved data."""
        channel = self.discord.channels.get(int(chosen) if chosen.isdecimal() else 0) if isinstance(chosen, str) else chosen
        if channel is None:
            return str(chosen)
        held = self.discord.permissions(who, channel).value
        resolved.setdefault("channels", {})[str(channel.id)] = channel.payload() | {"permissions": str(held)}
        return str(channel.id)

    def begin_slash(self, who: Person, where: Channel, name: str, /, **options: Any) -> Interaction:
        """Use a slash command, without waiting for the callback."""
        return self._interact(COMMAND, who, where, self._command(who, where, name, options))

    def begin_suggest(self, who: Person, where: Channel, name: str, typing: str, /, **options: Any) -> Interaction:
        """Type into the option `typing`, which has autocomplete, without waiting for the callback."""
        data = self._command(who, where, name, options)
        for option in data["options"]:
            option |= {"focused": True} if option["name"] == typing else {}
        return self._interact(SUGGEST, who, where, data)

    def begin_click(self, who: Person, message: Message, custom_id: str, *values: str) -> Interaction:
        """Press a button or choose `values` in a menu, without waiting for the callback."""
        assert not message.private or message.seen_by == who.id, "only who sees a button can press it"
        whole = next(one for one in message.custom_ids if one.startswith(custom_id))
        data = {"component_type": _SELECT if values else _BUTTON, "custom_id": whole, "id": 1}
        data |= {"values": list(values)} if values else {}
        return self._interact(CLICK, who, self.discord.channels[message.channel_id], data, message)

    async def answered(self, interaction: Interaction, within: float = ANSWER_WITHIN) -> bool:
        """Wait for the callback, or until `within` seconds have passed. Return whether the bot has answered."""
        return await self.until(lambda: interaction.callback is not None, within)

    async def filled(self, interaction: Interaction) -> bool:
        """Wait until the deferred answer is filled in, or until it is too late. Return whether no answer is outstanding."""
        original = interaction.original
        return await self.until(lambda: original is None or not original.loading, TOKEN_LIFETIME)

    async def until(self, true: Callable[[], bool], within: float) -> bool:
        """Return whether `true()` holds within that many seconds. Unless patient, give up once the bot is disconnected."""
        if self.patient:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed(true), within)
            return true()
        lost = asyncio.create_task(self.loopback.gateway.lost.wait())
        changed = asyncio.create_task(self._changed(true))
        try:
            await asyncio.wait({lost, changed}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost.cancel()
            changed.cancel()
        return true()

    async def _changed(self, true: Callable[[], bool]) -> None:
        async with self.loopback.changed:
            await self.loopback.changed.wait_for(true)

    async def _done(self, interaction: Interaction) -> Interaction:
        await self.answered(interaction)
        return interaction

    def _interact(
        self, kind: int, who: Person, where: Channel, data: Mapping[str, Any], message: Message | None = None
    ) -> Interaction:
        discord = self.discord
        discord.archive_idle()
        if not self.patient and not self.loopback.gateway.line(where.guild_id).ready.is_set():
            raise NobodyThere
        made = Interaction(discord.snowflake(), secrets.token_urlsafe(24), who, where.id, kind, discord.now(), message)
        discord.interactions[made.token] = made
        held = discord.permissions(who, where).value
        payload: dict[str, Any] = {
            "id": str(made.id), "application_id": str(discord.bot.id), "type": kind, "token": made.token, "version": 1,
            "channel_id": str(where.id), "data": dict(data), "locale": "en-US", "entitlements": [],
            "channel": where.payload() | {"permissions": str(held)}, "authorizing_integration_owners": {},
            "app_permissions": str(discord.permissions(discord.bot, where).value), "attachment_size_limit": 10 * 1024 * 1024,
        }  # fmt: skip
        if where.guild_id is None:
            payload |= {"user": who.user(), "context": 1}
        else:
            payload |= {"guild_id": str(where.guild_id), "guild_locale": "en-US", "context": 0,
                        "guild": {"id": str(where.guild_id), "locale": "en-US", "features": []},
                        "authorizing_integration_owners": {"0": str(where.guild_id)},
                        "member": who.member(permissions=held) | {"user": who.user()}}  # fmt: skip
        if message is not None:
            payload["message"] = message.payload(discord.base)
        self.loopback.gateway.emit("INTERACTION_CREATE", payload)
        return made

    def _command(self, who: Person, where: Channel, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return a slash command's data, in which the options have the types that the command was registered with."""
        first, *below = name.split(" ")
        node = self.discord.commands[first]
        resolved: dict[str, Any] = {}
        for word in below:
            node = next(option for option in node["options"] if option["name"] == word)
        known = {option["name"]: option for option in node.get("options") or []}
        given: list[dict[str, Any]] = []
        for option, value in options.items():
            if isinstance(value, Person):
                self._name(value, where, resolved)
                value = str(value.id)
            elif isinstance(value, Channel):
                assert value.kind in known[option].get("channel_types", [value.kind]), "Discord does not offer such a channel"
                value = self._resolve(who, value, resolved)
            given.append({"name": option, "type": known[option]["type"], "value": value})
        for word in reversed(below):
            given = [{"name": word, "type": SUBCOMMAND, "options": given}]
        return {"id": self.discord.commands[first]["id"], "name": first, "type": 1, "options": given, "resolved": resolved}

    def _name(self, who: Person, where: Channel, resolved: dict[str, Any]) -> None:
        """Add a person to the resolved data, and to its members unless the person has left the server."""
        resolved.setdefault("users", {})[str(who.id)] = who.user()
        members = resolved.setdefault("members", {})
        if where.guild_id not in who.left:
            members[str(who.id)] = who.member(permissions=self.discord.permissions(who, where).value)

    def seen(self, where: Channel) -> list[Message]:
        """Return the messages that everybody in a channel sees, oldest first."""
        return [one for one in self.discord.seen_in(where.id) if not one.loading]
