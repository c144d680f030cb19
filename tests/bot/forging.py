"""Clicks that Discord's own client never sends: any custom_id on any message."""

from simcord import actors
from simcord.actors import MemberActor
from simcord.builders import UserHandle
from simcord.results import InteractionResult

from bot.messages.click import Click
from tests.bot.kit import Message

BUTTON, MENU = 2, 3


async def forged(member: MemberActor | UserHandle, message: Message, click: Click) -> InteractionResult:
    """Click a button that the message does not have."""
    stored = actors._visible_message(member, message)
    return await actors._component_interaction(member, stored, {"custom_id": click.custom_id, "component_type": BUTTON})


async def chosen(member: MemberActor | UserHandle, message: Message, click: Click, *values: str) -> InteractionResult:
    """Choose in a menu that the message does not have."""
    stored = actors._visible_message(member, message)
    data = {"custom_id": click.custom_id, "component_type": MENU, "values": list(values)}
    return await actors._component_interaction(member, stored, data)
