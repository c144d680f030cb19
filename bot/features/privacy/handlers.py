"""Exporting and deleting the user's own data."""

from typing import Final

import discord

from bot.features.privacy.export import Export
from bot.features.privacy.service import Privacy
from bot.i18n.language import Language
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.interactions.heavy import in_turn
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from engines.text import say, say_n


async def show_export(context: Context, back: Button) -> None:
    """Give the user a file with everything stored about them, with the button `back` below it."""
    async with in_turn(context):
        made = await context.core.service(Privacy).export(context.user.id)
    await context.reply.show(_export_message(made, context.language).buttons([back]))


def _export_message(export: Export | None, language: Language) -> MessageBuilder:
    if export is None:
        return MessageBuilder().text(language(say("We keep nothing about you.")))
    told = [say("Here is everything I keep about you, on all servers. This message goes away, so save the file.")]
    if export.left_out:
        told.append(
            say_n(
                "The oldest of your {tables} tables didn’t fit.",
                "The {n} oldest of your {tables} tables didn’t fit.",
                export.left_out,
                tables=export.tables,
            )
        )
    if export.unreadable:
        told.append(
            say_n("{n} entry is damaged and was left out.", "{n} entries are damaged and were left out.", export.unreadable)
        )
    builder = MessageBuilder().text("\n".join(language(one) for one in told))
    return builder.document(export.name, export.content)


async def ask_to_forget(context: Context, back: Button) -> None:
    """Ask the user to confirm that everything about them is to be deleted, with the button `back` beside the question."""
    text = say(
        "This deletes your settings, ratings and invitations, and you resign the games you’re in. "
        "Finished games stay, with “Former player” in your place. There’s no way back."
    )
    yes = button(context.language(say("Forget me")), Click("forget-me").custom_id, discord.ButtonStyle.danger)
    await context.reply.show(MessageBuilder().text(context.language(text)).buttons([yes, back]))


@handles("forget-me")
async def _forget_me(context: Context, _: Click) -> None:
    left = await context.core.service(Privacy).forget(context.user)
    await context.reply.show(MessageBuilder().text(context.language(say("Done. I’ve forgotten everything about you."))))
    for table_id in left:
        await context.deliver(table_id)
    context.responder.outbox.wake()


HANDLERS: Final = (_forget_me,)
