"""Clicks that nobody could make in Discord's own client: with any custom_id, on any message. And all that the store holds."""

from typing import Any

import sqlalchemy as sa
from simcord import actors
from simcord.actors import MemberActor
from simcord.builders import UserHandle
from simcord.results import InteractionResult

from bot.messages.click import Click
from storage import tables
from storage.store import Store
from tests.bot.kit import Message

BUTTON = 2


async def forged(member: MemberActor | UserHandle, message: Message, click: Click) -> InteractionResult:
    """Somebody clicks on a button that the message does not have."""
    stored = actors._visible_message(member, message)
    return await actors._component_interaction(member, stored, {"custom_id": click.custom_id, "component_type": BUTTON})


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of the database, as text."""
    found = {}
    async with store.read() as reader:
        for table in tables.metadata.sorted_tables:
            columns = [sa.cast(sa.cast(column, sa.Text), sa.Text) for column in table.columns]
            rows = await reader._connection.execute(sa.select(*columns).order_by(*table.primary_key.columns))
            found[table.name] = [tuple(row) for row in rows]
    return found
