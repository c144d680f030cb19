"""The panels of `/settings` and `/server-settings`: opened, pressed, and their forms filled in.

    shown = await fill(world, world.ann, "settings", "quiet-hours", begin="22:30", until="7:00", zone="Berlin")

Fields have their names in the code, and keep their initial values unless given.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from simcord import actors
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.builders import ChannelHandle, RoleHandle
from simcord.components import walk_components
from simcord.enums import InteractionType
from simcord.results import InteractionResult

from bot.messages.click import Click
from tests.bot.kit import World, reply

TEXT_INPUT, ROLE, CHANNEL, RADIO, CHECKBOXES = 4, 6, 8, 21, 22
Given = str | int | None | Sequence[Any] | ChannelHandle | RoleHandle


async def open_panel(
    world: World, who: MemberActor, panel: str = "settings", *, at: ChannelHandle | None = None
) -> InteractionResult:
    return await who.slash(at or world.channel, panel)


def verb_of(panel: str) -> str:
    return "settings" if panel == "settings" else "server"


def form_click(panel: str, section: str) -> str:
    """The custom_id of the button that opens a section's form."""
    return Click(f"{verb_of(panel)}-form", tokens=(section,)).custom_id


def action_click(panel: str, section: str, action: str) -> str:
    """The custom_id of a section's other button."""
    return Click(f"{verb_of(panel)}-do", tokens=(section, action)).custom_id


async def form(
    world: World, who: MemberActor, panel: str, section: str, *, at: ChannelHandle | None = None
) -> InteractionResult:
    shown = await open_panel(world, who, panel, at=at)
    return await who.click(reply(shown), custom_id=form_click(panel, section))


def controls(modal: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    assert modal is not None, "no form was opened"
    for item in walk_components(modal["components"]):
        if "custom_id" in item:
            yield item


def control(asked: InteractionResult, name: str) -> Mapping[str, Any]:
    return next(one for one in controls(asked.modal) if name_of(one) == name)


def name_of(one: Mapping[str, Any]) -> str:
    return str(one["custom_id"]).partition(":")[0]


def standing(one: Mapping[str, Any]) -> list[str]:
    """A field's initial value: its text, or the chosen values."""
    if one["type"] == TEXT_INPUT:
        return [one["value"]] if one.get("value") else []
    chosen = [option["value"] for option in one.get("options") or [] if option.get("default")]
    return chosen or [str(known["id"]) for known in one.get("default_values") or []]


async def send(world: World, who: MemberActor, asked: InteractionResult, /, **given: Given) -> InteractionResult:
    """Submit a form with these values. "from" is called begin here."""
    values: dict[str, Any] = {}
    wanted = {"from" if name == "begin" else name: value for name, value in given.items()}
    for one in controls(asked.modal):
        name, kind = name_of(one), one["type"]
        value: Any = wanted.pop(name) if name in wanted else _as_shown(world, one)
        value = str(value) if isinstance(value, int) else value
        if kind == CHECKBOXES or (kind not in {TEXT_INPUT, RADIO} and isinstance(value, ChannelHandle | RoleHandle | str)):
            value = [value] if isinstance(value, ChannelHandle | RoleHandle | str) else list(value)
        if value not in ("", None, []):
            values[one["custom_id"]] = value
    assert not wanted, f"the form has no {sorted(wanted)}"
    return await who.submit_modal(asked, values)


def _as_shown(world: World, one: Mapping[str, Any]) -> Any:
    """A field's initial value, as simcord takes it."""
    shown = standing(one)
    if one["type"] in {TEXT_INPUT, RADIO}:
        return shown[0] if shown else ""
    if one["type"] == CHANNEL:
        return [ChannelHandle(world.env, world.guild, world.env.backend.get_channel(int(known))) for known in shown]
    if one["type"] == ROLE:
        return [
            RoleHandle(world.env, world.guild, world.env.backend.get_guild(world.guild.id).roles[int(known)]) for known in shown
        ]
    return shown


async def fill(
    world: World, who: MemberActor, panel: str, section: str, *, at: ChannelHandle | None = None, **given: Given
) -> InteractionResult:
    """Open a panel and a section's form, and submit it filled in."""
    return await send(world, who, await form(world, who, panel, section, at=at), **given)


async def act(
    world: World, who: MemberActor, panel: str, section: str, action: str, *, at: ChannelHandle | None = None
) -> InteractionResult:
    """Open a panel, and press a section's other button."""
    shown = await open_panel(world, who, panel, at=at)
    return await who.click(reply(shown), custom_id=action_click(panel, section, action))


async def remind(
    world: World,
    who: MemberActor,
    *,
    half: bool | None = None,
    late: bool | None = None,
    coming: bool | None = None,
    where: str | None = None,
) -> InteractionResult:
    """Set when and where to be reminded. None changes nothing."""
    asked = await form(world, who, "settings", "reminders")
    ticked = set(standing(control(asked, "when")))
    for name, wanted in {"remind_half": half, "remind_late": late, "remind_next": coming}.items():
        if wanted is not None:
            ticked = ticked | {name} if wanted else ticked - {name}
    return await send(world, who, asked, when=sorted(ticked), **({} if where is None else {"notify": where}))


async def switch(world: World, who: MemberActor, **wanted: bool) -> InteractionResult:
    """Switch board settings on or off: preview, turn_board, practise_openly."""
    asked = await form(world, who, "settings", "pictures")
    ticked = set(standing(control(asked, "boards")))
    ticked = (ticked | {name for name, on in wanted.items() if on}) - {name for name, on in wanted.items() if not on}
    return await send(world, who, asked, boards=sorted(ticked))


async def speak(world: World, who: MemberActor, language: str, *, server: bool = False) -> InteractionResult:
    """Set a person's language ("auto" for Discord's) or the server's."""
    return await fill(world, who, "server-settings" if server else "settings", "language", language=language)


async def go_away(world: World, who: MemberActor, days: int) -> InteractionResult:
    return await fill(world, who, "settings", "vacation", days=str(days))


async def come_back(world: World, who: MemberActor) -> InteractionResult:
    return await act(world, who, "settings", "vacation", "end")


async def close_table(world: World, who: MemberActor, number: int) -> InteractionResult:
    """Close a table as a manager: pick it, and confirm."""
    return await _at_table(world, who, number, "Close this table", "Close it")


async def remove_player(world: World, who: MemberActor, number: int, player: MemberActor) -> InteractionResult:
    """Remove somebody from a table as a manager: pick both, and confirm."""
    shown = await picked_table(world, who, number)
    asked = await who.select(reply(shown), [str(player.id)])
    return await who.click(reply(asked), label="Remove")


async def picked_table(world: World, who: MemberActor, number: int) -> InteractionResult:
    shown = await act(world, who, "server-settings", "tables", "pick")
    return await who.select(reply(shown), [str(number)])


async def _at_table(world: World, who: MemberActor, number: int, *labels: str) -> InteractionResult:
    shown = await picked_table(world, who, number)
    for label in labels:
        shown = await who.click(reply(shown), label=label)
    return shown


async def forged_click(world: World, who: MemberActor, shown: InteractionResult, custom_id: str, *values: str) -> str:
    """Send a click that the message does not offer. Returns the answer."""
    stored = actors._visible_message(who, reply(shown))
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if values else 2}
    if values:
        data["values"] = list(values)
    return world.text(await actors._component_interaction(who, stored, data))


async def forged_form(
    world: World, who: MemberActor, asked: InteractionResult, change: Callable[[dict[str, Any]], None]
) -> str:
    """Submit a form with altered content. Returns the answer."""
    modal = asked.modal
    assert modal is not None, "no form was opened"
    parts = [
        {"type": part["type"], "id": part.get("id", 1), "component": _sent(part["component"])} for part in modal["components"]
    ]
    data: dict[str, Any] = {"custom_id": modal["custom_id"], "components": parts}
    change(data)
    source = asked._interaction.source_message_id
    assert source is not None, "the form was opened by a button"
    message = world.env.backend.get_message(asked._interaction.channel_id, source)
    channel = ChannelHandle(world.env, world.guild, world.env.backend.get_channel(asked._interaction.channel_id))
    sent = await actors._dispatch_actor_interaction(
        who, InteractionType.MODAL_SUBMIT, channel, data,
        extra={"message": dict(serializers.message_payload(world.env.backend, message))}, source_message_id=source,
    )  # fmt: skip
    return world.text(sent)


def _sent(one: Mapping[str, Any]) -> dict[str, Any]:
    """A field as a client sends it back untouched."""
    told: dict[str, Any] = {"type": one["type"], "id": one.get("id", 1), "custom_id": one["custom_id"]}
    shown = standing(one)
    return told | ({"value": shown[0] if shown else ""} if one["type"] in {TEXT_INPUT, RADIO} else {"values": shown})


def value_at(index: int, value: Any) -> Callable[[dict[str, Any]], None]:
    """Make a form carry a value that it doesn't offer, for `forged_form`."""

    def change(data: dict[str, Any]) -> None:
        filled = data["components"][index]["component"]
        filled["values" if "values" in filled else "value"] = value

    return change


def assert_fits(shown: InteractionResult) -> None:
    """Assert that Discord would take a panel, which has at most 40 parts and 4,000 characters."""
    parts = list(walk_components(reply(shown).components))
    assert len(parts) <= 40
    assert sum(len(part.get("content") or "") for part in parts) <= 4000
