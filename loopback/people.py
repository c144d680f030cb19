"""People in the loopback Discord: their clicks and commands, and the messages that they see."""

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
_BUTTON, _SELECT = 2, 3
_TEXT, _RADIO = 4, 21
_ONE_WORD: Final = {_TEXT, _RADIO}


def _standing(control: Mapping[str, Any]) -> list[str]:
    """What stands in a field of a form when it is opened."""
    if control["type"] == _TEXT:
        return [control["value"]] if control.get("value") else []
    chosen = [option["value"] for option in control.get("options") or [] if option.get("default")]
    return chosen or [str(known["id"]) for known in control.get("default_values") or []]


class NobodyThere(Exception):
    """The bot is not connected: people read at once that the application did not respond."""


class People:
    """People in front of a loopback Discord. Every verb waits for the bot's first answer, or for its absence.

    Args:
        loopback: the Discord.
        patient: whether they press although the bot is away, and wait for the answer of whoever comes back in its place.
    """

    def __init__(self, loopback: Loopback, *, patient: bool = False) -> None:
        self.loopback = loopback
        self.discord = loopback.discord
        self.patient = patient

    # --- verbs --------------------------------------------------------------------------------------------------------

    async def slash(self, who: Person, where: Channel, name: str, /, **options: Any) -> Interaction:
        """Use a slash command. `name`: with the subcommand, if it has one."""
        return await self._done(self.begin_slash(who, where, name, **options))

    async def click(self, who: Person, message: Message, custom_id: str, *values: str) -> Interaction:
        """Press a button, or choose in a select menu. `custom_id`: how it begins, if that is clear enough."""
        return await self._done(self.begin_click(who, message, custom_id, *values))

    async def suggest(self, who: Person, where: Channel, name: str, typing: str, /, **options: Any) -> Interaction:
        """Type in an option that has suggestions."""
        return await self._done(self.begin_suggest(who, where, name, typing, **options))

    async def menu(self, who: Person, where: Channel, name: str, on: Person | Message) -> Interaction:
        """Choose in the menu on a person or on a message."""
        resolved: dict[str, Any] = {}
        if isinstance(on, Person):
            self._name(on, where, resolved)
        else:
            resolved["messages"] = {str(on.id): on.payload(self.discord.base)}
        kind = PERSON_MENU if isinstance(on, Person) else MESSAGE_MENU
        data = {"id": "1", "name": name, "type": kind, "target_id": str(on.id), "resolved": resolved}
        return await self._done(self._interact(COMMAND, who, where, data))

    async def submit(self, who: Person, opened: Interaction, *words: str) -> Interaction:
        """Fill in the inputs of a form in order, and send it off."""
        assert opened.modal is not None, "no form was opened"
        parts = []
        for part, word in zip(opened.modal["components"], words, strict=True):
            inner = part.get("component") or part["components"][0]
            filled = {"type": inner["type"], "id": inner.get("id", 1), "custom_id": inner["custom_id"], "value": word}
            parts.append({"type": part["type"], "id": part.get("id", 1),
                          **({"component": filled} if "component" in part else {"components": [filled]})})  # fmt: skip
        data = {"custom_id": opened.modal["custom_id"], "components": parts}
        where = self.discord.channels[opened.channel_id]
        return await self._done(self._interact(FORM, who, where, data, opened.message))

    async def fill(self, who: Person, opened: Interaction, **given: Any) -> Interaction:
        """Fill in a form by the names of its fields, and send it off; what is not given stays as it is shown.

        A name is what stands before the first colon of a field's custom_id. Text and radio buttons take a word; ticked boxes
        and menus several words, or one or several channels.
        """
        assert opened.modal is not None, "no form was opened"
        parts, resolved = [], dict[str, Any]()
        where = self.discord.channels[opened.channel_id]
        for part in opened.modal["components"]:
            inner = part["component"]
            name = inner["custom_id"].partition(":")[0]
            value = given.pop(name) if name in given else _standing(inner)
            filled = {"type": inner["type"], "id": inner.get("id", 1), "custom_id": inner["custom_id"]}
            if inner["type"] in _ONE_WORD:
                filled["value"] = value if isinstance(value, str) else "".join(value)
            else:
                chosen = [value] if isinstance(value, str | Channel) else list(value)
                filled["values"] = [self._resolve(who, one, resolved) for one in chosen]
            parts.append({"type": part["type"], "id": part.get("id", 1), "component": filled})
        assert not given, f"the form has no {sorted(given)}"
        data = {"custom_id": opened.modal["custom_id"], "components": parts, "resolved": resolved}
        return await self._done(self._interact(FORM, who, where, data, opened.message))

    def _resolve(self, who: Person, chosen: str | Channel, resolved: dict[str, Any]) -> str:
        """The value of what is chosen in a menu. A channel is named in the interaction."""
        if isinstance(chosen, str):
            channel = self.discord.channels.get(int(chosen)) if chosen.isdecimal() else None
        else:
            channel = chosen
        if channel is None:
            return str(chosen)
        held = self.discord.permissions(who, channel).value
        resolved.setdefault("channels", {})[str(channel.id)] = channel.payload() | {"permissions": str(held)}
        return str(channel.id)

    def begin_slash(self, who: Person, where: Channel, name: str, /, **options: Any) -> Interaction:
        """Use a slash command without waiting for anything."""
        return self._interact(COMMAND, who, where, self._command(who, where, name, options))

    def begin_suggest(self, who: Person, where: Channel, name: str, typing: str, /, **options: Any) -> Interaction:
        """Type in an option that has suggestions, without waiting for them."""
        data = self._command(who, where, name, options)
        for option in data["options"]:
            option |= {"focused": True} if option["name"] == typing else {}
        return self._interact(SUGGEST, who, where, data)

    def begin_click(self, who: Person, message: Message, custom_id: str, *values: str) -> Interaction:
        """Press a button without waiting for anything."""
        assert not message.private or message.seen_by == who.id, "only who sees a button can press it"
        whole = next(one for one in message.custom_ids if one.startswith(custom_id))
        data: dict[str, Any] = {"component_type": _SELECT if values else _BUTTON, "custom_id": whole, "id": 1}
        if values:
            data["values"] = list(values)
        return self._interact(CLICK, who, self.discord.channels[message.channel_id], data, message)

    async def answered(self, interaction: Interaction, within: float = ANSWER_WITHIN) -> bool:
        """Wait until there is a first answer, or none can come any more."""
        return await self.until(lambda: interaction.callback is not None, within)

    async def filled(self, interaction: Interaction) -> bool:
        """Wait until what was deferred is there, or cannot come any more."""
        original = interaction.original
        return await self.until(lambda: original is None or not original.loading, TOKEN_LIFETIME)

    async def until(self, true: Callable[[], bool], within: float) -> bool:
        """Wait for something to become true. Gives up after so many seconds, and at once if the bot's connection is lost.

        Patient people wait all these seconds.
        """
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

    # --- how Discord tells the bot of it ------------------------------------------------------------------------------

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
        """The data of a slash command, with the types of the options as they are registered."""
        first, *below = name.split(" ")
        node = self.discord.commands[first]
        resolved: dict[str, Any] = {}
        path = []
        for word in below:
            node = next(option for option in node["options"] if option["name"] == word)
            path.append(word)
        known = {option["name"]: option for option in node.get("options") or []}
        given: list[dict[str, Any]] = []
        for option, value in options.items():
            if isinstance(value, Person):
                self._name(value, where, resolved)
                value = str(value.id)
            elif isinstance(value, Channel):
                assert value.kind in known[option].get("channel_types", [value.kind]), "Discord does not offer such a channel"
                held = self.discord.permissions(who, value).value
                resolved.setdefault("channels", {})[str(value.id)] = value.payload() | {"permissions": str(held)}
                value = str(value.id)
            given.append({"name": option, "type": known[option]["type"], "value": value})
        for word in reversed(path):
            given = [{"name": word, "type": SUBCOMMAND, "options": given}]
        return {"id": self.discord.commands[first]["id"], "name": first, "type": 1, "options": given, "resolved": resolved}

    def _name(self, who: Person, where: Channel, resolved: dict[str, Any]) -> None:
        """Name a person in an interaction: as an account, and unless they have left the server, as a member."""
        resolved.setdefault("users", {})[str(who.id)] = who.user()
        members = resolved.setdefault("members", {})
        if where.guild_id not in who.left:
            members[str(who.id)] = who.member(permissions=self.discord.permissions(who, where).value)

    # --- what is seen -------------------------------------------------------------------------------------------------

    def seen(self, where: Channel) -> list[Message]:
        """The messages that everybody in a channel sees, oldest first."""
        return [one for one in self.discord.seen_in(where.id) if not one.loading]
