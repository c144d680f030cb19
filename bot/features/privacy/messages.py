"""*Export my data* in `/settings`: the message with the file."""

from bot.features.privacy.export import Export
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder
from engines.text import say, say_n


def export_message(export: Export | None, language: Language) -> MessageBuilder:
    """The file with a person's data, or the news that there is none."""
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
